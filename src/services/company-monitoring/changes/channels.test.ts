import { test } from "vitest";
import { playChannels } from "../../../../test/support/companies/channels.js";
import { expectChannels } from "../../../../test/support/companies/expect-channels.js";
import { describeEachStore } from "../../../../test/support/stores.js";

/** Few enough changes for every test run; `test/acceptance/channels.test.ts` makes more. */
const options = { seed: 18, changes: 200, accounts: 4, rounds: 8, nodes: 2, consumersPerAccount: 2 };

await describeEachStore((open) => {
  test("polls, streams and webhooks deliver the same log, even if nodes and consumers die and consumers change channel", async () => {
    expectChannels(await playChannels(await open(), options), options);
  });
});
