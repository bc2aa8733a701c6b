import { expect, test } from "vitest";
import { describeEachStore } from "../../../../../test/support/stores.js";
import { HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import type { RegisterAnswer } from "../../identity/register.js";
import type { RegisterRecord } from "../../identity/resolve-identity.js";
import { VERIFIED_MS } from "../../identity/resolve-identity.js";
import { servedCompany } from "../../portfolio/served-company.js";
import { companyOf } from "../company-row.js";
import { companiesIn } from "../tables.js";
import { add, inTurn, prepared } from "../testing/turns.js";
import { identityRound } from "./identity-round.js";
import { takeRequests } from "./requested-scans.js";

const record = (legalName: string, recordId = "1"): RegisterRecord => ({
  register: "SEC",
  recordId,
  legalName,
  formerNames: [],
  isActive: true,
});

await describeEachStore((open) => {
  async function monitored() {
    const { parts, clock } = await prepared(await open());
    const db = companiesIn(parts.database.db);
    const creation = await inTurn(parts, "acc_a", (turn) => add(turn, "Vigil Inc"));
    if (!("company" in creation)) throw new Error("not created");
    await takeRequests(db, () => ["MONITORING_PROVIDER_REGISTER"], clock.now());
    const current = async () => {
      const rows = db.selectFrom("company_version").selectAll().where("visible_to", "is", null);
      return companyOf(await rows.executeTakeFirstOrThrow());
    };
    const round = (answer: RegisterAnswer | undefined) =>
      identityRound(parts, {
        registers: [{ name: "SEC", appliesTo: () => true, lookUp: async () => answer }],
        signal: new AbortController().signal,
      });
    const read = (...records: readonly RegisterRecord[]): RegisterAnswer => ({
      state: "read",
      records,
      readAt: clock.now(),
    });
    const changes = async () =>
      (await db.selectFrom("company_change").select("kind").orderBy("position").execute()).map(({ kind }) => kind);
    return { parts, clock, db, current, round, read, changes, company: creation.company };
  }

  test("a confirmed claim is verified once, and a scan is requested, because more providers may now apply", async () => {
    const { clock, db, current, round, read, changes } = await monitored();
    await round(read(record("VIGIL INC.")));
    const [claim] = servedCompany(await current(), clock.now()).claims;
    expect(claim).toMatchObject({
      trustState: "COMPANY_CLAIM_TRUST_STATE_VERIFIED",
      verifiedBy: "SEC 1",
      verifiedAt: new Date(clock.now()).toISOString(),
      expiresAt: new Date(clock.now() + VERIFIED_MS).toISOString(),
    });
    expect(await changes()).toContain("coverage");
    expect(await db.selectFrom("company_scan").selectAll().execute()).toHaveLength(1);
    const before = await changes();
    clock.advance(HOUR_MS);
    await round(read(record("VIGIL INC.")));
    expect(await changes()).toEqual(before);
    clock.advance(VERIFIED_MS);
    expect(servedCompany(await current(), clock.now()).claims[0]?.trustState).toBe("COMPANY_CLAIM_TRUST_STATE_EXPIRED");
  });

  test("an ambiguous result of a lookup is stored, and removed when the company changes", async () => {
    const { parts, db, current, round, read, company } = await monitored();
    await round(read(record("Vigil Inc", "1"), record("Vigil Inc", "2")));
    const states = async () =>
      (await db.selectFrom("company_identity").select("state").execute()).map(({ state }) => state);
    expect(await states()).toEqual(["ambiguous"]);
    expect((await current()).claims.map(({ trustState }) => trustState)).toEqual([
      "COMPANY_CLAIM_TRUST_STATE_DECLARED",
    ]);
    await inTurn(parts, "acc_a", (turn) => turn.replace(company, { ...company, name: "Other" }));
    expect(await states()).toEqual([]);
  });

  test("a failed lookup is repeated within a minute and revokes no verification", async () => {
    const { clock, db, current, round, read } = await monitored();
    await round(read(record("VIGIL INC.")));
    clock.advance(HOUR_MS);
    await round({ state: "failed", reasonCode: "rate_limited" });
    expect((await current()).claims[0]?.trustState).toBe("COMPANY_CLAIM_TRUST_STATE_VERIFIED");
    const window = await db.selectFrom("company_window").selectAll().executeTakeFirstOrThrow();
    expect(window).toMatchObject({ state: "failed", reason: "rate_limited", ended_count: 1, lease: null });
    expect((window.due_at ?? 0) - clock.now()).toBeLessThan(MINUTE_MS);
    clock.advance(MINUTE_MS);
    await round(read());
    expect((await current()).claims[0]?.trustState).toBe("COMPANY_CLAIM_TRUST_STATE_DECLARED");
  });
});
