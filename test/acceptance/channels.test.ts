import { test } from "vitest";
import { SECOND_MS } from "../../src/kit/clock.js";
import { playChannels } from "../support/companies/channels.js";
import { expectChannels } from "../support/companies/expect-channels.js";
import { availableStores } from "../support/stores.js";

const CHANGES = Number(process.env["VIGIL_CHANNEL_CHANGES"] || 200_000);
const SEED = Number(process.env["VIGIL_CHANNEL_SEED"] || 18);
const options = { seed: SEED, changes: CHANGES, accounts: 50, rounds: 100, consumersPerAccount: 2 };
const nodesOf = { sqlite: 2, postgres: 3 } as const;
const TEST_MS_MAX = 60 * 60 * SECOND_MS;

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name} (skipped: ${skipReason})`;
  test.skipIf(skipReason !== undefined)(
    `${title}: polls, streams and webhooks deliver each of ${CHANGES} changes of ${options.accounts} accounts`,
    async () => {
      process.stdout.write(`${name}: seed ${SEED}\n`);
      const store = await open();
      const startedAt = performance.now();
      try {
        const outcome = await playChannels(store, { ...options, nodes: nodesOf[name] });
        const { cursorKeys, ...figures } = outcome.figures;
        const seconds = Math.round((performance.now() - startedAt) / SECOND_MS);
        process.stdout.write(`${name}: ${seconds} s, ${JSON.stringify({ ...figures, cursorKeys: cursorKeys.size })}\n`);
        expectChannels(outcome, { ...options, nodes: nodesOf[name] });
      } finally {
        await store.dispose();
      }
    },
    TEST_MS_MAX,
  );
}
