import { test } from "vitest";
import { SECOND_MS } from "../../src/kit/clock.js";
import { playExactlyOnce } from "../support/companies/exactly-once.js";
import { expectExactlyOnce } from "../support/companies/expect-exactly-once.js";
import { availableStores } from "../support/stores.js";

const CHANGES = Number(process.env["VIGIL_COMPANY_CHANGES"] || 200_000);
const SEED = Number(process.env["VIGIL_COMPANY_SEED"] || 16);
const options = { seed: SEED, changes: CHANGES, accounts: 50, rounds: 100, pollersPerAccount: 2 };
/** Number of nodes. SQLite allows one writer at a time, so more nodes would only wait for each other. */
const nodesOf = { sqlite: 2, postgres: 4 } as const;
const TEST_MS_MAX = 60 * 60 * SECOND_MS;

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name} (skipped: ${skipReason})`;
  test.skipIf(skipReason !== undefined)(
    `${title}: ${CHANGES} changes of ${options.accounts} accounts reach each poller of their account once and in order`,
    async () => {
      process.stdout.write(`${name}: seed ${SEED}\n`);
      const store = await open();
      const startedAt = performance.now();
      try {
        const outcome = await playExactlyOnce(store, { ...options, nodes: nodesOf[name] });
        expectExactlyOnce(outcome, options);
        const { keys, refusals, ...figures } = outcome.figures;
        const seconds = Math.round((performance.now() - startedAt) / SECOND_MS);
        process.stdout.write(
          `${name}: ${seconds} s, ${JSON.stringify({ ...figures, refusals: [...refusals], keys: keys.size })}\n`,
        );
      } finally {
        await store.dispose();
      }
    },
    TEST_MS_MAX,
  );
}
