import { expect, test } from "vitest";
import { SECOND_MS } from "../../src/kit/clock.js";
import { availableStores } from "../support/stores.js";
import {
  expectSameFirings,
  playUndisturbed,
  playWatchCrashes,
  startReceivers,
} from "../support/watches/watch-crash.js";

const KILLS = Number(process.env["VIGIL_WATCH_KILLS"] || 100);
const SEED = Number(process.env["VIGIL_WATCH_SEED"] || 20);
const TEST_MS_MAX = 60 * 60 * SECOND_MS;

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name} (skipped: ${skipReason})`;
  test.skipIf(skipReason !== undefined)(
    `${title}: no firing is lost or doubled after ${KILLS} kills at random points of evaluation and delivery`,
    async () => {
      const startedAt = performance.now();
      const [store, undisturbed] = [await open(), await open()];
      const [receivers, others] = [await startReceivers(), await startReceivers()];
      try {
        const figures = await playWatchCrashes(store, receivers, { seed: SEED, kills: KILLS });
        process.stdout.write(`${name}: seed ${SEED}, ${JSON.stringify(figures)}\n`);
        await playUndisturbed(undisturbed, others, figures.ticks);
        const outcome = await expectSameFirings(store, undisturbed, receivers);
        const seconds = Math.round((performance.now() - startedAt) / SECOND_MS);
        process.stdout.write(`${name}: ${seconds} s, ${JSON.stringify(outcome)}\n`);
        // Killing an idle process would prove nothing.
        expect(figures.duringEvaluation + figures.duringDelivery).toBeGreaterThan(KILLS / 2);
        expect(Math.min(figures.duringEvaluation, figures.duringDelivery)).toBeGreaterThan(KILLS / 20);
        expect(outcome.firings).toBeGreaterThan(KILLS);
      } finally {
        await Promise.all([receivers.close(), others.close()]);
        await Promise.all([store.dispose(), undisturbed.dispose()]);
      }
    },
    TEST_MS_MAX,
  );
}
