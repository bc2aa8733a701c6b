// Measures the cost of building all datasets, first in an empty store and then again, with simulated upstreams in
// another process.
// npm run bench:ingest [-- --json file]
import { fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pino } from "pino";
import { loadConfig } from "../dist/app/config.js";
import { openService } from "../dist/app/service.js";
import { systemClock } from "../dist/kit/clock.js";
import { loadServices } from "../dist/services/registry.js";

const { values } = parseArgs({ options: { json: { type: "string" } } });
const dataDir = mkdtempSync(join(tmpdir(), "vigil-ingest-"));
const simulator = fork(new URL("./simulator-process.mjs", import.meta.url));
const { baseUrl, credentials } = await new Promise((resolve) => simulator.once("message", resolve));
const megabytes = (bytes) => Math.round(bytes / 1_000_000);
const services = await loadServices();
const plain = loadConfig({}, []);
const config = { ...plain, texts: { ...plain.texts, ...credentials } };
const log = pino({ level: "silent" });
const options = {
  config,
  services,
  log,
  kind: "demo",
  dataDir,
  clock: systemClock,
  upstreamBase: baseUrl,
  gated: true,
};
const service = await openService(options);
const report = { node: process.version, rssBeforeMb: megabytes(process.memoryUsage.rss()), rounds: [] };
try {
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  for (const name of ["first round", "second round"]) {
    peak = 0;
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
    const results = await service.ingest.runAll(services.datasets);
    const { user, system } = process.cpuUsage(cpu);
    const row = {
      name,
      datasets: results.filter((result) => result?.outcome === "published" || result?.outcome === "unchanged").length,
      wallMs: Math.round(performance.now() - startedAt),
      cpuMs: Math.round((user + system) / 1_000),
      peakRssMb: megabytes(Math.max(peak, process.memoryUsage.rss())),
    };
    report.rounds.push(row);
    process.stdout.write(
      `${name}: ${row.datasets} of ${services.datasets.length} datasets, ${row.cpuMs} ms CPU, ${row.wallMs} ms, peak ${row.peakRssMb} MB\n`,
    );
  }
  clearInterval(watch);
} finally {
  await service.close();
  simulator.kill();
  rmSync(dataDir, { recursive: true, force: true });
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
