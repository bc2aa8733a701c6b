import { describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../src/kit/clock.js";
import { loadServices } from "../../src/services/registry.js";
import { datasetsOf, followList, unlimited } from "../support/delta-schedules.js";
import { startStack } from "../support/stack.js";
import { availableStores } from "../support/stores.js";

const SCHEDULES = Number(process.env["VIGIL_DELTA_SCHEDULES"] || 10_000);
const SEED = Number(process.env["VIGIL_DELTA_SEED"] || 19);
const TEST_MS_MAX = 30 * MINUTE_MS;

const { operations } = await loadServices();
const lists = operations.filter(({ operation }) => operation.list !== undefined);
const perList = Math.ceil(SCHEDULES / lists.length);

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name} (skipped: ${skipReason})`;
  describe.skipIf(skipReason !== undefined)(title, () => {
    test.each(lists)(
      `in ${perList} random schedules, an earlier answer of $path plus the later changes equals the whole list`,
      async (registered) => {
        const { url, dispose } = await open();
        const datasets = datasetsOf(registered.operation);
        const env = { ...unlimited, ...(url !== undefined && { DATABASE_URL: url }) };
        const stack = await startStack({ datasets, env });
        try {
          await stack.service.ingest.runAll(stack.services.datasets);
          const counts = await followList(stack, registered, { schedules: perList, seed: SEED });
          process.stdout.write(`${name}, ${registered.operation.rpc}: ${JSON.stringify(counts)}\n`);
          expect(counts.deltas).toBeGreaterThan(0);
          expect(counts.added + counts.changed + counts.removed).toBeGreaterThan(0);
        } finally {
          await stack.close();
          await dispose();
        }
      },
      TEST_MS_MAX,
    );
  });
}
