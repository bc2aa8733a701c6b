// Measures the service's requests per CPU second, and compares them with those of two raw node:http servers that send
// the same body, one with two headers and one with the service's head. All servers take turns in every round, and the
// result is the median of the rounds' ratios, so that other work on the machine affects all servers alike.
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { pin } from "./load.mjs";

/** Length of one measurement. With 0.4 s, the digest's ratio was 0.08 lower than with 2 s (seen once, not explained). */
const SECONDS = 1;
/** Full garbage collections of every server before the first measurement, each followed by calls of all rows. */
const COLLECTIONS = 4;
const WARM_UP_SECONDS = 0.5;
const BARE_PORT = 18_800;
const SAME_HEAD_PORT = 18_820;

/** Node.js flags of all servers of the comparison, including the service. */
export const SERVER_FLAGS = ["--expose-gc", "--import", new URL("./collect-on-signal.mjs", import.meta.url).href];

/**
 * True if the system reports the CPU time of every thread in ns, as Linux does in `schedstat`. `/proc/<pid>/stat` is
 * not precise enough: it has only hundredths of a second.
 */
export const hasCpuTime = existsSync("/proc/self/schedstat");

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * Measures the rows of the report, and yields each when it is measured. `service` is `{ port, pid }` of a process that
 * runs with `SERVER_FLAGS`, `keys` maps the name of each kind of key to a key, and a case is `{ name, path }` with
 * optional `headers` and `status`.
 *
 * A call takes more CPU time in a process that has had several full garbage collections, and in one that has answered
 * calls of many kinds. So each raw server answers the calls of all cases, and every server runs
 * `COLLECTIONS` full collections.
 */
export async function* cpuRows({ asking, service, keys, rounds, folder }, cases) {
  const [firstKey] = Object.values(keys);
  const recordings = [];
  for (const [at, { path, headers = {}, status = "200" }] of cases.entries()) {
    const files = await recorded(service, path, { "X-Service-Key": firstKey, ...headers }, join(folder, `cpu-${at}`));
    recordings.push({ ...files, status });
  }
  const bare = await startRaw(folder, "bare", BARE_PORT, recordings, ({ file, status }) => ({ file, status }));
  const sameHead = await startRaw(folder, "same-head", SAME_HEAD_PORT, recordings, (recording) => recording);
  try {
    const rows = cases.map((each, at) => {
      const { name, path, headers = {}, status = "200" } = each;
      const contestant = (key, server, port, text) => {
        const request = requestOf(path, { "X-Service-Key": text, ...headers });
        return { key, server, task: { port, request, status }, runs: [] };
      };
      const own = Object.entries(keys).map(([key, text]) => contestant(key, service, service.port, text));
      const raw = [
        contestant("bare", bare, BARE_PORT + at, firstKey),
        contestant("same head", sameHead, SAME_HEAD_PORT + at, firstKey),
      ];
      return { name, bytes: recordings[at].bytes, own, raw, contestants: [raw[0], ...own, raw[1]] };
    });
    for (let times = 0; times <= COLLECTIONS; times += 1) {
      if (times > 0) for (const { pid } of [service, bare, sameHead]) process.kill(pid, "SIGUSR2");
      for (const { task } of rows.flatMap(({ contestants }) => contestants)) {
        await asking.ask({ ...task, seconds: WARM_UP_SECONDS });
      }
    }
    for (const row of rows) yield await measuredRow(asking, service, rounds, row);
  } finally {
    await Promise.all([bare.stop(), sameHead.stop()]);
  }
}

