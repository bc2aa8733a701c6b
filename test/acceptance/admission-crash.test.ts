import { resolve } from "node:path";
import { expect, test } from "vitest";
import { SECOND_MS, systemClock } from "../../src/kit/clock.js";
import { seededRandom } from "../../src/kit/random.js";
import { finding } from "../../src/services/company-monitoring/admission/testing/findings.js";
import { storeFindings } from "../../src/services/company-monitoring/store/scan/store-findings.js";
import { companiesIn } from "../../src/services/company-monitoring/store/tables.js";
import { add, inTurn, prepared } from "../../src/services/company-monitoring/store/testing/turns.js";
import { expectConsistent } from "../support/companies/expect-consistent.js";
import { startCrew } from "../support/crew.js";
import { availableStores } from "../support/stores.js";

const KILLS = Number(process.env["VIGIL_ADMISSION_KILLS"] || 60);
const SEED = Number(process.env["VIGIL_ADMISSION_SEED"] || 17);
const COMPANIES = 30;
/**
 * The titles of the events that each company has in a round. Two origins report each event under exactly this title,
 * and a third origin reports it under a longer title.
 */
const EVENTS = [
  "Fire at Orrin refinery burns tanks",
  "Orrin to cut 1,200 jobs in Ghent",
  "Orrin recalls heaters over hazard",
];
const TEST_MS_MAX = 20 * 60 * SECOND_MS;
const server = resolve(import.meta.dirname, "../support/companies/admission-process.mjs");

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name} (skipped: ${skipReason})`;
  test.skipIf(skipReason !== undefined)(
    `${title}: no impact is lost and none is published twice after ${KILLS} kills at random points of admission`,
    async () => {
      const store = await open();
      const { parts } = await prepared(store);
      const db = companiesIn(store.database.db);
      const random = seededRandom(SEED);
      let kills = 0;
      let roundMs = SECOND_MS;
      for (let round = 0; kills < KILLS; round += 1) {
        const accountId = `acct_${round}`;
        const publishedAt = systemClock.now();
        for (let number = 0; number < COMPANIES; number += 1) {
          const creation = await inTurn(parts, accountId, (turn) => add(turn, `Orrin ${number}`));
          if (!("company" in creation)) throw new Error("the company was not created");
          const { companyId } = creation.company;
          const findings = EVENTS.flatMap((text) => [
            finding({ title: text, publishedAt }),
            finding({ title: text, origin: "portal", publishedAt }),
            finding({ title: `${text} again`, origin: "wire-b", publishedAt }),
          ]);
          await store.database.db.transaction().execute((on) =>
            storeFindings(
              companiesIn(on),
              accountId,
              findings.map((item) => ({ companyId, finding: item })),
              publishedAt,
            ),
          );
        }
        for (let isWhole = false; !isWhole; ) {
          const crew = await startCrew(store, [server, store.dataDir]);
          const startedAt = performance.now();
          // After enough kills, no process is killed any more, so that the last round completes.
          const isKilled = kills < KILLS && random() < 0.7;
          if (isKilled) {
            await systemClock.sleep(random() * roundMs);
            if (crew.killOne(random)) kills += 1;
          }
          isWhole = await crew.ended;
          if (isWhole && !isKilled) roundMs = performance.now() - startedAt;
          await expectConsistentImpacts(accountId);
        }
        const impacts = await db
          .selectFrom("company_impact")
          .select(["company_id", "lifecycle"])
          .where("account_id", "=", accountId)
          .execute();
        expect(impacts.length).toBe(COMPANIES * EVENTS.length);
        expect(new Set(impacts.map(({ lifecycle }) => lifecycle))).toEqual(new Set(["admitted"]));
        const waiting = await db.selectFrom("company_finding").select("source_id").where("judged", "=", 0).execute();
        expect(waiting).toEqual([]);
      }
      await store.dispose();

      /** Expects that each published occurrence has an impact, an event and evidence, and each impact an occurrence. */
      async function expectConsistentImpacts(accountId: string): Promise<void> {
        await expectConsistent(store.database, accountId);
        const own = async (table: "company_impact" | "company_occurrence" | "company_event", column: string) => {
          const rows = await db.selectFrom(table).selectAll().where("account_id", "=", accountId).execute();
          return rows.map((row) => (row as unknown as Readonly<Record<string, unknown>>)[column]).sort();
        };
        const published = await own("company_occurrence", "impact_id");
        expect(await own("company_impact", "impact_id")).toEqual(published);
        expect(await own("company_event", "event_id")).toEqual(await own("company_occurrence", "occurrence_id"));
      }
    },
    TEST_MS_MAX,
  );
}
