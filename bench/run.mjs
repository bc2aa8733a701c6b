// Measures the built service and, in the same run, raw node:http servers that send the same body. Quote the ratios,
// not the absolute numbers.
// npm run bench [-- --seconds 4 --rounds 3 --only "304,swap" --json file --against an-earlier-file]
// `--events 2000000` sets the size of the large list of events, which is 200,000 by default.
// Watches are measured on SQLite, or on the empty PostgreSQL database of `--database postgres://…`.
import { fork, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { firstLoadRow } from "./console/first-load.mjs";
import { mapFrameRow } from "./console/map-frame.mjs";
import { cpuRows, hasCpuTime, SERVER_FLAGS, startAsking } from "./cpu.mjs";
import { deltaRow } from "./deltas.mjs";
import { digestRow } from "./digest.mjs";
import { diskRow } from "./disk.mjs";
import { eventRows } from "./events.mjs";
import { formatRows } from "./formats.mjs";
import { halfLoadRow } from "./half-load.mjs";
import { load, pin, pinned, tool } from "./load.mjs";
import { hasNginx, startNginx } from "./nginx.mjs";
import { pastRows } from "./past.mjs";
import { startPlainUpstream } from "./plain-upstream.mjs";
import { companyRows } from "./services/companies.mjs";
import { companyCreateRow } from "./services/company-creates.mjs";
import { companyMatchingRow } from "./services/company-matching.mjs";
import { companyScanRow } from "./services/company-scan.mjs";
import { companyStreamRows } from "./services/company-streams.mjs";
import { swapUnderLoad } from "./swap.mjs";
import { watchRows } from "./watches/watches.mjs";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    rounds: { type: "string", default: "3" },
    only: { type: "string" },
    json: { type: "string" },
    against: { type: "string" },
    database: { type: "string" },
    events: { type: "string", default: "200000" },
  },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
/** True if a row is to be measured. With `--only`, only rows whose name contains one of the strings are measured. */
const isWanted = (name) =>
  values.only === undefined || values.only.split(",").some((text) => name.includes(text.trim()));
const dataDir = mkdtempSync(join(tmpdir(), "vigil-bench-"));
const KEY = "bench-key-0123456789abcdefgh";
/** Limits are checked and reported as usual, but never hit. */
const VIGIL_LIMITS = ["enterprise-minute", "operator-minute", "business-minute", "business-day", "batch-execute"]
  .map((name) => `${name}=999999999`)
  .join();
const WARM_UP_SECONDS = 5;
/**
 * Longest wait for the first build of all datasets. On a busy machine, some feeds are not read in time (seen 2026-11).
 * They are tried again only five minutes later, so the wait is longer than five minutes.
 */
const FILL_MS_MAX = 480_000;
/** Rounds of CPU measurements for each round of `--rounds`; there are several because they are short. */
const CPU_ROUNDS = 3;
/** Longest time for which the evaluation of watches may block the event loop. */
const WATCHES_HOLD_MS_MAX = 50;
const PORT = 18_787;
const RAW_PORT = 18_788;
const NGINX_PORT = 18_789;
const base = `http://127.0.0.1:${PORT}`;
const CPI = "/api/economic/v1/get-us-cpi-monthly";
const YIELDS = "/api/economic/v1/get-us-treasury-par-yield-curve";
const BATCH = "/api/batch/v1/execute";
const DISPLACEMENT = "/api/displacement/v1/get-displacement-summary";
const DIGEST = "/api/news/v1/list-feed-digest";
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * Runs `work` alongside a process, which is stopped afterwards, even after a failure. Throws if the process ends early.
 */
async function beside(child, work) {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const early = ended.then((code) => {
    throw new Error(`${child.spawnargs.at(-1)} ended with ${code}`);
  });
  try {
    return await Promise.race([work(child), early]);
  } finally {
    early.catch(() => {});
    child.kill("SIGTERM");
    await ended;
  }
}

