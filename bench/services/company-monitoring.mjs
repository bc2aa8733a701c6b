// Measures durable writes of company monitoring over HTTP on SQLite: creates with 16 callers, each answered after its
// commit has reached the disk.
// node bench/services/company-monitoring.mjs [-- --seconds 8 --json file]
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pinned } from "../load.mjs";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "8" }, json: { type: "string" } },
});
const PORT = 18_797;
const KEY = "bench-key-0123456789abcdefgh";
const CALLERS = 16;
const COMPANIES_MAX = 500;
const limits = ["operator-minute", "enterprise-minute", "business-minute", "business-day", "company-create"];
const dataDir = mkdtempSync(join(tmpdir(), "vigil-bench-companies-"));
const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });

function post(path, key, body) {
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

/** A key of a new account. */
async function newKey() {
  const { account } = await post("/api/account/v1/create-account", KEY, { name: "bench", plan: "business" });
  const scopes = ["company_monitoring:write"];
  return (await post("/api/account/v1/create-key", KEY, { name: "bench", accountId: account.id, scopes })).key;
}

const company = (number) => ({
  name: `Company ${number}`,
  domicileCountry: "DOMICILE_COUNTRY_US",
  aliases: ["Example", "Specimen"],
  domains: [`c${number}.example`],
  customerReference: `crm-${number}`,
});

const env = {
  ...process.env,
  VIGIL_PORT: String(PORT),
  VIGIL_DATA_DIR: dataDir,
  VIGIL_ENTERPRISE_KEYS: KEY,
  VIGIL_LIMITS: limits.map((name) => `${name}=999999999`).join(),
  // Nothing listens there: datasets stay absent, and their builds cost little.
  VIGIL_UPSTREAM_BASE: "http://127.0.0.1:9",
  VIGIL_LOG_LEVEL: "silent",
};
const [command, ...rest] = pinned(0, [process.execPath, "dist/commands/main.js", "serve"]);
const child = spawn(command, rest, { env, stdio: ["ignore", "ignore", "inherit"] });
try {
  await until(async () => (await fetch(`http://127.0.0.1:${PORT}/readyz`)).ok);
  const keys = [];
  for (let made = 0; made < 2 * CALLERS; made += 1) keys.push(await newKey());
  let number = 0;
  const times = [];
  const end = performance.now() + Number(values.seconds) * 1_000;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      for (let own = 0; performance.now() < end && own < 2 * COMPANIES_MAX; own += 1) {
        number += 1;
        const key = keys[own < COMPANIES_MAX ? caller : CALLERS + caller];
        const from = performance.now();
        await post("/api/company-monitoring/v1/create-monitored-company", key, {
          clientRequestId: `request-${own}`,
          company: company(number),
        });
        times.push(performance.now() - from);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  times.sort((one, other) => one - other);
  const row = {
    name: "create-monitored-company, durable on SQLite",
    perSecond: Math.round(times.length / seconds),
    creates: times.length,
    p50Ms: Number(times[Math.floor(times.length / 2)].toFixed(2)),
    p99Ms: Number(times[Math.floor(times.length * 0.99)].toFixed(2)),
  };
  process.stdout.write(`${row.name}: ${row.perSecond}/s, p50 ${row.p50Ms} ms, p99 ${row.p99Ms} ms of ${row.creates}\n`);
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ rows: [row] }, null, 2)}\n`);
} finally {
  agent.destroy();
  child.kill("SIGTERM");
  await new Promise((resolve) => child.once("exit", resolve));
  rmSync(dataDir, { recursive: true, force: true });
}
