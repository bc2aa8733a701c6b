// Compares the CPU time per answer of one process with that of two workers on one port. Both use the same store and
// take turns in every round; the load is requests for one small answer, which is served from memory.
// node bench/workers.mjs [--seconds 4] [--rounds 5] (after npm run build)
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
  options: { seconds: { type: "string", default: "4" }, rounds: { type: "string", default: "5" } },
});
const seconds = Number(values.seconds);
const KEY = "bench-key-0123456789abcdefgh";
const PATH = "/api/economic/v1/get-us-cpi-monthly";
const PORT = 18_797;
const READY_MS_MAX = 120_000;
const headers = { "X-Service-Key": KEY };
const dataDir = mkdtempSync(join(tmpdir(), "vigil-workers-"));
const upstream = await startPlainUpstream();

/** Starts the service with this number of worker processes, and returns once it answers. */
async function start(workers) {
  const child = spawn(process.execPath, ["dist/bin/vigil.js", "serve", "--workers", String(workers)], {
    env: {
      ...process.env,
      ...upstream.credentials,
      VIGIL_PORT: String(PORT),
      VIGIL_DATA_DIR: dataDir,
      VIGIL_ENTERPRISE_KEYS: KEY,
      VIGIL_LIMITS: "enterprise-minute=999999999",
      VIGIL_UPSTREAM_BASE: upstream.baseUrl,
      VIGIL_LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const end = performance.now() + READY_MS_MAX;
  while (!(await isAnswered())) {
    if (performance.now() > end) throw new Error(`no answer within ${READY_MS_MAX / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return child;
}

const isAnswered = () =>
  fetch(`http://127.0.0.1:${PORT}${PATH}`, { headers }).then(
    ({ status }) => status === 200,
    () => false,
  );

/** Returns the CPU seconds of a process and its descendants. */
function familyCpuSeconds(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  return children.reduce((sum, child) => sum + familyCpuSeconds(Number(child)), cpuSeconds(pid));
}

/** Measures the CPU seconds per 100,000 answers, without those that the service spends at rest. */
async function measured(workers) {
  const child = await start(workers);
  try {
    await load(`http://127.0.0.1:${PORT}${PATH}`, headers, seconds);
    const restFrom = familyCpuSeconds(child.pid);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    const from = familyCpuSeconds(child.pid);
    const { perSecond, wrong } = await load(`http://127.0.0.1:${PORT}${PATH}`, headers, seconds);
    const used = familyCpuSeconds(child.pid) - from - (from - restFrom);
    return { perSecond, wrong, cpuSeconds: (used / (perSecond * seconds)) * 100_000 };
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

try {
  const rounds = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    rounds.push({ oneProcess: await measured(1), twoWorkers: await measured(2) });
  }
  const wrong = rounds.reduce((sum, { oneProcess, twoWorkers }) => sum + oneProcess.wrong + twoWorkers.wrong, 0);
  const figuresOf = (kind) =>
    `${median(rounds.map((round) => round[kind].cpuSeconds)).toFixed(2)} s, ${Math.round(median(rounds.map((round) => round[kind].perSecond)))}/s`;
  const ratio = median(rounds.map(({ oneProcess, twoWorkers }) => twoWorkers.cpuSeconds / oneProcess.cpuSeconds));
  process.stdout.write(
    `CPU seconds per 100,000 answers: one process ${figuresOf("oneProcess")}; two workers ${figuresOf("twoWorkers")}; ratio ${ratio.toFixed(3)}${wrong ? `  WRONG ${wrong}` : ""}\n`,
  );
} finally {
  await upstream.close();
  rmSync(dataDir, { recursive: true, force: true });
}
