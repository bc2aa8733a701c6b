// Compares the CPU time per answer of two services: one with a single process, and one with two workers on one port.
// The services take turns in short rounds; the load is requests for one small answer, which is served from memory.
// node bench/workers.mjs [--seconds 2] [--rounds 15] (after npm run build)
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cpuSeconds } from "./cpu.mjs";
import { load } from "./load.mjs";
import { startPlainUpstream } from "./plain-upstream.mjs";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "2" }, rounds: { type: "string", default: "15" } },
});
const seconds = Number(values.seconds);
const KEY = "bench-key-0123456789abcdefgh";
const PATH = "/api/economic/v1/get-us-cpi-monthly";
const READY_MS_MAX = 120_000;
/** Time for the first builds of a new store to end. */
const BUILDS_MS = 20_000;
/** Enough connections to keep each of two workers as busy as the single process. */
const CONNECTIONS = 128;
const folder = mkdtempSync(join(tmpdir(), "vigil-workers-"));
const upstream = await startPlainUpstream();

/** Starts the service with this number of worker processes, and returns once it answers. */
async function start(workers, port) {
  const child = spawn(process.execPath, ["dist/bin/vigil.js", "serve", "--workers", String(workers)], {
    env: {
      ...process.env,
      ...upstream.credentials,
      VIGIL_PORT: String(port),
      VIGIL_DATA_DIR: join(folder, String(workers)),
      VIGIL_ENTERPRISE_KEYS: KEY,
      VIGIL_LIMITS: "enterprise-minute=999999999",
      VIGIL_UPSTREAM_BASE: upstream.baseUrl,
      VIGIL_LOG_LEVEL: "error",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const service = { child, url: `http://127.0.0.1:${port}${PATH}`, wrong: 0, runs: [], restRuns: [] };
  const end = performance.now() + READY_MS_MAX;
  while (!(await isAnswered(service))) {
    if (performance.now() > end) throw new Error(`no answer within ${READY_MS_MAX / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return service;
}

const isAnswered = ({ url }) =>
  fetch(url, { headers: { "X-Service-Key": KEY } }).then(
    ({ status }) => status === 200,
    () => false,
  );

const call = ({ url }, duration) => load(url, { "X-Service-Key": KEY }, duration, { connections: CONNECTIONS });

/** Returns the CPU seconds of a process and its descendants. */
function familyCpuSeconds(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  return children.reduce((sum, child) => sum + familyCpuSeconds(Number(child)), cpuSeconds(pid));
}

/** Loads one service, and records its CPU time and that of the other service, which rests meanwhile. */
async function measure(service, other) {
  const [from, restFrom] = [familyCpuSeconds(service.child.pid), familyCpuSeconds(other.child.pid)];
  const { perSecond, wrong } = await call(service, seconds);
  service.runs.push({ perSecond, used: familyCpuSeconds(service.child.pid) - from });
  other.restRuns.push((familyCpuSeconds(other.child.pid) - restFrom) / seconds);
  service.wrong += wrong;
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** CPU seconds per 100,000 answers in each round, without those that the service uses at rest. */
function costs({ runs, restRuns }) {
  const rest = median(restRuns);
  return runs.map(({ perSecond, used }) => ((used - rest * seconds) / (perSecond * seconds)) * 100_000);
}

const services = [];
try {
  services.push(await start(1, 18_797), await start(2, 18_798));
  const [oneProcess, twoWorkers] = services;
  await new Promise((resolve) => setTimeout(resolve, BUILDS_MS));
  for (const service of services) await call(service, 2 * seconds);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    await measure(oneProcess, twoWorkers);
    await measure(twoWorkers, oneProcess);
  }
  const figuresOf = (service) =>
    `${median(costs(service)).toFixed(2)} s, ${Math.round(median(service.runs.map(({ perSecond }) => perSecond)))}/s`;
  const oneProcessCosts = costs(oneProcess);
  const ratio = median(costs(twoWorkers).map((cost, round) => cost / oneProcessCosts[round]));
  const wrong = [oneProcess.wrong, twoWorkers.wrong];
  process.stdout.write(
    `CPU seconds per 100,000 answers: one process ${figuresOf(oneProcess)}; two workers ${figuresOf(twoWorkers)}; ratio ${ratio.toFixed(3)}${wrong.some(Boolean) ? `  WRONG ${wrong.join(" and ")}` : ""}\n`,
  );
} finally {
  await Promise.all(
    services.map(async ({ child }) => {
      child.kill("SIGTERM");
      await once(child, "exit");
    }),
  );
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
}