/** Starts the service: on the first processor if `isPinned`, else on all processors. `flags` are flags for Node.js. */
function spawnService(upstream, { isPinned = true, flags = [] } = {}) {
  const env = {
    ...process.env,
    VIGIL_PORT: String(PORT),
    VIGIL_DATA_DIR: dataDir,
    VIGIL_ENTERPRISE_KEYS: KEY,
    VIGIL_LIMITS,
    VIGIL_PROJECTION_FUEL_PER_MINUTE: "2000000000",
  };
  const serve = [process.execPath, ...flags, "dist/bin/vigil.js", "serve"];
  const [command, ...rest] = isPinned ? pinned(0, serve) : serve;
  return spawn(command, rest, {
    env: { ...env, ...upstream.credentials, VIGIL_UPSTREAM_BASE: upstream.baseUrl, VIGIL_LOG_LEVEL: "warn" },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

async function until(check, limitMs = 60_000) {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    const result = await check().catch(() => undefined);
    if (result) return result;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("waited too long");
}

const ask = (path, headers = {}) => fetch(base + path, { headers: { "X-Service-Key": KEY, ...headers } });
const ownerKey = () => readFileSync(join(dataDir, "owner.key"), "utf8").trim();
const isReady = async () => (await fetch(`${base}/readyz`)).ok;

const isFilled = async () => {
  const { states } = await (await fetch(`${base}/api/health?compact=1`)).json();
  return Object.keys(states).join() === "ok";
};

/** Measures the time from the start of the service, with stored data, until it reports that it is ready. */
function coldStartMs(upstream) {
  const startedAt = performance.now();
  return beside(spawnService(upstream), async () => {
    await until(isReady);
    return performance.now() - startedAt;
  });
}

function rssMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
}

/** Runs `work` alongside a server that answers with the file and does nothing else. */
function besideRaw(file, status, headFile, work) {
  const answersFile = join(dataDir, "raw-answers");
  writeFileSync(answersFile, JSON.stringify([{ port: RAW_PORT, file, status, headFile }]));
  const child = fork(new URL("./raw-server.mjs", import.meta.url), [answersFile]);
  return beside(child, async () => {
    await new Promise((resolve) => child.once("message", resolve));
    await pin(0, child);
    return work();
  });
}

function rawLoad(headers, file, status, headFile) {
  return besideRaw(file, status, headFile, () => load(`http://127.0.0.1:${RAW_PORT}/`, headers, seconds));
}

/**
 * Measures nginx with the body and head of the service's answer. For a 304, the requests have nginx's own ETag. Returns
 * undefined if nginx is not installed.
 */
async function besideNginx(head, headers, status) {
  if (!hasNginx) return undefined;
  const nginx = await startNginx(dataDir, NGINX_PORT, "body", head);
  try {
    const address = `http://127.0.0.1:${NGINX_PORT}/`;
    const etag = (await fetch(address)).headers.get("etag");
    return await load(address, status === "304" ? { "If-None-Match": etag } : headers, seconds);
  } finally {
    await nginx.stop();
  }
}

async function compare(name, path, headers, status = "200") {
  if (!isWanted(name)) return;
  const answer = await ask(path, headers);
  const [file, headFile] = ["body", "head"].map((part) => join(dataDir, part));
  const own = [...answer.headers].filter(([header]) => !["connection", "keep-alive", "date"].includes(header));
  writeFileSync(headFile, JSON.stringify(own.flat()));
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  const bytes = readFileSync(file).length;
  const rows = [];
  for (let round = 0; round < rounds; round += 1) {
    const ours = await load(base + path, { "X-Service-Key": KEY, ...headers }, seconds);
    const theirs = await rawLoad(headers, file, status);
    // Measures the same raw server with the head of the service's answer. The remaining difference is the service's
    // overhead.
    const withHead = await rawLoad(headers, file, status, headFile);
    const nginx = await besideNginx(own, headers, status);
    const [ratio, sameHead] = [ours.perSecond / theirs.perSecond, ours.perSecond / withHead.perSecond];
    rows.push({ ours, theirs, ratio, sameHead, nginx: nginx && ours.perSecond / nginx.perSecond });
  }
  const row = {
    name,
    bytes,
    perSecond: Math.round(median(rows.map(({ ours }) => ours.perSecond))),
    rawPerSecond: Math.round(median(rows.map(({ theirs }) => theirs.perSecond))),
    ratio: Number(median(rows.map(({ ratio }) => ratio)).toFixed(3)),
    ratioSameHead: Number(median(rows.map(({ sameHead }) => sameHead)).toFixed(3)),
    ratioNginx: rows[0].nginx === undefined ? null : Number(median(rows.map(({ nginx }) => nginx)).toFixed(3)),
    p50: rows[0].ours.p50,
    p99: rows[0].ours.p99,
    wrong: rows.reduce((sum, { ours }) => sum + ours.wrong, 0),
  };
  process.stdout.write(
    `${name.padEnd(34)} ${String(bytes).padStart(9)} B  ${row.perSecond}/s of ${row.rawPerSecond}/s raw  ratio ${row.ratio}, with the same head ${row.ratioSameHead}${row.ratioNginx === null ? "" : `, of nginx ${row.ratioNginx}`}  p50 ${row.p50}  p99 ${row.p99}${row.wrong ? `  WRONG ${row.wrong}` : ""}\n`,
  );
  report.rows.push(row);
}

const projectionOf = (rows) => {
  const expression = `curves[?tenYear > \`4\`] | [-${rows}:].{date: date, tenYear: tenYear}`;
  return `${YIELDS}?history=true&jmespath=${encodeURIComponent(expression)}`;
};

/** Measures the CPU time of answers, with every kind of key. */
async function byCpu(child) {
  const etag = (await ask(CPI)).headers.get("etag");
  const cases = [
    { name: "small by CPU", path: CPI },
    { name: "304 by CPU", path: CPI, headers: { "If-None-Match": etag }, status: "304" },
    { name: "projection of 11 KB by CPU", path: projectionOf(300) },
    { name: "projection of 46 KB by CPU", path: projectionOf(1_250) },
    { name: "digest by CPU", path: DIGEST },
    { name: "full yield history by CPU", path: `${YIELDS}?history=true` },
  ].filter(({ name }) => isWanted(name));
  if (!hasCpuTime || cases.length === 0) return;
  const service = { port: PORT, pid: child.pid };
  const keys = { operator: KEY, owner: ownerKey(), user: await userKey() };
  const asking = await startAsking();
  try {
    const parts = { asking, service, keys, rounds: rounds * CPU_ROUNDS, folder: dataDir };
    for await (const row of cpuRows(parts, cases)) {
      report.rows.push(row);
      process.stdout.write(cpuLine(row));
    }
  } finally {
    asking.stop();
  }
}

function cpuLine({ name, bytes, microseconds, ratioBare, ratioSameHead, wrong }) {
  const listed = (values) =>
    Object.entries(values)
      .map(([key, value]) => `${key} ${value}`)
      .join(", ");
  return `${name.padEnd(34)} ${String(bytes).padStart(9)} B  of bare: ${listed(ratioBare)}; with the same head: ${listed(ratioSameHead)}; us of CPU: ${listed(microseconds)}${wrong ? `  WRONG ${wrong}` : ""}\n`;
}

/** Creates a key of an account with a plan, like a customer's. */
async function userKey() {
  const headers = { "X-Service-Key": KEY, "Content-Type": "application/json" };
  const post = async (path, body) =>
    (await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  const { account } = await post("/api/account/v1/create-account", { name: "bench", plan: "business" });
  return (await post("/api/account/v1/create-key", { name: "bench", accountId: account.id })).key;
}

/** Measures the latency of sequential calls that no cache can answer. */
async function uncached(name, pathOf, count = 60) {
  if (!isWanted(name)) return;
  const times = [];
  for (let call = 0; call < count; call += 1) {
    const startedAt = performance.now();
    const answer = await ask(pathOf(call));
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status}`);
    times.push(performance.now() - startedAt);
  }
  const row = { name, p50Ms: Number(median(times).toFixed(2)), maxMs: Number(Math.max(...times).toFixed(2)) };
  process.stdout.write(`${name.padEnd(34)} p50 ${row.p50Ms} ms, worst ${row.maxMs} ms of ${count}\n`);
  report.rows.push(row);
}

/**
 * Compares the latency of a batch of 20 cached small reads with that of a single read, and measures the items per
 * second at full load.
 */
async function batches() {
  const name = "batch of 20 cached reads";
  if (!isWanted(name)) return;
  const operations = Array.from({ length: 20 }, () => ({ path: CPI }));
  const post = {
    method: "POST",
    headers: { "X-Service-Key": KEY, "Content-Type": "application/json" },
    body: JSON.stringify({ operations }),
  };
  const latency = async (path, init, count = 400) => {
    const times = [];
    for (let call = 0; call < count; call += 1) {
      const startedAt = performance.now();
      const answer = await fetch(base + path, init);
      await answer.text();
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      times.push(performance.now() - startedAt);
    }
    return median(times);
  };
  const rounds = [];
  for (let round = 0; round < 3; round += 1) {
    const oneMs = await latency(CPI, { headers: { "X-Service-Key": KEY } });
    rounds.push({ oneMs, batchMs: await latency(BATCH, post) });
  }
  const { perSecond, wrong } = await load(base + BATCH, post.headers, seconds, post);
  const row = {
    name,
    oneMs: Number(median(rounds.map(({ oneMs }) => oneMs)).toFixed(3)),
    batchMs: Number(median(rounds.map(({ batchMs }) => batchMs)).toFixed(3)),
    timesOne: Number(median(rounds.map(({ oneMs, batchMs }) => batchMs / oneMs)).toFixed(2)),
    itemsPerSecond: Math.round(perSecond * operations.length),
    wrong,
  };
  process.stdout.write(
    `${row.name.padEnd(34)} ${row.batchMs} ms, ${row.timesOne} times one read of ${row.oneMs} ms, ${row.itemsPerSecond} items/s${wrong ? `  WRONG ${wrong}` : ""}\n`,
  );
  report.rows.push(row);
}

/** Measures the latency of a small answer at half the highest rate. */
async function halfLoad() {
  const name = "latest CPI at half load";
  if (!isWanted(name)) return;
  const headers = { "X-Service-Key": KEY };
  const { perSecond: perSecondMax } = await load(base + CPI, headers, seconds);
  const file = join(dataDir, "body");
  writeFileSync(file, Buffer.from(await (await ask(CPI)).arrayBuffer()));
  const question = {
    name,
    ports: { service: PORT, bare: RAW_PORT },
    path: CPI,
    headers,
    perSecondMax,
    seconds,
    rounds,
  };
  const row = await besideRaw(file, "200", undefined, () => halfLoadRow(question));
  report.rows.push(row);
  const textOf = ({ p50Ms, p99Ms, worstMs }) => `p50 ${p50Ms} ms  p99 ${p99Ms} ms  worst ${worstMs} ms`;
  process.stdout.write(
    `${name.padEnd(34)} ${row.perSecond}/s  ${textOf(row)}; bare: ${textOf(row.bare)}${row.wrong ? `  WRONG ${row.wrong}` : ""}\n`,
  );
}

/** Compares signed reads of a cached answer with unsigned ones. The service makes a new signature each second. */
async function signedReads() {
  for (const [what, path] of [
    ["latest CPI", `${CPI}?`],
    ["full yield history", `${YIELDS}?history=true&`],
  ]) {
    const name = `${what}, signed`;
    if (!isWanted(name)) continue;
    const results = [];
    for (let round = 0; round < rounds; round += 1) {
      const unsigned = await load(base + path.slice(0, -1), { "X-Service-Key": KEY }, seconds);
      const signed = await load(`${base}${path}signature=1`, { "X-Service-Key": KEY }, seconds);
      results.push({ unsigned, signed, ratio: signed.perSecond / unsigned.perSecond });
    }
    const row = {
      name,
      perSecond: Math.round(median(results.map(({ signed }) => signed.perSecond))),
      unsignedPerSecond: Math.round(median(results.map(({ unsigned }) => unsigned.perSecond))),
      ratio: Number(median(results.map(({ ratio }) => ratio)).toFixed(3)),
      wrong: results.reduce((sum, { signed, unsigned }) => sum + signed.wrong + unsigned.wrong, 0),
    };
    process.stdout.write(
      `${name.padEnd(34)} ${row.perSecond}/s of ${row.unsignedPerSecond}/s unsigned, ratio ${row.ratio}${row.wrong ? `  WRONG ${row.wrong}` : ""}\n`,
    );
    report.rows.push(row);
  }
}

/** Compares a page from a long list of conflict events with one from a short list; measures the memory per event. */
async function events() {
  if (!isWanted("events")) return;
  const count = Number(values.events);
  for (const row of await eventRows(KEY, count)) {
    report.rows.push(row);
    process.stdout.write(
      row.timesFew === undefined
        ? `${row.name.padEnd(34)} ${row.bytesPerEvent} B, ${row.bytesPerReadEvent} B once all have been read\n`
        : `${row.name.padEnd(34)} p50 ${row.p50Ms} ms of ${count} events, ${row.timesFew} times that of 2,000\n`,
    );
  }
}

/** Measures reads with `as_of`. */
async function past() {
  if (!isWanted("past")) return;
  const [warm, cold] = await pastRows(KEY, seconds, rounds);
  report.rows.push(warm, cold);
  process.stdout.write(
    `${warm.name.padEnd(34)} ${warm.perSecond}/s, ${warm.timesNewest} times a read of the newest${warm.wrong ? `  WRONG ${warm.wrong}` : ""}\n`,
  );
  process.stdout.write(`${cold.name.padEnd(34)} p50 ${cold.p50Ms} ms, worst ${cold.maxMs} ms of ${cold.rows} rows\n`);
}

/** Measures the disk space of generations of a large dataset. */
async function disk() {
  const name = "disk of a generation";
  if (!isWanted(name)) return;
  const row = await diskRow(name);
  report.rows.push(row);
  process.stdout.write(
    `${name.padEnd(34)} ${row.wholeBytes} B whole, ${row.unchangedBytes} B unchanged, ${row.changedBytes} B with 1 % changed (${row.changedShare} of a whole body, including its share of the next whole body), ${row.whollyChangedBytes} B wholly changed; publishing ${row.wholeMs} ms whole, ${row.changedMs} ms changed\n`,
  );
}

/** Measures reads of the changes of a long list with `since_generation`. */
async function deltas() {
  const name = "changes of 1 % of a list";
  if (!isWanted(name)) return;
  const row = await deltaRow(KEY, rounds + 2);
  report.rows.push({ name, ...row });
  process.stdout.write(
    `${name.padEnd(34)} ${row.firstMsMedian} ms (worst ${row.firstMs}), another page size ${row.pageMsMedian} ms, of ${row.rows} rows; event loop blocked for at most ${row.ownHeldMs} ms (${row.heldMs} ms including other processes)\n`,
  );
}

/** Measures a long list in every format, with answers that no cache has. */
async function formats() {
  if (!isWanted("formats")) return;
  for (const row of await formatRows(KEY)) {
    report.rows.push(row);
    process.stdout.write(
      `${row.name.padEnd(34)} ${row.bytes} B  p50 ${row.p50Ms} ms, first byte ${row.firstByteMs} ms; event loop blocked for at most ${row.ownHeldMs} ms (${row.heldMs} ms including other processes)\n`,
    );
  }
}

/** Compares the durable creates per second of company monitoring on SQLite with the commits that the disk allows. */
async function companyCreates() {
  if (!isWanted("company")) return;
  const row = await companyCreateRow(seconds);
  report.rows.push(row);
  process.stdout.write(
    `${row.name.padEnd(34)} ${row.perSecond}/s of ${row.commitsPerSecond} commits/s  p50 ${row.p50Ms} ms  p99 ${row.p99Ms} ms\n`,
  );
}

/** Measures the CPU time to find the companies of a large portfolio in headlines. */
function companyMatching() {
  const name = "company matching";
  if (!isWanted(name)) return;
  const row = companyMatchingRow(name, rounds);
  report.rows.push(row);
  process.stdout.write(
    `${name.padEnd(34)} ${row.cpuMs} ms CPU for ${row.headlines} headlines against ${row.companies} companies, of which ${row.indexMs} ms for the index\n`,
  );
}

/** Measures the CPU time of a round of scans. */
async function companyScan() {
  const name = "company scan";
  if (!isWanted(name)) return;
  const row = await companyScanRow(name, rounds);
  report.rows.push(row);
  process.stdout.write(
    `${name.padEnd(34)} ${row.cpuSeconds} s CPU for a round of ${row.companies} companies with ${row.providers} providers, ${row.firstCpuSeconds} s for the first round
`,
  );
}

/** Measures polls of company monitoring: polls without changes, and polls in a long log. */
async function companies() {
  if (!isWanted("company")) return;
  for (const row of await companyRows(seconds, rounds * CPU_ROUNDS)) {
    report.rows.push(row);
    process.stdout.write(companyLine(row));
  }
}

/** Measures the memory, idle CPU time and fan-out of open streams. */
async function streams() {
  if (!isWanted("streams")) return;
  for (const row of await companyStreamRows(Math.max(10, seconds))) {
    report.rows.push(row);
    process.stdout.write(
      `${row.name.padEnd(34)} ${row.streams} open, ${row.kbEach} KB each, ${row.idleCpuPercent} % CPU idle; ${row.changesPerSecond} changes/s to ${row.eventsPerSecond} events/s at ${row.fanOutCpuPercent} % CPU, p50 ${row.delayMs.p50} ms, p99 ${row.delayMs.p99} ms${row.missing === 0 ? "" : `  MISSING ${row.missing}`}\n`,
    );
  }
}

function companyLine(row) {
  if (row.microseconds) return cpuLine(row);
  if (row.timesFew === undefined) {
    return `${row.name.padEnd(34)} ${row.perSecond}/s  p50 ${row.p50}  p99 ${row.p99}${row.wrong ? `  WRONG ${row.wrong}` : ""}\n`;
  }
  return `${row.name.padEnd(34)} p50 ${row.p50Ms} ms of 1,000,000 changes, ${row.timesFew} times that of 1,000\n`;
}

/** Measures the CPU time of a build of the news digest on one core. */
async function digestBuild() {
  const name = "digest build";
  if (!isWanted(name)) return;
  const row = await digestRow(name, rounds);
  report.rows.push(row);
  process.stdout.write(
    `${name.padEnd(34)} ${row.firstMs} ms CPU for ${row.feeds} feeds with ${row.mentions} items in ${row.stories} stories (worst ${row.firstMsWorst}), ${row.warmMs} ms when warm, of which reading ${row.readMs}; with 4 times the feeds ${row.manyFirstMs} ms (${row.timesFirst} times) and ${row.manyWarmMs} ms when warm (${row.timesWarm} times)\n`,
  );
}

/** Measures how long the event loop is blocked while a new generation is adopted under load. */
async function swapping() {
  for (const what of ["rows", "events"]) {
    const name = `swap of ${what} under load`;
    if (!isWanted(name)) continue;
    const swap = await swapUnderLoad(KEY, what, rounds + 2);
    report.rows.push({ name, ...swap });
    process.stdout.write(
      `swap of ${swap.rows} ${what} under load: event loop blocked for at most ${swap.heldMs} ms, median ${swap.heldMsMedian} ms (${swap.ownHeldMs} and ${swap.ownHeldMsMedian} ms excluding other processes; at most ${swap.quietHeldMs} ms without a swap), ${swap.failed} requests failed\n`,
    );
  }
}

/** Measures the CPU time to evaluate watches after a new generation, and how long they block the event loop. */
async function watches() {
  if (!isWanted("watches")) return;
  const databaseUrl = values.database;
  await watchRows({ key: KEY, rounds, databaseUrl }, (row) => {
    const name = `watches, ${row.readers} of ${row.watches}`;
    report.rows.push({ name, ...row });
    const held = `event loop blocked for at most ${row.ownHeldMs} ms (${row.heldMs} ms including other processes)`;
    process.stdout.write(
      `${name.padEnd(34)} ${row.cpuMs} ms CPU in ${row.wallMs} ms, ${row.firings} firings; alongside reads: ${held}, reads p50 ${row.p50Ms} ms, p99 ${row.p99Ms} ms${row.ownHeldMs > WATCHES_HOLD_MS_MAX ? "  BLOCKED TOO LONG" : ""}\n`,
    );
  });
}

/** Measures the time until the console can be used on a slow machine. */
async function consoleFirstLoad() {
  const name = "console, first load";
  if (!isWanted(name)) return;
  // Uses the owner's key, because a key from the environment cannot open a session.
  const row = await firstLoadRow({ base, key: ownerKey(), rounds: rounds + 2 });
  report.rows.push({ name, ...row });
  const text =
    row.skipped ??
    `usable after ${row.readyMs} ms at a quarter of the speed (at most ${row.readyMsWorst} ms), ${row.ratio} times that of a page without scripts (${row.plainMs} ms); ${row.filesKb} KB of files and ${row.answersKb} KB of answers${row.isOver ? "  OVER THE LIMIT" : ""}`;
  process.stdout.write(`${name.padEnd(34)} ${text}\n`);
}

/** Measures the time that the console takes to draw a frame of its map. */
async function consoleMap() {
  const name = "console map, 20,000 points";
  if (!isWanted(name)) return;
  const row = await mapFrameRow();
  report.rows.push({ name, ...row });
  const text = row.skipped ?? `${row.mapMs} ms a frame, ${row.ratio} times that of plain circles (${row.plainMs} ms)`;
  process.stdout.write(`${name.padEnd(34)} ${text}\n`);
}

/**
 * Prints the ratio of each row, or its median latency if it has no ratio, next to that of an earlier run. Latencies
 * depend on the machine, ratios hardly do.
 */
function tellChanges(report, earlier) {
  for (const row of report.rows) {
    const before = earlier.rows.find(({ name }) => name === row.name);
    const [was, is] = [before?.ratio ?? before?.p50Ms, row.ratio ?? row.p50Ms];
    if (was === undefined || is === undefined) continue;
    const change = (100 * (is - was)) / was;
    process.stdout.write(`${row.name.padEnd(34)} ${was} -> ${is} (${change < 0 ? "" : "+"}${change.toFixed(1)} %)\n`);
  }
}

/** Runs all measurements that use one running service with stored data. */
async function measureService(child) {
  await until(isReady);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  report.rssIdleMb = Math.round(rssMb(child.pid));
  process.stdout.write(`cold start ${report.coldStartMs} ms, idle ${report.rssIdleMb} MB, ${tool}, 16 connections\n`);

  // A warm-up, because the benchmark measures a service that has already run for some time.
  await load(base + CPI, { "X-Service-Key": KEY }, WARM_UP_SECONDS);
  await compare("latest CPI", CPI, {});
  await compare("full yield history", `${YIELDS}?history=true`, {});
  await compare("displacement", DISPLACEMENT, {});
  await compare("digest read", DIGEST, {});
  await compare("repeated projection of 9,000 days", projectionOf(500), {});
  const etag = (await ask(CPI)).headers.get("etag");
  await compare("304", CPI, { "If-None-Match": etag }, "304");
  await byCpu(child);
  const filterOf = (call) => `curves[?tenYear > \`${1 + call / 100}\`] | [-500:].{date: date, tenYear: tenYear}`;
  await uncached(
    "first projection of 9,000 days",
    (call) => `${YIELDS}?history=true&jmespath=${encodeURIComponent(filterOf(call))}`,
  );
  await uncached("cache miss, small answer", (call) => `${DISPLACEMENT}?country_limit=5&flow_limit=${call + 1}`);
  await batches();
  await halfLoad();
  await signedReads();
  await consoleFirstLoad();
  report.rssLoadedMb = Math.round(rssMb(child.pid));
  process.stdout.write(`after load ${report.rssLoadedMb} MB\n`);
}

const upstream = await startPlainUpstream();
const report = { tool, node: process.version, rounds, seconds, rows: [] };
try {
  await beside(spawnService(upstream, { isPinned: false }), () => until(isFilled, FILL_MS_MAX));
  const starts = [];
  for (let round = 0; round < rounds; round += 1) starts.push(await coldStartMs(upstream));
  report.coldStartMs = Math.round(median(starts));
  await beside(spawnService(upstream, { flags: SERVER_FLAGS }), measureService);
  await consoleMap();
  await digestBuild();
  companyMatching();
  await companyScan();
  await events();
  await past();
  await disk();
  await deltas();
  await watches();
  await formats();
  await companyCreates();
  await companies();
  await streams();
  await swapping();
} finally {
  await upstream.close();
  rmSync(dataDir, { recursive: true, force: true });
}
if (values.against) tellChanges(report, JSON.parse(readFileSync(values.against, "utf8")));
if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
