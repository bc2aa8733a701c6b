import { expect, test } from "vitest";
import { describeEachStore } from "../../../../../test/support/stores.js";
import { unusedParts } from "../../../../../test/support/unused-parts.js";
import { viewOf } from "../../../../../test/support/views.js";
import type { PartStatus, Snapshot, UnavailableSnapshot } from "../../../../contract/snapshot.js";
import { HOUR_MS } from "../../../../kit/clock.js";
import { LoopTurns } from "../../../../kit/loop-turns.js";
import { sanctionsLists } from "../../../sanctions/datasets/sanctions-lists.js";
import type { ListedEntity } from "../../../sanctions/records.js";
import { admissionJob } from "../admission/admission-job.js";
import { eventOf } from "../listings.js";
import { companiesIn } from "../tables.js";
import { add, inTurn, prepared } from "../testing/turns.js";
import { scanJob } from "./scan-job.js";

const ACCOUNT = "acct_1";
const absent: UnavailableSnapshot = { available: false, state: "absent", reason: "", attempt: null };
const entity = (id: string, rest: Partial<ListedEntity> = {}): ListedEntity => ({
  id,
  name: "Orrin Shipping LLC",
  type: "entity",
  countries: ["US"],
  programs: ["EXAMPLE"],
  ...rest,
});
const sdn = entity("sdn:1");
// Listed years ago, so that the findings about the two entities are years apart.
const un = entity("un:1", { listedAt: Date.UTC(2014, 0) });

await describeEachStore((open) => {
  async function ready() {
    const { parts, clock } = await prepared(await open());
    await inTurn(parts, ACCOUNT, (turn) => add(turn, "Orrin Shipping"));
    const db = companiesIn(parts.database.db);
    let generation = 0;
    /**
     * Advances the clock by an hour. Then scans lists that contain these entries, and admits the findings of the scan.
     * Returns the lifecycle and the revision of each impact in the log.
     */
    async function listed(
      entries: readonly ListedEntity[],
      states: Readonly<Record<string, PartStatus["state"]>> = {},
    ) {
      clock.advance(HOUR_MS);
      generation += 1;
      const now = clock.now();
      const statusOf = (key: string): PartStatus => ({ state: states[key] ?? "fresh", confirmedAt: now, error: null });
      const of = (key: string) => entries.filter(({ id }) => id.startsWith(key));
      const sanctions = {
        available: true,
        state: "ok",
        view: viewOf(sanctionsLists, { sdn: of("sdn"), consolidated: [], sema: [], un: of("un") }),
        generation,
        contentHash: JSON.stringify(entries),
        builtAt: now,
        checkedAt: now,
        newestAt: null,
        nextBuildAt: null,
        attempt: null,
        parts: { sdn: statusOf("sdn"), un: statusOf("un") },
      } satisfies Snapshot<unknown>;
      const context = {
        observe: () => Promise.reject(new Error("scans send no requests")),
        logs: [],
        post: () => Promise.reject(new Error("scans send no requests")),
        ...unusedParts,
        standings: () => [],
        turns: new LoopTurns(),
        signal: new AbortController().signal,
      };
      await scanJob.run(parts, { ...context, snapshots: { filings: absent, news: absent, sanctions } });
      await admissionJob.run(parts, { ...context, snapshots: {} });
      const rows = await db
        .selectFrom("company_impact")
        .select(["lifecycle", "body"])
        .orderBy("visible_from")
        .execute();
      return rows.map(({ lifecycle, body }) => [lifecycle, JSON.parse(body).impactRevision]);
    }
    return { db, listed };
  }

  test("a delisting retracts the impact of the listing, the retracted impact stays visible, and a new listing begins another impact", async () => {
    const { db, listed } = await ready();
    expect(await listed([sdn])).toEqual([["admitted", 1]]);
    const retracted = [
      ["admitted", 1],
      ["retracted", 2],
    ];
    expect(await listed([])).toEqual(retracted);
    expect(await listed([])).toEqual(retracted);
    const { impact_id } = await db.selectFrom("company_impact").select("impact_id").executeTakeFirstOrThrow();
    expect(await eventOf(db, ACCOUNT, impact_id, 20)).toMatchObject({
      event: { title: "Orrin Shipping LLC is on the list OFAC SDN", lifecycle: "MATERIAL_IMPACT_LIFECYCLE_RETRACTED" },
      impact: { isCurrent: true, rationale: expect.stringContaining("every report was withdrawn") },
    });
    expect(await listed([sdn])).toEqual([...retracted, ["admitted", 1]]);
    expect(await listed([])).toEqual([...retracted, ["admitted", 1], ["retracted", 2]]);
  });

  test("while a list cannot be read, the impact of a missing entry is kept; the next read retracts it", async () => {
    const { listed } = await ready();
    await listed([sdn]);
    expect(await listed([], { sdn: "kept" })).toEqual([["admitted", 1]]);
    expect(await listed([], { sdn: "missing" })).toEqual([["admitted", 1]]);
    expect((await listed([])).at(-1)).toEqual(["retracted", 2]);
  });

  test("if two entries were listed years apart, delisting one retracts only the impact of that entry", async () => {
    const { listed } = await ready();
    expect(await listed([sdn, un])).toEqual([
      ["admitted", 1],
      ["admitted", 1],
    ]);
    expect((await listed([sdn])).slice(2)).toEqual([["retracted", 2]]);
    expect((await listed([])).slice(3)).toEqual([["retracted", 2]]);
  });

  test("an impact is corrected if only one of two lists removes the entity, and retracted if both lists do", async () => {
    const { listed } = await ready();
    const second = entity("un:1");
    expect(await listed([sdn, second])).toEqual([["admitted", 1]]);
    expect((await listed([second])).at(-1)).toEqual(["corrected", 2]);
    expect((await listed([])).at(-1)).toEqual(["retracted", 3]);
  });
});
