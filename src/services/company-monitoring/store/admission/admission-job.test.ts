import { expect, test } from "vitest";
import { describeEachStore } from "../../../../../test/support/stores.js";
import type { StoreParts } from "../../../../database/service-store.js";
import { HOUR_MS } from "../../../../kit/clock.js";
import { finding } from "../../admission/testing/findings.js";
import type { Company } from "../../portfolio/company.js";
import type { Finding } from "../../scan/finding.js";
import { eventOf } from "../listings.js";
import { storeFindings } from "../scan/store-findings.js";
import { companiesIn } from "../tables.js";
import { add, inState, inTurn, prepared } from "../testing/turns.js";
import { admissionRound } from "./admission-job.js";

const ACCOUNT = "acct_1";
const { signal } = new AbortController();
const wireB = { publisher: "Wire B", origin: "wire-b", title: "Blaze at Orrin refinery injures two" };

await describeEachStore((open) => {
  async function ready() {
    const store = await open();
    const { parts, clock } = await prepared(store);
    const creation = await inTurn(parts, ACCOUNT, (turn) => add(turn, "Orrin"));
    if (!("company" in creation)) throw new Error("the company was not created");
    const { company } = creation;
    const now = clock.now();
    const find = (...findings: readonly Finding[]): Promise<void> => addFindings(parts, company, findings);
    const judge = (): Promise<void> => admissionRound(parts, signal);
    return { store, parts, clock, company, find, judge, now, db: companiesIn(store.database.db) };
  }

  async function addFindings(parts: StoreParts, { companyId }: Company, findings: readonly Finding[]): Promise<void> {
    const own = findings.map((item) => ({ companyId, finding: item }));
    await parts.database.db
      .transaction()
      .execute((on) => storeFindings(companiesIn(on), ACCOUNT, own, parts.clock.now()));
  }

  type Ready = Awaited<ReturnType<typeof ready>>;

  /** Returns the revisions of all impacts in the order of the log. */
  async function revisions({ db }: Pick<Ready, "db">): Promise<readonly string[]> {
    const rows = await db
      .selectFrom("company_impact")
      .select(["lifecycle", "direction"])
      .orderBy("visible_from")
      .execute();
    return rows.map(({ lifecycle, direction }) => `${lifecycle} ${direction}`);
  }

  test("an event is admitted once two origins report it, then corrected by a correction and retracted by a retraction", async () => {
    const at = await ready();
    const { clock, find, judge, now, db } = at;
    await find(finding({ publishedAt: now }));
    await judge();
    expect(await revisions(at)).toEqual([]);
    await find(finding({ ...wireB, publishedAt: now }), finding({ origin: "portal", publishedAt: now }));
    await judge();
    expect(await revisions(at)).toEqual(["admitted negative"]);
    clock.advance(HOUR_MS);
    await find(finding({ title: "Correction: small fire at the Orrin refinery", publishedAt: clock.now() }));
    await judge();
    expect(await revisions(at)).toEqual(["admitted negative", "corrected mixed"]);
    clock.advance(HOUR_MS);
    await find(finding({ title: "Retraction: fire at the Orrin refinery", publishedAt: clock.now() }));
    await judge();
    await judge();
    expect(await revisions(at)).toEqual(["admitted negative", "corrected mixed", "retracted mixed"]);

    const { impact_id } = await db.selectFrom("company_impact").select("impact_id").executeTakeFirstOrThrow();
    const detail = await eventOf(db, ACCOUNT, impact_id, 20);
    expect(detail).toMatchObject({
      event: { category: "accident", lifecycle: "MATERIAL_IMPACT_LIFECYCLE_RETRACTED", revision: 3 },
      impact: { impactRevision: 3, isCurrent: true, evidenceTotalCount: 2 },
      evidenceTotalCount: 2,
    });
    const decisions = await db.selectFrom("company_decision").select("body").orderBy("ordinal").execute();
    expect(decisions.map(({ body }) => JSON.parse(body).outcome)).toEqual(["hold", "publish", "publish", "hold"]);
    const waiting = await db.selectFrom("company_finding").select("source_id").where("judged", "=", 0).execute();
    expect(waiting).toEqual([]);
  });

  test("a held event is reconsidered each time it is due, expires after 72 hours, and is admitted if a second origin reports it after that", async () => {
    const at = await ready();
    const { clock, find, judge, now, db } = at;
    await find(finding({ publishedAt: now }));
    const outcome = () => db.selectFrom("company_occurrence").select(["outcome", "next_at"]).executeTakeFirstOrThrow();
    for (const [hours, next] of [
      [0, 6],
      [6, 24],
      [18, 48],
      [24, 72],
    ] as const) {
      clock.advance(hours * HOUR_MS);
      await judge();
      expect(await outcome()).toEqual({ outcome: "hold", next_at: now + next * HOUR_MS });
    }
    clock.advance(24 * HOUR_MS);
    await judge();
    expect(await outcome()).toEqual({ outcome: "expire", next_at: null });
    await find(finding({ ...wireB, publishedAt: now + HOUR_MS }));
    await judge();
    expect(await revisions(at)).toEqual(["admitted negative"]);
  });

  test("if a round is interrupted at any point and then repeated, no impact is lost or duplicated", async () => {
    for (let calls = 0; calls < 6; calls += 1) {
      const at = await ready();
      const { find, judge, now, parts, db } = at;
      await find(finding({ publishedAt: now }), finding({ ...wireB, publishedAt: now }));
      let left = calls;
      const randomBytes = (count: number): Buffer => {
        left -= 1;
        if (left < 0) throw new Error("cut off");
        return parts.randomBytes(count);
      };
      await admissionRound({ ...parts, randomBytes }, signal).catch(() => undefined);
      await judge();
      expect(await revisions(at)).toEqual(["admitted negative"]);
      const counts = await Promise.all(
        (["company_event", "company_occurrence", "company_decision"] as const).map(
          async (table) => (await db.selectFrom(table).selectAll().execute()).length,
        ),
      );
      expect(counts).toEqual([1, 1, 1]);
    }
  });

  test("two nodes that assess findings at the same time publish an event once", async () => {
    const at = await ready();
    const { store, find, now, parts } = at;
    await find(finding({ publishedAt: now }), finding({ ...wireB, publishedAt: now }));
    const other = { ...parts, database: await store.openAgain() };
    await Promise.all([admissionRound(parts, signal), admissionRound(other, signal)]);
    expect(await revisions(at)).toEqual(["admitted negative"]);
  });

  test("the findings of a paused company wait until it is active again", async () => {
    const at = await ready();
    const { company, find, judge, now, parts } = at;
    const paused = inState(company, "paused", now);
    await inTurn(parts, ACCOUNT, (turn) => turn.replace(company, paused));
    await find(finding({ publishedAt: now }), finding({ ...wireB, publishedAt: now }));
    await judge();
    expect(await revisions(at)).toEqual([]);
    await inTurn(parts, ACCOUNT, (turn) => turn.replace(paused, company));
    await judge();
    expect(await revisions(at)).toEqual(["admitted negative"]);
  });

  test("if two events turn out to be the same, one impact stays and the other is retracted", async () => {
    const at = await ready();
    const { find, judge, now } = at;
    const primary = { authorityTier: "EVIDENCE_AUTHORITY_TIER_PRIMARY_VERIFIED", origin: "mayor" } as const;
    await find(
      finding({ ...primary, title: "Fire at Orrin depot in Ghent burns tanks", publishedAt: now }),
      finding({
        ...primary,
        origin: "police",
        title: "Explosion shakes harbour as Orrin blaze spreads",
        publishedAt: now,
      }),
    );
    await judge();
    expect(await revisions(at)).toEqual(["admitted negative", "admitted negative"]);
    await find(
      finding({ title: "Orrin depot fire in Ghent burns tanks after explosion shakes harbour", publishedAt: now }),
    );
    await judge();
    expect((await revisions(at)).slice(2).sort()).toEqual(["corrected negative", "retracted negative"]);
  });
});
