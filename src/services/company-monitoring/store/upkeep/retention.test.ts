import { expect, test } from "vitest";
import { impactOf, revised } from "../../../../../test/support/companies/impacts.js";
import { describeEachStore } from "../../../../../test/support/stores.js";
import { DAY_MS, HOUR_MS } from "../../../../kit/clock.js";
import type { CompanyMaterialImpact } from "../../event-records.js";
import { takeTurn } from "../account-turn.js";
import { boundaryAt, isListable } from "../change-log.js";
import { appendImpact } from "../impact-log.js";
import { listedImpacts } from "../listings.js";
import { companiesIn } from "../tables.js";
import { add, inState, inTurn, prepared } from "../testing/turns.js";
import { thinCompanies } from "./retention.js";

/** An impact, without the positions between which it is visible. */
const impact = {
  account_id: "acc_a",
  impact_id: "cm_impact_00000000000000000000000000",
  company_id: "cm_company_00000000000000000000000000",
  event_id: "cm_event_00000000000000000000000000",
  direction: "negative",
  lifecycle: "admitted",
  body: "{}",
};

await describeEachStore((open) => {
  /** Creates a company and removes it an hour later. */
  async function removedCompany() {
    const store = await open();
    const { parts, clock } = await prepared(store);
    const creation = await inTurn(parts, "acc_a", (turn) => add(turn, "A", "request-1"));
    if (!("company" in creation)) throw new Error("not created");
    clock.advance(HOUR_MS);
    const { company } = creation;
    await inTurn(parts, "acc_a", (turn) => turn.replace(company, inState(company, "removed", turn.now)));
    const db = companiesIn(store.database.db);
    const positions = async () => ({
      versions: (await db.selectFrom("company_version").select("visible_from").orderBy("visible_from").execute()).map(
        ({ visible_from }) => visible_from,
      ),
      changes: (await db.selectFrom("company_change").select("position").orderBy("position").execute()).map(
        ({ position }) => position,
      ),
      oldest: (await db.selectFrom("company_account").select("oldest_position").executeTakeFirstOrThrow())
        .oldest_position,
      listsFrom: (await db.selectFrom("company_account").select("lists_from").executeTakeFirstOrThrow()).lists_from,
      requests: (await db.selectFrom("company_request").selectAll().execute()).length,
    });
    return { parts, clock, db, positions };
  }

  test("a superseded version is kept for 25 hours, for lists that were started before it was superseded", async () => {
    const { parts, clock, positions } = await removedCompany();
    clock.advance(25 * HOUR_MS);
    await thinCompanies(parts);
    expect((await positions()).versions).toEqual([1, 2]);
    clock.advance(1);
    await thinCompanies(parts);
    expect(await positions()).toEqual({ versions: [2], changes: [1, 2], oldest: 1, listsFrom: 2, requests: 1 });
  });

  test("changes leave the log after 90 days, in order, and the oldest remaining position is stored", async () => {
    const { parts, clock, positions } = await removedCompany();
    clock.advance(90 * DAY_MS - HOUR_MS);
    await thinCompanies(parts);
    expect(await positions()).toMatchObject({ changes: [1, 2], oldest: 1 });
    clock.advance(1);
    await thinCompanies(parts);
    expect(await positions()).toMatchObject({ changes: [2], oldest: 2 });
  });

  test("90 days after its removal, a company leaves the lists and the log gets a new entry; 25 hours later, its row is deleted", async () => {
    const { parts, clock, db, positions } = await removedCompany();
    clock.advance(90 * DAY_MS + 1);
    await thinCompanies(parts);
    expect(await positions()).toEqual({ versions: [2], changes: [3], oldest: 3, listsFrom: 2, requests: 0 });
    const version = await db.selectFrom("company_version").select("visible_to").executeTakeFirstOrThrow();
    expect(version.visible_to).toBe(3);
    const { generation } = await db.selectFrom("company_account").select("generation").executeTakeFirstOrThrow();
    expect(generation).toBe(2);
    clock.advance(25 * HOUR_MS + 1);
    await thinCompanies(parts);
    expect((await positions()).versions).toEqual([]);
    const again = await inTurn(parts, "acc_a", (turn) => add(turn, "Another", "request-1"));
    expect(again.outcome).toBe("created");
  });

  test("a superseded impact is kept while its change is in the log", async () => {
    const { parts, clock, db } = await removedCompany();
    await db
      .insertInto("company_impact")
      .values([
        { ...impact, visible_from: 1, visible_to: 2, superseded_at: clock.now() },
        { ...impact, visible_from: 2, visible_to: null, superseded_at: null },
      ])
      .execute();
    const versions = async () =>
      (await db.selectFrom("company_impact").select("visible_from").orderBy("visible_from").execute()).length;
    clock.advance(80 * DAY_MS);
    await thinCompanies(parts);
    expect(await versions()).toBe(2);
    clock.advance(11 * DAY_MS);
    await thinCompanies(parts);
    expect(await versions()).toBe(1);
  });

  test("an old impact that was superseded a moment ago stays on the second page of a list, and is removed 25 hours later", async () => {
    const { parts, clock, db, positions } = await removedCompany();
    const append = (impact: CompanyMaterialImpact) =>
      parts.database.db.transaction().execute(async (on) => {
        await takeTurn(companiesIn(on), "acc_a");
        await appendImpact(companiesIn(on), "acc_a", impact, clock.now());
      });
    const old = impactOf(clock.now());
    const newer = impactOf(clock.now() + 1);
    await append(old);
    await append(newer);
    clock.advance(91 * DAY_MS);
    // The upkeep ends the removed company, so that `lists_from` rises only for the impact from here on.
    await thinCompanies(parts);
    clock.advance(26 * HOUR_MS);
    await thinCompanies(parts);
    const boundary = await boundaryAt(db, "acc_a", clock.now());
    await append(revised(old, clock.now()));
    const everything = { companyId: [], direction: [], lifecycle: [] };
    const secondPage = async () => {
      const page = { ...boundary, after: newer.impactId, rowsMax: 1 };
      const impacts = await listedImpacts(db, "acc_a", everything, page);
      return { impacts, isListable: await isListable(db, "acc_a", boundary) };
    };
    await thinCompanies(parts);
    expect(await secondPage()).toEqual({ impacts: [old], isListable: true });
    clock.advance(25 * HOUR_MS);
    await thinCompanies(parts);
    expect(await secondPage()).toEqual({ impacts: [old], isListable: true });
    clock.advance(1);
    await thinCompanies(parts);
    expect(await secondPage()).toEqual({ impacts: [], isListable: false });
    expect((await positions()).listsFrom).toBe(boundary.watermark + 1);
  });

  test("an impact that ended before the last removed version does not lower the position from which lists can be read", async () => {
    const { parts, clock, db, positions } = await removedCompany();
    const supersededAt = clock.now();
    clock.advance(25 * HOUR_MS + 1);
    await thinCompanies(parts);
    expect((await positions()).listsFrom).toBe(2);
    await db
      .insertInto("company_impact")
      .values({ ...impact, visible_from: 0, visible_to: 1, superseded_at: supersededAt })
      .execute();
    await thinCompanies(parts);
    expect(await db.selectFrom("company_impact").selectAll().execute()).toEqual([]);
    expect((await positions()).listsFrom).toBe(2);
  });

  test("a company that is not removed is kept for ever", async () => {
    const store = await open();
    const { parts, clock } = await prepared(store);
    await inTurn(parts, "acc_a", (turn) => add(turn, "A", "request-1"));
    clock.advance(1_000 * DAY_MS);
    await thinCompanies(parts);
    expect((await inTurn(parts, "acc_a", (turn) => add(turn, "A", "request-1"))).outcome).toBe("replayed");
  });

  test("findings are removed after 90 days, except those of sanctions lists", async () => {
    const { parts, clock, db } = await removedCompany();
    const finding = { account_id: "acc_a", company_id: "1", published_at: 0, body: "{}", judged: 1 };
    const rows = ["news", "filings", "search", "social", "sanctions"].flatMap((provider) =>
      Array.from({ length: provider === "news" ? 1_001 : 1 }, (_, at) => ({
        ...finding,
        provider,
        source_id: String(at),
        found_at: clock.now(),
      })),
    );
    await db.insertInto("company_finding").values(rows).execute();
    const kept = async () =>
      (await db.selectFrom("company_finding").select("provider").distinct().orderBy("provider").execute()).map(
        ({ provider }) => provider,
      );
    clock.advance(90 * DAY_MS);
    await thinCompanies(parts);
    expect(await kept()).toEqual(["filings", "news", "sanctions", "search", "social"]);
    clock.advance(1);
    await thinCompanies(parts);
    expect(await kept()).toEqual(["sanctions"]);
  });

  test("decisions and unpublished occurrences are removed after 90 days, and published occurrences stay", async () => {
    const { parts, clock, db } = await removedCompany();
    const place = { account_id: "acc_a", company_id: "1" };
    const judged = {
      ...place,
      lifecycle: null,
      statement: null,
      members: "[]",
      newest_at: 0,
      next_at: null,
      decision: "{}",
    };
    const at = clock.now();
    await db
      .insertInto("company_occurrence")
      .values([
        { ...judged, occurrence_id: "held", outcome: "expire", impact_id: null, judged_at: at },
        { ...judged, occurrence_id: "published", outcome: "publish", impact_id: "impact", judged_at: at },
      ])
      .execute();
    await db
      .insertInto("company_decision")
      .values({ ...place, occurrence_id: "held", ordinal: 1, decided_at: at, body: "{}" })
      .execute();
    const kept = async () => [
      (await db.selectFrom("company_occurrence").select("occurrence_id").orderBy("occurrence_id").execute()).length,
      (await db.selectFrom("company_decision").select("ordinal").execute()).length,
    ];
    clock.advance(90 * DAY_MS);
    await thinCompanies(parts);
    expect(await kept()).toEqual([2, 1]);
    clock.advance(1);
    await thinCompanies(parts);
    expect(await kept()).toEqual([1, 0]);
  });
});
