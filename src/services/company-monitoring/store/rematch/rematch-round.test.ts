import { expect, test } from "vitest";
import { describeEachStore } from "../../../../../test/support/stores.js";
import { HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import { LoopTurns } from "../../../../kit/loop-turns.js";
import { finding } from "../../admission/testing/findings.js";
import type { RegisterRecord } from "../../identity/resolve-identity.js";
import { createCompany } from "../../portfolio/create-company.js";
import { patchedCompany } from "../../portfolio/patched-company.js";
import type { ClaimKey } from "../../rules/claims.js";
import type { Finding } from "../../scan/finding.js";
import { admissionRound } from "../admission/admission-job.js";
import { identityRound } from "../scan/identity-round.js";
import { takeRequests } from "../scan/requested-scans.js";
import { storeFindings } from "../scan/store-findings.js";
import { companiesIn } from "../tables.js";
import { inState, inTurn, prepared } from "../testing/turns.js";
import { rematchRound } from "./rematch-round.js";

const ACCOUNT = "acct_1";
const { signal } = new AbortController();
const alias = (value: string): ClaimKey => ({ type: "COMPANY_CLAIM_TYPE_ALIAS", value });
const cik = (value: string): ClaimKey => ({ type: "COMPANY_CLAIM_TYPE_LEGAL_IDENTIFIER", value: `CIK:${value}` });

const listing: Partial<Finding> = {
  provider: "MONITORING_PROVIDER_SANCTIONS",
  sourceId: "sdn:1",
  origin: "sanctions sdn",
  authorityTier: "EVIDENCE_AUTHORITY_TIER_PRIMARY_VERIFIED",
  title: "Rosneft is on the list OFAC SDN",
  matchedBy: "name Rosneft, country US",
};
const filing: Partial<Finding> = {
  provider: "MONITORING_PROVIDER_FILINGS",
  sourceId: "0000000077-26-000001",
  origin: "CIK 77",
  authorityTier: "EVIDENCE_AUTHORITY_TIER_PRIMARY_VERIFIED",
  title: "Quiet Mills: form 8-K",
  attribution: 1,
  matchedBy: "CIK 77",
  filingItems: ["1.03"],
};

await describeEachStore((open) => {
  async function ready(...claims: readonly ClaimKey[]) {
    const { parts, clock } = await prepared(await open());
    const db = companiesIn(parts.database.db);
    const name = "Quiet Mills Ltd";
    const draft = { name, domicileCountry: "US", customerReference: undefined, claims: [alias(name), ...claims] };
    const creation = await inTurn(parts, ACCOUNT, (turn) => createCompany(turn, draft, undefined));
    if (!("company" in creation)) throw new Error("the company was not created");
    const { companyId } = creation.company;
    const find = (...findings: readonly Partial<Finding>[]) => {
      const own = findings.map((more) => ({ companyId, finding: finding({ publishedAt: clock.now(), ...more }) }));
      return storeFindings(db, ACCOUNT, own, clock.now());
    };
    const patch = (added: readonly ClaimKey[], removed: readonly string[]) =>
      inTurn(parts, ACCOUNT, async (turn) => {
        const company = await turn.find(companyId);
        if (!company) throw new Error("the company is missing");
        const removeClaimIds = company.claims.filter(({ value }) => removed.includes(value)).map((it) => it.claimId);
        const change = { name: undefined, domicileCountry: undefined, customerReference: undefined };
        const result = patchedCompany(
          company,
          { ...change, addClaims: added, removeClaimIds },
          turn.newClaimId,
          turn.now,
        );
        if (result.outcome !== "changed") throw new Error(result.outcome);
        await turn.replace(company, result.company);
      });
    const judge = async () => {
      await admissionRound(parts, signal);
      const rows = await db.selectFrom("company_impact").select("lifecycle").orderBy("visible_from").execute();
      return rows.map(({ lifecycle }) => lifecycle);
    };
    const rematch = async () => {
      clock.advance(MINUTE_MS);
      expect(await rematchRound(parts, new LoopTurns(), signal)).toEqual([]);
      return judge();
    };
    const waiting = async () => (await db.selectFrom("company_rematch").selectAll().execute()).length;
    return { parts, clock, db, companyId, find, patch, judge, rematch, waiting };
  }

  test("an impact that rests on a removed alias is retracted through the log, and a new one begins once the alias is declared again", async () => {
    const { db, find, patch, judge, rematch, waiting } = await ready(alias("Rosneft"));
    await find(listing);
    expect(await judge()).toEqual(["admitted"]);
    await patch([], ["Rosneft"]);
    expect(await rematch()).toEqual(["admitted", "retracted"]);
    expect(await rematch()).toEqual(["admitted", "retracted"]);
    expect(await waiting()).toBe(0);
    const changes = await db.selectFrom("company_change").select("kind").where("kind", "=", "impact").execute();
    expect(changes).toHaveLength(2);
    await patch([alias("Rosneft")], []);
    expect(await rematch()).toEqual(["admitted", "retracted", "admitted"]);
  });

  test("no impact is admitted from a finding that has to be matched again, and none after it matches no more", async () => {
    const { find, patch, judge, rematch } = await ready(alias("Rosneft"));
    await find(listing);
    await patch([], ["Rosneft"]);
    expect(await judge()).toEqual([]);
    expect(await rematch()).toEqual([]);
  });

  test("a held occurrence of a changed company waits until its findings are matched again", async () => {
    const { db, clock, find, patch, judge, rematch } = await ready(alias("Orrin Refining"));
    await find({ title: "Fire at Orrin Refining plant injures two workers", attribution: 0.6 });
    expect(await judge()).toEqual([]);
    const held = await occurrences();
    expect(held).toEqual([{ judged_at: clock.now(), next_at: expect.any(Number) }]);
    await patch([], ["Orrin Refining"]);
    clock.advance(7 * HOUR_MS);
    await judge();
    expect(await occurrences()).toEqual(held);
    await rematch();
    expect(await occurrences()).toEqual([]);
    function occurrences() {
      return db.selectFrom("company_occurrence").select(["judged_at", "next_at"]).execute();
    }
  });

  test("all findings of a company are matched again, however many there are", async () => {
    const { db, find, patch, rematch, waiting } = await ready(alias("Orrin Refining"));
    const titles = Array.from({ length: 2_001 }, (_, at) => `Fire at Orrin Refining plant ${at} injures two workers`);
    await find(...titles.map((title, at) => ({ title, sourceId: `story ${at}` })));
    await patch([], ["Orrin Refining"]);
    await rematch();
    const kept = await db.selectFrom("company_finding").select("source_id").where("withdrawn", "=", 0).execute();
    expect([kept.length, await waiting()]).toEqual([0, 0]);
  });

  test("a company whose findings cannot be matched moves to the end of the queue", async () => {
    const { parts, db, clock, companyId, find, patch } = await ready(alias("Rosneft"));
    await find(listing);
    await db.updateTable("company_finding").set({ body: "{" }).execute();
    await patch([], ["Rosneft"]);
    clock.advance(MINUTE_MS);
    expect(await rematchRound(parts, new LoopTurns(), signal)).toEqual([expect.any(SyntaxError)]);
    const requests = await db.selectFrom("company_rematch").select(["company_id", "requested_at"]).execute();
    expect(requests).toEqual([{ company_id: companyId, requested_at: clock.now() }]);
  });

  test("an impact stays and is corrected if only some of its reports named the removed alias", async () => {
    const { find, patch, judge, rematch } = await ready(alias("Orrin Refining"));
    await find(
      { title: "Fire at Orrin Refining plant injures two workers" },
      { title: "Fire at Quiet Mills Ltd plant injures two workers", origin: "wire-b", publisher: "Wire B" },
      { title: "Quiet Mills Ltd plant fire injures two", origin: "wire-c", publisher: "Wire C" },
    );
    expect(await judge()).toEqual(["admitted"]);
    await patch([], ["Orrin Refining"]);
    expect(await rematch()).toEqual(["admitted", "corrected"]);
  });

  test("reports that were too uncertain lead to an impact once an added alias names the company in them", async () => {
    const { find, patch, judge, rematch } = await ready();
    const weak = { attribution: 0.6, matchedBy: "name in title" };
    await find(
      { ...weak, title: "Fire at Orrin Refining plant injures two workers" },
      { ...weak, title: "Orrin Refining plant fire injures two", origin: "wire-b", publisher: "Wire B" },
    );
    expect(await judge()).toEqual([]);
    await patch([alias("Orrin Refining")], []);
    expect(await rematch()).toEqual(["admitted"]);
  });

  test("a scan restores a withdrawn finding that it finds again, and skips a duplicate within one scan", async () => {
    const { db, find, patch, judge, rematch } = await ready(alias("Rosneft"));
    await find(listing);
    await judge();
    await patch([], ["Rosneft"]);
    await rematch();
    await find({ ...listing, matchedBy: "name Quiet Mills" }, { ...listing, matchedBy: "name Rosneft" });
    expect(await judge()).toEqual(["admitted", "retracted", "admitted"]);
    const rows = await db.selectFrom("company_finding").select(["body", "withdrawn"]).execute();
    expect(rows).toMatchObject([{ withdrawn: 0, body: expect.stringContaining("name Quiet Mills") }]);
  });

  test("the findings of a paused company are matched again once it is active", async () => {
    const { parts, companyId, clock, find, patch, judge, rematch, waiting } = await ready(alias("Rosneft"));
    await find(listing);
    await judge();
    await patch([], ["Rosneft"]);
    const setState = (lifecycle: "active" | "paused") =>
      inTurn(parts, ACCOUNT, async (turn) => {
        const company = await turn.find(companyId);
        if (company) await turn.replace(company, inState(company, lifecycle, clock.now()));
      });
    await setState("paused");
    expect(await rematch()).toEqual(["admitted"]);
    expect(await waiting()).toBe(1);
    await setState("active");
    expect(await rematch()).toEqual(["admitted", "retracted"]);
  });

  test("a filing under a removed number is withdrawn by the next lookup in a register, unless the register confirms the number", async () => {
    for (const isConfirmed of [false, true]) {
      const { parts, clock, db, find, patch, judge, rematch } = await ready(cik("77"));
      await find(filing);
      expect(await judge()).toEqual(["admitted"]);
      await patch([], ["CIK:77"]);
      expect(await rematch()).toEqual(["admitted"]);
      await takeRequests(db, () => ["MONITORING_PROVIDER_REGISTER"], clock.now());
      const record = { register: "SEC", recordId: "77", legalName: "Quiet Mills Ltd", formerNames: [], isActive: true };
      const records = isConfirmed ? [record as RegisterRecord] : [];
      const readAt = clock.now();
      const lookUp = async () => ({ state: "read", records, readAt }) as const;
      await identityRound(parts, { registers: [{ name: "SEC", appliesTo: () => true, lookUp }], signal });
      clock.advance(HOUR_MS);
      expect(await judge()).toEqual(isConfirmed ? ["admitted"] : ["admitted", "retracted"]);
    }
  });
});
