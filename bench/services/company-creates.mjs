// Measures durable writes of company monitoring over HTTP on SQLite: 32 callers, each with its own accounts, create
// companies. A create is answered once its commit is on disk.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDriver } from "../../dist/database/open.js";
import { pinned } from "../load.mjs";

const PORT = 18_797;
const KEY = "bench-key-0123456789abcdefgh";
const CALLERS = 32;
const COMPANIES_MAX = 500;
const KEYS_EACH = 2;
const COMMITS = 200;
const limits = ["operator-minute", "enterprise-minute", "business-minute", "business-day", "company-create"];

function post(agent, path, key, body) {
  const text = JSON.stringify(body);
  const headers = {
    "X-Service-Key": key,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  };
  return new Promise((resolve, reject) => {
    const call = request({ agent, port: PORT, method: "POST", path, headers }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => {
        const json = JSON.parse(Buffer.concat(chunks).toString());
        if (answer.statusCode > 201) reject(new Error(`${path}: ${answer.statusCode} ${JSON.stringify(json)}`));
        else resolve(json);
      });
    });
    call.on("error", reject);
    call.end(text);
  });
}

async function until(check) {
  for (const end = performance.now() + 60_000; performance.now() < end; ) {
    if (await check().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("the service did not start");
}

/** Returns a key of a new account. */
async function newKey(agent) {
  const { account } = await post(agent, "/api/account/v1/create-account", KEY, { name: "bench", plan: "business" });
  const scopes = ["company_monitoring:write"];
  return (await post(agent, "/api/account/v1/create-key", KEY, { name: "bench", accountId: account.id, scopes })).key;
}

const company = (number) => ({
  name: `Company ${number}`,
  domicileCountry: "DOMICILE_COUNTRY_US",
  aliases: ["Example", "Specimen"],
  domains: [`c${number}.example`],
  customerReference: `crm-${number}`,
});

/**
 * Measures how many commits per second this disk allows if each commit stores one small row and waits for the previous
 * commit. If transactions did not share commits, the creates could not be faster than this.
 */
async function commitsPerSecond(dataDir) {
  const database = await openDriver(join(dataDir, "floor.db"));
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.exec("create table number (value integer)");
  const insert = database.prepare("insert into number values (?)");
  const startedAt = performance.now();
  for (let value = 0; value < COMMITS; value += 1) insert.run(value);
  const seconds = (performance.now() - startedAt) / 1_000;
  database.close();
  return Math.round(COMMITS / seconds);
}

/** Measures the creates per second, their latency, and the commits per second that the same disk allows. */
export async function companyCreateRow(seconds) {
  const dataDir = mkdtempSync(join(tmpdir(), "vigil-company-creates-"));
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const env = {
    ...process.env,
    VIGIL_PORT: String(PORT),
    VIGIL_DATA_DIR: dataDir,
    VIGIL_ENTERPRISE_KEYS: KEY,
    VIGIL_LIMITS: limits.map((name) => `${name}=999999999`).join(),
    // Nothing listens at this address, so datasets stay absent and their builds cost little.
    VIGIL_UPSTREAM_BASE: "http://127.0.0.1:9",
    VIGIL_LOG_LEVEL: "silent",
  };
  const [command, ...rest] = pinned(0, [process.execPath, "dist/bin/vigil.js", "serve"]);
  const child = spawn(command, rest, { env, stdio: ["ignore", "ignore", "inherit"] });
  try {
    await until(async () => (await fetch(`http://127.0.0.1:${PORT}/readyz`)).ok);
    const keys = [];
    for (let keyCount = 0; keyCount < KEYS_EACH * CALLERS; keyCount += 1) keys.push(await newKey(agent));
    const commits = await commitsPerSecond(dataDir);
    const { times, elapsed } = await creates(agent, keys, seconds);
    times.sort((a, b) => a - b);
    const at = (ratio) => Number(times[Math.floor(times.length * ratio)].toFixed(2));
    return {
      name: `company create, ${CALLERS} callers`,
      perSecond: Math.round(times.length / elapsed),
      commitsPerSecond: commits,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
    };
  } finally {
    agent.destroy();
    child.kill("SIGTERM");
    await new Promise((resolve) => child.once("exit", resolve));
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Creates companies for the given number of seconds. Every caller fills one account after another. */
async function creates(agent, keys, seconds) {
  const times = [];
  let number = 0;
  const startedAt = performance.now();
  const end = startedAt + seconds * 1_000;
  async function call(caller) {
    for (let own = 0; performance.now() < end && own < KEYS_EACH * COMPANIES_MAX; own += 1) {
      number += 1;
      const key = keys[caller + CALLERS * Math.floor(own / COMPANIES_MAX)];
      const body = { clientRequestId: `request-${own}`, company: company(number) };
      const from = performance.now();
      await post(agent, "/api/company-monitoring/v1/create-monitored-company", key, body);
      times.push(performance.now() - from);
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
  return { times, elapsed: (performance.now() - startedAt) / 1_000 };
}
