import { expect, test } from "vitest";
import { SECOND_MS } from "../../src/kit/clock.js";
import { availableStores } from "../support/stores.js";
import { noFigures, playLiveAndDry, WATCHES_PER_WORLD } from "../support/watches/live-and-dry.js";
import { noServedFigures, playServedSchedule } from "../support/watches/served-schedules.js";

const WATCHES = Number(process.env["VIGIL_WATCH_SCHEDULES"] || 5_000);
const SEED = Number(process.env["VIGIL_WATCH_SEED"] || 20);
const WATCHES_PER_SCHEDULE = 96;
const TEST_MS_MAX = 60 * 60 * SECOND_MS;

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name} (skipped: ${skipReason})`;
  test.skipIf(skipReason !== undefined)(
    `${title}: ${WATCHES} random watches fire live, despite faults and kills, exactly as in dry runs over the same period`,
    async () => {
      const figures = noFigures();
      const startedAt = performance.now();
      for (let seed = SEED; figures.watches < WATCHES; seed += 1) {
        const store = await open();
        try {
          await playLiveAndDry(store, seed, figures);
        } catch (error) {
          process.stdout.write(`${name}: seed ${seed}\n`);
          throw error;
        } finally {
          await store.dispose();
        }
      }
      const seconds = Math.round((performance.now() - startedAt) / SECOND_MS);
      process.stdout.write(`${name}: ${seconds} s, seed ${SEED}, ${JSON.stringify(figures)}\n`);
      // Without kills, faults and firings, the test would prove nothing.
      expect(Math.min(figures.kills, figures.faults)).toBeGreaterThan(WATCHES / WATCHES_PER_WORLD);
      expect(figures.firings).toBeGreaterThan(WATCHES);
      expect(figures.notices).toBeGreaterThan(WATCHES / 20);
    },
    TEST_MS_MAX,
  );

  test.skipIf(skipReason !== undefined)(
    `${title}: ${WATCHES} random watches, played on the whole service, fire exactly as test-watch reports for the same period`,
    async () => {
      const figures = noServedFigures();
      const startedAt = performance.now();
      for (let seed = SEED; figures.watches < WATCHES; seed += 1) {
        const store = await open();
        try {
          await playServedSchedule(store.url, { seed, watches: WATCHES_PER_SCHEDULE }, figures);
        } catch (error) {
          process.stdout.write(`${name}: seed ${seed}\n`);
          throw error;
        } finally {
          await store.dispose();
        }
      }
      const seconds = Math.round((performance.now() - startedAt) / SECOND_MS);
      process.stdout.write(`${name}, whole service: ${seconds} s, seed ${SEED}, ${JSON.stringify(figures)}\n`);
      const schedules = WATCHES / WATCHES_PER_SCHEDULE;
      expect(Math.min(figures.kills, figures.faults, figures.restarts)).toBeGreaterThan(schedules);
      expect(figures.firings).toBeGreaterThan(WATCHES);
    },
    TEST_MS_MAX,
  );
}
