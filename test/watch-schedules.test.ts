import { expect, test } from "vitest";
import { availableStores } from "./support/stores.js";
import { noServedFigures, playServedSchedule } from "./support/watches/served-schedules.js";

/* Plays one random schedule on the whole service. test/acceptance/watches.test.ts plays thousands of watches. */

const SEED = Number(process.env["VIGIL_WATCH_SEED"] || 1);

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name} (skipped: ${skipReason})`;
  test.skipIf(skipReason !== undefined)(
    `${title}: despite faults, kills and restarts, random watches have exactly the firings that test-watch reports`,
    async () => {
      const figures = noServedFigures();
      const store = await open();
      try {
        await playServedSchedule(store.url, { seed: SEED, watches: 24 }, figures);
      } finally {
        await store.dispose();
      }
      // A schedule with few firings, or without kills, faults or restarts, would prove nothing.
      expect(Math.min(figures.kills, figures.faults, figures.restarts)).toBeGreaterThan(0);
      expect(figures.firings).toBeGreaterThan(figures.watches);
    },
  );
}
