// Loads the service with 60 % of its capacity for a long time while another process publishes generations. Measures
// memory, event loop delay and errors. node bench/soak.mjs [--minutes 30] [--share 0.6] (after npm run build)
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { EVENTS_BEGIN } from "./generations.mjs";
import { openPair } from "./store-pair.mjs";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "30" }, share: { type: "string", default: "0.6" } },
});
const minutes = Number(values.minutes);
const PORT = 18_795;
const CONNECTIONS = 32;
const BUILD_EVERY_MS = 20_000;
/**
 * The event loop metric is the time between two firings of a timer with this interval, so an idle process reports this
 * interval (measured: 10.1 ms).
 */
const LAG_TIMER_MS = 10;
/** The share of the run during which the caches fill. The slope of the memory is computed from the rest of the run. */
const WARM_SHARE = 0.3;
const KEYS = Array.from({ length: 20 }, (_, at) => `bench-key-${at}-0123456789abcdefgh`);
const EVENTS = "/api/conflict/v1/list-beta-events";
const CACHED = `${EVENTS}?country=SD&start=${EVENTS_BEGIN + 8_640_000_000}&page_size=20`;
const requestOf = (path, key) => `GET ${path} HTTP/1.1\r\nHost: bench\r\nX-Service-Key: ${key}\r\n\r\n`;
const kinds = [
  { name: "cached", weight: 9, requests: KEYS.map((key) => requestOf(CACHED, key)) },
  { name: "computed", weight: 1, requests: KEYS.map((key) => requestOf(`${EVENTS}?start={n}&page_size=50`, key)) },
];

async function loadResult(task) {
  const child = fork(new URL("./open-load.mjs", import.meta.url));
  await once(child, "message");
  child.send({ port: PORT, kinds, connectionsMax: CONNECTIONS, ...task });
  const [result] = await once(child, "message");
  child.kill();
  return result;
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const say = (line) => process.stdout.write(`${line}\n`);
const rssMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;

async function lagP99Ms() {
  const text = await (await fetch(`http://127.0.0.1:${PORT}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]) * 1_000 - LAG_TIMER_MS;
}

/** Returns the slope of the line through the points, by least squares. */
function slopeOf(points) {
  const [x, y] = [0, 1].map((axis) => sum(points.map((point) => point[axis])) / points.length);
  return sum(points.map(([px, py]) => (px - x) * (py - y))) / sum(points.map(([px]) => (px - x) ** 2));
}

const pair = await openPair({ key: KEYS.join(), what: "revised", count: 20_000, port: PORT });
try {
  const warm = await loadResult({ perSecond: 50_000, seconds: 5 });
  const capacity = sum(warm.kinds.map(({ accepted }) => accepted)) / warm.seconds;
  const perSecond = capacity * Number(values.share);
  say(
    `capacity ${Math.round(capacity)}/s with ${CONNECTIONS} connections; ${Math.round(perSecond)}/s for ${minutes} min`,
  );
  const total = { sent: 0, accepted: 0, wrong: 0, lost: 0, unsent: 0, builds: 0 };
  const points = [];
  const lags = [];
  const p99s = [];
  await pair.server.ask("startDelays");
  const startedAt = performance.now();
  const endsAt = startedAt + minutes * 60_000;
  let nextBuildAt = startedAt;
  const building = (async () => {
    while (performance.now() < endsAt) {
      await pair.build();
      await pair.server.ask("swap");
      total.builds += 1;
      nextBuildAt += BUILD_EVERY_MS;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, nextBuildAt - performance.now())));
    }
  })();
  while (performance.now() < endsAt) {
    const result = await loadResult({ perSecond, seconds: 10 });
    for (const kind of result.kinds) {
      total.sent += kind.sent;
      total.accepted += kind.accepted;
      if (Object.keys(kind.statuses).length > 1) say(JSON.stringify([kind.name, kind.statuses]));
      total.wrong += sum(Object.entries(kind.statuses).map(([status, times]) => (status === "200" ? 0 : times)));
      total.lost += kind.lost;
      total.unsent += kind.unsent;
    }
    p99s.push(Math.max(...result.kinds.map(({ p99 }) => p99 ?? 0)));
    lags.push(await lagP99Ms());
    points.push([(performance.now() - startedAt) / 60_000, rssMb(pair.server.pid)]);
  }
  await building;
  const settled = points.filter(([minute]) => minute >= minutes * WARM_SHARE);
  const middle = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
  say(JSON.stringify(total));
  say(
    `RSS ${Math.round(settled[0][1])} MB after the warm-up, ${Math.round(settled.at(-1)[1])} MB at the end, slope ${slopeOf(settled).toFixed(2)} MB/min`,
  );
  say(
    `event loop lag p99: median ${middle(lags).toFixed(1)} ms, worst ${Math.max(...lags).toFixed(1)} ms of ${lags.length} readings`,
  );
  say(
    `event loop delay p99 of the whole run, by a timer of 1 ms: ${(await pair.server.ask("delayP99Ms")).toFixed(1)} ms`,
  );
  say(`latency p99: median ${middle(p99s)} ms, worst ${Math.max(...p99s)} ms`);
} finally {
  await pair.close();
}
