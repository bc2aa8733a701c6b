// A service with watches of several accounts, and the process that publishes the lists that these watches read.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pin } from "../load.mjs";
import { startProcess } from "../measured-process.mjs";
import { lists } from "./lists.mjs";

const PORT = 18_796;
const BASE = `http://127.0.0.1:${PORT}`;
const ACCOUNTS = 20;
const CREATED_AT_ONCE = 8;
const READ_EVERY_MS = 20;

/** Publishes the first generation of every list, and starts the service on the same store. */
export async function openWorld(key, databaseUrl) {
  const dataDir = mkdtempSync(join(tmpdir(), "vigil-watches-"));
  const limits = ["enterprise-minute", "business-minute", "business-day", "watch-create"];
  const env = {
    VIGIL_ENTERPRISE_KEYS: key,
    VIGIL_LIMITS: limits.map((name) => `${name}=999999999`).join(),
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  const start = (role) => startProcess(new URL("./process.mjs", import.meta.url), [role, dataDir, String(PORT)], env);
  const builder = start("build");
  await builder.ready;
  const generations = {};
  let round = 0;
  const build = async (dataset) => {
    round += 1;
    generations[dataset] = await builder.ask("build", { dataset, round });
  };
  for (const { dataset } of lists) await build(dataset);
  const server = start("serve");
  await server.ready;
  await pin(0, server);
  const keys = [];
  for (let count = 0; count < ACCOUNTS; count += 1) keys.push(await accountKey(key));
  const planned = [];
  const createPlanned = async () => {
    for (let definition = planned.pop(); definition; definition = planned.pop()) {
      await call("/api/watches/v1/create-watch", keys[planned.length % keys.length], definition);
    }
  };
  return {
    /** Adds a watch to those that `create` will create. */
    plan: (definition) => planned.push(definition),
    /** Creates the planned watches, distributed over the accounts, and waits for their first evaluations. */
    async create() {
      await Promise.all(Array.from({ length: CREATED_AT_ONCE }, createPlanned));
      await server.ask("begin");
      await server.ask("settle", generations);
    },
    /** Publishes a generation, and waits until the watches that read its dataset have been evaluated. */
    async publish(dataset) {
      await build(dataset);
      const before = await server.ask("firings");
      await server.ask("begin");
      const startedAt = performance.now();
      await server.ask("swap");
      const figures = await server.ask("settle", generations);
      return { ...figures, wallMs: performance.now() - startedAt, firings: (await server.ask("firings")) - before };
    },
    read: (paths) => readInTurns(paths, key),
    async close() {
      await Promise.all([builder.close(), server.close()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates an account on a plan that allows many watches, and a key for it. */
async function accountKey(operatorKey) {
  const plan = { name: "bench", plan: "business" };
  const { account } = await call("/api/account/v1/create-account", operatorKey, plan);
  const rights = { name: "bench", accountId: account.id, scopes: ["read", "watches:read", "watches:write"] };
  return (await call("/api/account/v1/create-key", operatorKey, rights)).key;
}

/**
 * Reads addresses in turn at a fixed rate. Returns a function that stops the reads and returns percentiles of the
 * latency.
 */
function readInTurns(paths, key) {
  const times = [];
  const reads = [];
  const timer = setInterval(() => {
    const startedAt = performance.now();
    const read = call(paths[reads.length % paths.length], key);
    reads.push(read.then(() => times.push(performance.now() - startedAt)));
  }, READ_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(reads);
    times.sort((a, b) => a - b);
    const percentile = (share) => times[Math.floor(times.length * share)];
    return { p50Ms: percentile(0.5), p99Ms: percentile(0.99) };
  };
}

/** Sends a GET, or a POST if there is a body. Throws unless the call succeeds. */
async function call(path, key, body) {
  const headers = { "X-Service-Key": key, "Content-Type": "application/json" };
  const request = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await fetch(BASE + path, request);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
