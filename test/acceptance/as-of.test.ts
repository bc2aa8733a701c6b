import { expect, test } from "vitest";
import { bodyStore } from "../../src/database/bodies.js";
import { DAY_MS, MINUTE_MS } from "../../src/kit/clock.js";
import { seededRandom } from "../../src/kit/random.js";
import { applyRetention } from "../../src/snapshots/history/retention.js";
import { type Comparison, compareWithPast, readAlongTheWay } from "../support/past-reads.js";
import { type Stack, startStack } from "../support/stack.js";
import { availableStores } from "../support/stores.js";

const READS = Number(process.env["VIGIL_PAST_READS"] || 10_000);
const SEED = Number(process.env["VIGIL_PAST_SEED"] || 19);
const DAYS = 60;
/** A policy that keeps the last 20 days whole, thins the 20 days before them and removes the rest. */
const policy = { wholeMs: 20 * DAY_MS, dailyMs: 40 * DAY_MS, bodyBytesMax: 1e9 };
/**
 * Settings that lift the rate limits. Limits would never be reset, because the clock stands still while reads are
 * repeated.
 */
const unlimited = {
  VIGIL_LIMITS: "enterprise-minute=999999,operator-minute=999999",
  VIGIL_PAST_READS_PER_MINUTE: "999999",
};
const TEST_MS_MAX = 30 * MINUTE_MS;

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name} (skipped: ${skipReason})`;
  test.skipIf(skipReason !== undefined)(
    `${title}: ${READS} reads from ${DAYS} days are repeated with \`as_of\` immediately, after a restart and after retention, and no answer differs`,
    async () => {
      const { url, dispose } = await open();
      const stack = await startStack({ env: { ...unlimited, ...(url !== undefined && { DATABASE_URL: url }) } });
      const report = (what: string, { equal, thinned, gone, differences }: Comparison): void => {
        const figures = { equal, thinned, gone, differences: differences.slice(0, 5) };
        process.stdout.write(`${name}, seed ${SEED}, ${what}: ${JSON.stringify(figures)}\n`);
      };
      try {
        await stack.service.ingest.runAll(stack.services.datasets);
        const walk = { random: seededRandom(SEED), days: DAYS, reads: READS };
        const reads = (await readAlongTheWay(stack, walk)).slice(0, READS);
        const whole = { equal: READS, thinned: 0, gone: 0, differences: [] };

        const atOnce = await compareWithPast(stack, reads);
        report("at once", atOnce);
        expect(atOnce).toEqual(whole);
        await stack.restart();
        const restarted = await compareWithPast(stack, reads);
        report("after a restart", restarted);
        expect(restarted).toEqual(whole);

        await retain(stack);
        const retained = await compareWithPast(stack, reads);
        report("after retention", retained);
        expect(retained.differences).toEqual([]);
        expect(retained.equal + retained.thinned + retained.gone).toBe(READS);
        for (const part of [retained.equal, retained.thinned, retained.gone]) expect(part).toBeGreaterThan(0);
      } finally {
        await stack.close();
        await dispose();
      }
    },
    TEST_MS_MAX,
  );
}

/** Applies retention as the service does, and restarts the service, which clears its memory. */
async function retain(stack: Stack): Promise<void> {
  const { database } = stack.service;
  const bodies = bodyStore(database, stack.dataDir, stack.clock);
  const datasets = stack.services.allDatasets.map(({ name }) => name);
  await applyRetention(database, bodies, datasets, policy, stack.clock.now());
  await stack.restart();
}
