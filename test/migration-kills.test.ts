import { expect, test } from "vitest";
import { killsOfMigration } from "./support/migration-kills.js";
import { availableStores } from "./support/stores.js";

/**
 * Numbers of the statements at which the migration is killed: one in a core migration and one in a service's migration.
 * `test/acceptance/migration-crash.test.ts` tests further statements.
 */
const STATEMENTS = [30, 95];

for (const { name, skipReason } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name} (skipped: ${skipReason})`;
  test.skipIf(skipReason !== undefined)(
    `${title}: a killed migration is completed by the next start, and nothing is lost`,
    { timeout: 240_000 },
    async () => {
      expect(await killsOfMigration(name, STATEMENTS)).toBeGreaterThan(0);
    },
  );
}
