import { test } from "vitest";
import { playExactlyOnce } from "../../../../test/support/companies/exactly-once.js";
import { expectExactlyOnce } from "../../../../test/support/companies/expect-exactly-once.js";
import { describeEachStore } from "../../../../test/support/stores.js";

/** Few enough changes for every test run; `test/acceptance/company-changes.test.ts` makes more. */
const options = { seed: 16, changes: 600, accounts: 5, rounds: 100, nodes: 3, pollersPerAccount: 2 };

await describeEachStore((open) => {
  test("every poller receives every change of its account once and in order, across lost answers, edits, clock jumps and key rotations", async () => {
    expectExactlyOnce(await playExactlyOnce(await open(), options), options);
  });
});
