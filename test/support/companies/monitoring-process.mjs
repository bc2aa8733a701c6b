// Runs the jobs of company monitoring on a simulated clock, tick after tick, until it is killed or has finished its
// last tick. Prints each job that starts and each tick that ends. argv: number of this process in the sequence of
// processes that use the store, first tick, number of the attempt at the first tick, last tick.
import { settingReader } from "../../../dist/contract/setting.js";
import { openDatabase } from "../../../dist/database/open.js";
import { MINUTE_MS } from "../../../dist/kit/clock.js";
import { LoopTurns } from "../../../dist/kit/loop-turns.js";
import { admissionJob } from "../../../dist/services/company-monitoring/store/admission/admission-job.js";
import { scanJob } from "../../../dist/services/company-monitoring/store/scan/scan-job.js";
import { countedBytes } from "../counted-bytes.mjs";
import { START, scanDatasets, TICK_MS } from "./scan-datasets.mjs";

/** Time between two attempts at a tick: longer than a lease, and so short that all attempts fit into a tick. */
const ATTEMPT_MS = 3 * MINUTE_MS;
const [ordinal, firstTick, attempt, lastTick] = process.argv.slice(2).map(Number);
const database = await openDatabase({ url: process.env.DATABASE_URL, dataDir: process.env.VIGIL_DATA_DIR });
const snapshotsAt = scanDatasets(await companiesIn(database));
let now = START;
const clock = { now: () => now, sleep: () => Promise.reject(new Error("no job sleeps")) };
const signal = new AbortController().signal;
const parts = {
  database,
  clock,
  randomBytes: countedBytes(ordinal),
  settingOf: settingReader({}),
  vault: undefined,
  count: () => undefined,
};
const context = {
  turns: new LoopTurns(),
  signal,
  observe: () => Promise.reject(new Error("no job reads upstreams on demand")),
  // No paid search has a key, so none of them runs.
  isConfigured: () => false,
};

process.stdout.write("ready\n");
for (let tick = firstTick; tick <= lastTick; tick += 1) {
  const snapshots = snapshotsAt(tick);
  const at = START + tick * TICK_MS + (tick === firstTick ? attempt * ATTEMPT_MS : 0);
  // After a kill, one scan starts before the leases of the killed scan have ended, and a second one starts afterwards.
  if (tick === firstTick && attempt > 0) await scanAt(tick, at - 2 * MINUTE_MS, snapshots);
  await scanAt(tick, at, snapshots);
  process.stdout.write(`admission ${tick}\n`);
  await admissionJob.run(parts, { ...context, snapshots: {} });
  process.stdout.write(`done ${tick}\n`);
}
await database.close();

async function scanAt(tick, time, snapshots) {
  now = time;
  process.stdout.write(`scan ${tick}\n`);
  await scanJob.run(parts, { ...context, snapshots });
}

/** Reads the name of every monitored company and, if the company reports to the SEC, its CIK; sorted by name. */
async function companiesIn({ db }) {
  const rows = await db
    .selectFrom("company_version")
    .select(["name", "claims"])
    .where("visible_to", "is", null)
    .execute();
  const ciks = new Map(
    rows.map(({ name, claims }) => {
      const evidence = JSON.parse(claims).find(({ evidence }) => evidence?.register === "SEC")?.evidence;
      return [name, evidence?.recordId];
    }),
  );
  return [...ciks].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, cik]) => ({ name, cik }));
}
