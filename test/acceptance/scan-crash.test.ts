import { resolve } from "node:path";
import { expect, test } from "vitest";
import { MINUTE_MS, SECOND_MS, systemClock } from "../../src/kit/clock.js";
import { seededRandom } from "../../src/kit/random.js";
import { LEASE_MS } from "../../src/services/company-monitoring/store/scan/obligations.js";
import { companiesIn } from "../../src/services/company-monitoring/store/tables.js";
import { add, inTurn, prepared } from "../../src/services/company-monitoring/store/testing/turns.js";
import { startCrew } from "../support/crew.js";
import { availableStores } from "../support/stores.js";

const KILLS = Number(process.env["VIGIL_SCAN_KILLS"] || 100);
const SEED = Number(process.env["VIGIL_SCAN_SEED"] || 23);
const [ACCOUNTS, COMPANIES] = [5, 100];
const TEST_MS_MAX = 20 * 60 * SECOND_MS;
const program = resolve(import.meta.dirname, "../support/companies/scan-process.mjs");

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name} (skipped: ${skipReason})`;
  test.skipIf(skipReason !== undefined)(
    `${title}: no window is counted twice or lost after ${KILLS} kills at random points of scans`,
    async () => {
      const store = await open();
      const { parts, clock } = await prepared(store);
      const db = companiesIn(store.database.db);
      for (let account = 0; account < ACCOUNTS; account += 1) {
        await inTurn(parts, `acc_${account}`, async (turn) => {
          for (let at = 0; at < COMPANIES; at += 1) await add(turn, `A${at}`);
        });
      }
      const random = seededRandom(SEED);
      const ends: number[] = [];
      let kills = 0;
      let roundMs = SECOND_MS;
      while (kills < KILLS) {
        clock.advance(10 * MINUTE_MS);
        const end = clock.now();
        ends.push(end);
        for (let isWhole = false; !isWhole; ) {
          const crew = await startCrew(store, [program, store.dataDir, String(clock.now()), String(end)]);
          const startedAt = performance.now();
          // Each round makes attempts until one runs to completion. The first round has no kills. In later rounds, a
          // kill comes within `roundMs`, the duration of the latest attempt for which no kill was planned.
          const isKilled = ends.length > 1 && kills < KILLS && random() < 0.8;
          if (isKilled) {
            await systemClock.sleep(random() * roundMs);
            if (crew.killOne(random)) kills += 1;
          }
          isWhole = await crew.ended;
          if (isWhole && !isKilled) roundMs = performance.now() - startedAt;
          await expectCountedOnce();
          // Lets the leases of killed processes expire.
          clock.advance(LEASE_MS);
        }
        const windows = await db.selectFrom("company_window").select(["ended_count", "lease"]).execute();
        expect(windows).toHaveLength(ACCOUNTS * COMPANIES);
        expect(new Set(windows.map(({ ended_count }) => ended_count))).toEqual(new Set([ends.length]));
        expect(windows.every(({ lease }) => lease === null)).toBe(true);
      }
      await store.dispose();

      /**
       * Expects the count in every row of `company_window` to be the number of windows that had ended by the row's
       * `window_end`, and the number of findings to be the sum of all counts.
       */
      async function expectCountedOnce(): Promise<void> {
        const windows = await db.selectFrom("company_window").selectAll().execute();
        for (const { window_end, ended_count } of windows) {
          expect(ended_count).toBe(window_end === null ? 0 : ends.indexOf(window_end) + 1);
        }
        const { count } = await db
          .selectFrom("company_finding")
          .select(({ fn }) => fn.countAll<number | string>().as("count"))
          .executeTakeFirstOrThrow();
        expect(Number(count)).toBe(windows.reduce((sum, { ended_count }) => sum + ended_count, 0));
      }
    },
    TEST_MS_MAX,
  );
}
