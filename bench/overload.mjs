// Measures the service at five times its capacity: successful answers, refusals, latency, recovery, and the effect of
// one greedy caller on others. node bench/overload.mjs [--seconds 8] (after npm run build)
import { fork } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { EVENTS_BEGIN } from "./generations.mjs";
import { pin } from "./load.mjs";
import { openPair } from "./store-pair.mjs";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "8" }, only: { type: "string" } } });
const seconds = Number(values.seconds);
const PORT = 18_794;
const CALLERS = 40;
const KEYS = Array.from({ length: CALLERS + 1 }, (_, at) => `bench-key-${at}-0123456789abcdefgh`);
const EVENTS = "/api/conflict/v1/list-beta-events";
const CACHED = `${EVENTS}?country=SD&start=${EVENTS_BEGIN + 8_640_000_000}&end=${EVENTS_BEGIN + 9_640_000_000}&page_size=20`;
/** A time window that differs in each request, so that the answer is filtered and serialised anew. */
const DISTINCT = `${EVENTS}?country=SD&start={n}&page_size=100`;

const requestOf = (path, key) => `GET ${path} HTTP/1.1\r\nHost: bench\r\nX-Service-Key: ${key}\r\n\r\n`;
const kindOf = (name, path, keys, weight) => ({ name, weight, requests: keys.map((key) => requestOf(path, key)) });
const others = KEYS.slice(1);

/** The reads of each load. Of five reads in `mixed`, four are answered from a cache and one is computed. */
const mixes = {
  mixed: [kindOf("cached", CACHED, others, 4), kindOf("computed", DISTINCT, others, 1)],
  computed: [kindOf("computed", DISTINCT, others, 1)],
  cached: [kindOf("cached", CACHED, others, 1)],
};

async function loadResult(task) {
  const child = fork(new URL("./open-load.mjs", import.meta.url));
  await once(child, "message");
  await pin(1, child);
  child.send({ port: PORT, addresses: 20, ...task });
  const [result] = await once(child, "message");
  child.kill();
  return result;
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const goodOf = ({ kinds, seconds: measured }) => sum(kinds.map(({ accepted }) => accepted)) / measured;
const p99Of = ({ kinds }) => kinds.map(({ name, p99 }) => `${p99} ms ${name}`).join(" and ");
const shedOf = ({ kinds }) => sum(kinds.map(({ statuses }) => statuses["503"] ?? 0));

/**
 * Returns the answers per second of the faster of two runs at a very high rate, one with 16 connections, one with 64.
 */
async function capacityOf(kinds) {
  let best = 0;
  for (const connectionsMax of [16, 64]) {
    const result = await loadResult({ kinds, perSecond: 60_000, seconds: seconds / 2, connectionsMax });
    best = Math.max(best, goodOf(result));
  }
  return best;
}

/**
 * Returns the time, in ms, until 20 computed reads in a row have each taken less than 50 ms; Infinity if this takes
 * more than 30 s.
 */
async function recovery() {
  const startedAt = performance.now();
  for (let inRow = 0; inRow < 20; ) {
    const askedAt = performance.now();
    const path = DISTINCT.replace("{n}", String(Math.floor(askedAt * 1_000)));
    const answer = await fetch(`http://127.0.0.1:${PORT}${path}`, { headers: { "X-Service-Key": KEYS[1] } });
    await answer.arrayBuffer();
    inRow = answer.status === 200 && performance.now() - askedAt < 50 ? inRow + 1 : 0;
    if (performance.now() - startedAt > 30_000) return Number.POSITIVE_INFINITY;
  }
  return performance.now() - startedAt;
}

const say = (line) => process.stdout.write(`${line}\n`);
const rounded = (number) => Math.round(number).toLocaleString("en");

async function overload(name, kinds) {
  const peak = await capacityOf(kinds);
  for (const connectionsMax of [1_000, 4_000]) {
    const result = await loadResult({ kinds, perSecond: peak * 5, seconds, connectionsMax });
    const recoveredMs = await recovery();
    const good = goodOf(result);
    say(
      `${name}, ${rounded(connectionsMax)} connections: peak ${rounded(peak)}/s; at five times that ${rounded(good)}/s good (${Math.round((good / peak) * 100)} %), p99 ${p99Of(result)}, ${rounded(shedOf(result) / seconds)}/s refused, ${rounded(sum(result.kinds.map(({ unsent }) => unsent)) / seconds)}/s unsent, lost ${sum(result.kinds.map(({ lost }) => lost))}, recovered in ${Math.round(recoveredMs)} ms`,
    );
  }
  return peak;
}

/**
 * Measures fairness: one caller sends five times the capacity, and the others together send a twentieth of the
 * capacity.
 */
async function fairness(peak) {
  const greedy = {
    kinds: [kindOf("greedy", DISTINCT, KEYS.slice(0, 1), 1)],
    perSecond: peak * 5,
    connectionsMax: 1_000,
  };
  const modest = { kinds: [kindOf("modest", DISTINCT, others, 1)], perSecond: peak / 20, connectionsMax: 100 };
  const [flood, rest] = await Promise.all([
    loadResult({ ...greedy, seconds }),
    loadResult({ ...modest, seconds: seconds - 1 }),
  ]);
  const [kind] = rest.kinds;
  say(
    `fairness: the greedy caller got ${rounded(goodOf(flood))}/s and ${rounded(shedOf(flood) / seconds)}/s refusals; of ${rounded(kind.sent + kind.unsent)} calls of ${CALLERS} others ${((kind.accepted / (kind.sent + kind.unsent)) * 100).toFixed(1)} % were answered and ${rounded(shedOf(rest))} refused, p99 ${kind.p99} ms`,
  );
}

const pair = await openPair({ key: KEYS.join(), what: "events", count: 20_000, port: PORT });
try {
  await pin(0, { pid: pair.server.pid });
  let computed = 0;
  for (const [name, kinds] of Object.entries(mixes)) {
    if (values.only !== undefined && values.only !== name) continue;
    const peak = await overload(name, kinds);
    if (name === "computed") computed = peak;
  }
  if (computed > 0) await fairness(computed);
} finally {
  await pair.close();
}
