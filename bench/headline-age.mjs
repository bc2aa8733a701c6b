// Simulates hours of the digests' schedule on a manual clock. Measures the age of each headline when it first appears
// in the full English digest. Also measures the CPU time of this process per simulated hour, and its peak memory.
// Simulated publishers run in a separate process.
//
//   node bench/headline-age.mjs [--hours 6] [--dist dist]
import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { pino } from "pino";

const { values } = parseArgs({
  options: { hours: { type: "string", default: "6" }, dist: { type: "string", default: "dist" } },
});
const dist = resolve(values.dist);
const load = (file) => import(pathToFileURL(join(dist, file)).href);
const START = Date.UTC(2026, 10, 18, 12);
const [MINUTE_MS, HOUR_MS, STEP_MS] = [60_000, 3_600_000, 10_000];
/** The first hour is not measured, because most items that appear in it were published before the start. */
const WARM_UP_MS = HOUR_MS;

const { manualClock } = await load("kit/manual-clock.js");

if (process.send) await simulate();
else await measure();

/** Serves the simulated publishers, whose clock follows that of the parent process. */
async function simulate() {
  const { startSimulator } = await load("simulator/simulator.js");
  const { feedCatalogue } = await load("services/news/catalogue/feed-catalogue.js");
  const { publishedFeed } = await load("services/news/catalogue/published-feeds.js");
  const clock = manualClock(START);
  const { baseUrl } = await startSimulator({ clock, seed: 1, newsFeeds: feedCatalogue.map(publishedFeed) });
  process.on("message", (now) => {
    clock.set(now);
    process.send(now);
  });
  process.send(baseUrl);
}

async function measure() {
  const child = fork(new URL(import.meta.url), ["--dist", dist]);
  const reply = () => new Promise((done) => child.once("message", done));
  const upstreamBase = await reply();
  const { loadConfig } = await load("app/config.js");
  const { openService } = await load("app/service.js");
  const { loadServices } = await load("services/registry.js");
  const loaded = await loadServices();
  const isNews = ({ name }) => name === "news-feeds" || /^digest-\w+-en$/.test(name);
  const services = {
    ...loaded,
    datasets: loaded.datasets.filter(isNews),
    allDatasets: loaded.allDatasets.filter(isNews),
  };
  const dataDir = await mkdtemp(join(tmpdir(), "vigil-age-"));
  const clock = manualClock(START);
  const log = pino({ level: "silent" });
  const config = loadConfig({}, []);
  const service = await openService({ config, services, log, kind: "demo", dataDir, clock, upstreamBase, gated: true });
  const digest = services.datasets.find(({ name }) => name === "digest-full-en");
  const ages = [];
  const seen = new Set();
  let generation = 0;
  let generations = 0;
  /** Waits until this process has been almost idle for a while. */
  const settle = async () => {
    for (let quiet = 0, before = process.cpuUsage().user; quiet < 3; ) {
      await new Promise((done) => setTimeout(done, 4));
      const { user } = process.cpuUsage();
      quiet = user - before < 3_000 ? quiet + 1 : 0;
      before = user;
    }
  };
  const look = (now) => {
    const snapshot = service.registry.get(digest);
    if (!snapshot.available || snapshot.generation === generation) return;
    generation = snapshot.generation;
    generations += 1;
    for (const { items } of Object.values(snapshot.view.categories)) {
      for (const { link, publishedAt } of items) {
        if (!seen.has(link) && publishedAt > START && now - START > WARM_UP_MS)
          ages.push((now - publishedAt) / MINUTE_MS);
        seen.add(link);
      }
    }
  };
  service.ingest.start();
  const cpu = process.cpuUsage();
  const hours = Number(values.hours);
  let peak = 0;
  for (let now = START; now < START + hours * HOUR_MS; now += STEP_MS) {
    child.send(now);
    await reply();
    clock.set(now);
    await settle();
    await service.registry.refresh();
    look(now);
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  const { user, system } = process.cpuUsage(cpu);
  await service.close();
  child.kill();
  await rm(dataDir, { recursive: true, force: true });
  ages.sort((a, b) => a - b);
  const at = (share) => Math.round((ages[Math.floor(ages.length * share)] ?? 0) * 10) / 10;
  const report = {
    headlines: ages.length,
    generations,
    ageMinutes: { median: at(0.5), p90: at(0.9), p999: at(0.999) },
    cpuSecondsPerHour: Math.round((user + system) / 1e5 / hours) / 10,
    peakRssMb: Math.round(peak / 1e6),
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