async function measuredRow(asking, service, rounds, { name, bytes, own, raw, contestants }) {
  const restRuns = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const { server, task, runs } of contestants) {
      const run = await measured(asking, server, service, task);
      runs.push(run);
      if (server !== service) restRuns.push(run.restUsed / run.elapsed);
    }
  }
  // The service's CPU time at rest is subtracted, because builds and polls run at fixed intervals: on a busy machine,
  // which serves few answers per interval, they would dominate.
  const rest = median(restRuns);
  const perCpu = ({ server, runs }) =>
    runs.map(({ answers, used, elapsed }) => answers / (used - (server === service ? rest * elapsed : 0)));
  const ratiosTo = (other) => {
    const others = perCpu(other);
    const ratio = (each) => median(perCpu(each).map((value, round) => value / others[round]));
    return Object.fromEntries(own.map((each) => [each.key, Number(ratio(each).toFixed(3))]));
  };
  const [ratioBare, ratioSameHead] = raw.map(ratiosTo);
  return {
    name,
    bytes,
    microseconds: Object.fromEntries(
      contestants.map((each) => [each.key, Number((1e6 / median(perCpu(each))).toFixed(1))]),
    ),
    restMsPerSecond: Number((rest * 1_000).toFixed(1)),
    ratio: Math.min(...Object.values(ratioBare)),
    ratioBare,
    ratioSameHead,
    wrong: contestants.reduce((sum, { runs }) => sum + runs.reduce((all, { wrong }) => all + wrong, 0), 0),
  };
}

/**
 * Loads one server for a while. Counts the answers of this server, and measures the CPU time that this server and the
 * service use in that time.
 */
async function measured(asking, server, service, task) {
  const [startedMs, before, restBefore] = [performance.now(), cpuSeconds(server.pid), cpuSeconds(service.pid)];
  const { answers, wrong } = await asking.ask({ ...task, seconds: SECONDS });
  return {
    answers,
    wrong,
    elapsed: (performance.now() - startedMs) / 1_000,
    used: cpuSeconds(server.pid) - before,
    restUsed: cpuSeconds(service.pid) - restBefore,
  };
}

/** Returns the CPU seconds of all threads of the process. */
export function cpuSeconds(pid) {
  const folder = `/proc/${pid}/task`;
  const ns = readdirSync(folder).map((thread) =>
    Number(readFileSync(`${folder}/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return ns.reduce((sum, each) => sum + each, 0) / 1e9;
}

/** Writes the body and the head of an answer to files whose names begin with `prefix`, for the raw servers. */
async function recorded({ port }, path, headers, prefix) {
  const request = get({ host: "127.0.0.1", port, path, headers });
  const [answer] = await once(request, "response");
  const body = Buffer.concat(await answer.toArray());
  const names = answer.rawHeaders.filter((_, index) => index % 2 === 0);
  const own = names.flatMap((name, index) => (OF_NODE.has(name) ? [] : [name, answer.rawHeaders[index * 2 + 1]]));
  const [file, headFile] = [`${prefix}-body`, `${prefix}-head`];
  writeFileSync(headFile, JSON.stringify(own));
  writeFileSync(file, body);
  return { file, headFile, bytes: body.length };
}

/** Headers that Node adds itself. */
const OF_NODE = new Set(["Date", "Connection", "Keep-Alive"]);

/** Returns a GET request as text. */
export function requestOf(path, headers) {
  const lines = Object.entries({ Host: "127.0.0.1", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** Starts a raw server that serves each recording on a port of its own, counted from `firstPort`. */
async function startRaw(folder, name, firstPort, recordings, answerOf) {
  const file = join(folder, `cpu-${name}.json`);
  writeFileSync(file, JSON.stringify(recordings.map((each, at) => ({ ...answerOf(each), port: firstPort + at }))));
  const child = fork(new URL("./raw-server.mjs", import.meta.url), [file], { execArgv: SERVER_FLAGS });
  await once(child, "message");
  await pin(0, child);
  return { pid: child.pid, stop: () => new Promise((resolve) => child.once("exit", resolve) && child.kill()) };
}

/** Starts the load generator on the second processor: `{ ask, stop }`. The generator runs one task at a time. */
export async function startAsking() {
  const child = fork(new URL("./keep-asking.mjs", import.meta.url));
  await once(child, "message");
  await pin(1, child);
  return {
    async ask(task) {
      child.send(task);
      const [result] = await once(child, "message");
      return result;
    },
    stop: () => child.kill(),
  };
}
