// Measures company monitoring. Counts idle polls (polls that return no changes) per second and per CPU second. Compares
// the count per CPU second with the counts of two raw node:http servers that send the same body. Compares the times of
// pages of changes from a long log and from a short log.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuRows, hasCpuTime, SERVER_FLAGS, startAsking } from "../cpu.mjs";
import { load, pin } from "../load.mjs";

const PORT = 18_793;
const CHANGES_PATH = "/api/company-monitoring/v1/list-company-event-changes";
const CHANGES = `http://127.0.0.1:${PORT}${CHANGES_PATH}`;
const CALLS = 400;
const WARM_UP_CALLS = 50;

/**
 * Measures idle polls per second and per CPU second. Then measures the median time of a page of 100 changes,
 * alternately from a short log and from a long log.
 */
export async function companyRows(seconds, rounds) {
  const dataDir = mkdtempSync(join(tmpdir(), "vigil-companies-"));
  const child = fork(new URL("./company-process.mjs", import.meta.url), [dataDir, String(PORT)], {
    execArgv: SERVER_FLAGS,
  });
  try {
    const { few, many } = await new Promise((resolve, reject) => {
      child.once("message", resolve);
      child.once("exit", (code) => reject(new Error(`the service ended with ${code}`)));
    });
    await pin(0, child);
    const idleRows = [await idle(many, seconds), ...(await idleByCpu(child, many, rounds, dataDir))];
    return [...idleRows, await page(few, many)];
  } finally {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (child.connected) child.send("close");
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function idle({ key, end }, seconds) {
  const url = `${CHANGES}?cursor=${end}`;
  const headers = { "X-Service-Key": key };
  const { impacts, pollState } = (await poll(url, key)).body;
  if (impacts.length > 0 || !pollState.endsWith("_CURRENT")) throw new Error("the poll is not idle");
  await load(url, headers, 1);
  const { perSecond, p50, p99, wrong } = await load(url, headers, seconds);
  return { name: "idle company poll", perSecond: Math.round(perSecond), p50, p99, wrong };
}

/** Measures idle polls per CPU second. Returns a list of one row, or an empty one if the machine reports no CPU time. */
async function idleByCpu({ pid }, { key, end }, rounds, folder) {
  if (!hasCpuTime) return [];
  const asking = await startAsking();
  try {
    const parts = { asking, service: { port: PORT, pid }, keys: { user: key }, rounds, folder };
    const cases = [{ name: "idle company poll by CPU", path: `${CHANGES_PATH}?cursor=${end}` }];
    const rows = [];
    for await (const row of cpuRows(parts, cases)) rows.push(row);
    return rows;
  } finally {
    asking.stop();
  }
}

async function page(...accounts) {
  const times = accounts.map(() => []);
  for (let call = -WARM_UP_CALLS; call < CALLS; call += 1) {
    for (const [at, { key, middles }] of accounts.entries()) {
      const cursor = middles[(call + WARM_UP_CALLS) % middles.length];
      const { ms, body } = await poll(`${CHANGES}?page_size=100&cursor=${cursor}`, key);
      if (body.impacts.length !== 100) throw new Error(`${body.impacts.length} changes on a page of 100`);
      if (call >= 0) times[at].push(ms);
    }
  }
  const [fewP50Ms, p50Ms] = times.map(median);
  const round = (value) => Number(value.toFixed(3));
  const name = "company poll page of 100";
  return { name, fewP50Ms: round(fewP50Ms), p50Ms: round(p50Ms), timesFew: round(p50Ms / fewP50Ms) };
}

async function poll(url, key) {
  const startedAt = performance.now();
  const answer = await fetch(url, { headers: { "X-Service-Key": key } });
  const text = await answer.text();
  const ms = performance.now() - startedAt;
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${text.slice(0, 200)}`);
  return { ms, body: JSON.parse(text) };
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
