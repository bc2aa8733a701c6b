import { expect, test } from "vitest";
import { startPlainUpstream } from "../../bench/plain-upstream.mjs";
import { bodyStore } from "../../src/database/bodies.js";
import { openDatabase } from "../../src/database/open.js";
import { DAY_MS, systemClock } from "../../src/kit/clock.js";
import { manualClock } from "../../src/kit/manual-clock.js";
import { seededRandom } from "../../src/kit/random.js";
import { snapshotStore } from "../../src/snapshots/store.js";
import { verifyStore } from "../../src/snapshots/verify-store.js";
import { startVigil } from "../support/process.js";
import { availableStores } from "../support/stores.js";

const KILLS = 100;
/** Maximum number of rounds. It is higher than `KILLS`, because some runs end before they are killed. */
const ROUNDS_MAX = 300;
/** Number of initial rounds. Their runs are killed early, while the store is still almost empty. */
const EMPTY_ROUNDS = 20;
const EMPTY_KILL_MS_MAX = 4_000;
/** 100 kills take about ten minutes on two idle cores. */
const LIMIT_MS = 1_800_000;

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name} (skipped: ${skipReason})`;
  test.skipIf(skipReason !== undefined)(
    `${title}: every published generation is readable and in the log after ${KILLS} kills at random points of ingest`,
    async () => {
      const random = seededRandom(7);
      const upstreamClock = manualClock(Date.UTC(2024, 0, 10, 12));
      const upstream = await startPlainUpstream({ clock: upstreamClock });
      const store = await open();
      const { dataDir, url } = store;
      const env = {
        VIGIL_DATA_DIR: dataDir,
        VIGIL_UPSTREAM_BASE: upstream.baseUrl,
        ...(url !== undefined && { DATABASE_URL: url }),
      };
      let killed = 0;
      let generations = 0;
      const read = new Set<string>();
      let killMsMax = EMPTY_KILL_MS_MAX;
      const ingest = async (killAfterMs: number): Promise<void> => {
        // The upstreams advance by a day, so that every run has something new to publish.
        upstreamClock.advance(DAY_MS);
        const run = startVigil(["ingest", "all", "--create"], env);
        const timer = setTimeout(() => run.child.kill("SIGKILL"), killAfterMs);
        if ((await run.ended) === "SIGKILL") killed += 1;
        clearTimeout(timer);
        // Only new generations are read here, because a generation is never rewritten; all are read once more at the
        // end.
        generations = await readGenerations(dataDir, url, read);
      };
      try {
        for (let round = 0; round < ROUNDS_MAX && killed < KILLS; round += 1) {
          if (round === EMPTY_ROUNDS) {
            await ingest(60_000);
            const startedAt = performance.now();
            await ingest(60_000);
            // Some kills are timed after the expected end of a run, so that some runs finish and store data that a
            // later run could lose.
            killMsMax = 1.5 * (performance.now() - startedAt);
          }
          await ingest(random() * killMsMax);
        }
        expect(await readGenerations(dataDir, url, new Set())).toBe(generations);
        expect(killed).toBe(KILLS);
        expect(generations).toBeGreaterThan(KILLS / 10);
        process.stdout.write(`${name}: killed ${killed} times, ${generations} generations, all readable\n`);
      } finally {
        await upstream.close();
        await store.dispose();
      }
    },
    LIMIT_MS,
  );
}

/** Opens the store as the last run left it, reads every generation not yet in `read` and counts all generations. */
async function readGenerations(dataDir: string, url: string | undefined, read: Set<string>): Promise<number> {
  const database = await openDatabase({ url, dataDir });
  try {
    const store = snapshotStore(database, bodyStore(database, dataDir, systemClock));
    const rows = await database.db.selectFrom("snapshot").select(["dataset", "generation", "content_hash"]).execute();
    for (const dataset of new Set(rows.map((row) => row.dataset))) {
      const numbers = rows.filter((row) => row.dataset === dataset).map((row) => row.generation);
      expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
      const newest = await store.newest(dataset);
      if (!newest) throw new Error(`${dataset} has rows but no newest generation`);
      const answers = Object.values(newest.provenance).flatMap((part) => Object.keys(part));
      expect([...answers, ...(newest.ingredients ?? [])]).not.toEqual([]);
    }
    expect(await verifyStore(database, { ...store, records: async () => ({}) })).toMatchObject({
      leaves: rows.length,
      generations: rows.length,
      faults: [],
    });
    for (const row of rows.filter(({ content_hash }) => !read.has(content_hash))) {
      const records = await store.records({ contentHash: row.content_hash });
      expect(Object.values(records).flat().length).toBeGreaterThan(0);
      read.add(row.content_hash);
    }
    return rows.length;
  } finally {
    await database.close();
  }
}
