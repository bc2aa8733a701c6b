import { expect, test } from "vitest";
import { seededRandom } from "../../src/kit/random.js";
import { killsOfMigration } from "../support/migration-kills.js";
import { availableStores } from "../support/stores.js";

const STORES = Number(process.env["VIGIL_MIGRATION_STORES"] || 6);
const KILLS_PER_STORE = 8;
/**
 * Each process is killed at a random statement: the number of the statement is from 1 to this maximum. A migration from
 * the first version has fewer statements, so some processes complete it.
 */
const STATEMENTS_MAX = 220;

for (const { name, skipReason } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name} (skipped: ${skipReason})`;
  test.skipIf(skipReason !== undefined)(
    `${title}: migrations of ${STORES} stores, killed at random statements, are completed by the next start`,
    { timeout: 1_800_000 },
    async () => {
      const random = seededRandom(23);
      let kills = 0;
      for (let store = 0; store < STORES; store += 1) {
        const statements = Array.from({ length: KILLS_PER_STORE }, () => 1 + Math.floor(random() * STATEMENTS_MAX));
        kills += await killsOfMigration(name, statements);
      }
      expect(kills).toBeGreaterThan(STORES);
      process.stdout.write(`${name}: ${kills} kills in ${STORES} migrations\n`);
    },
  );
}
