import { expect, test } from "vitest";
import { describeEachStore } from "../../../../../test/support/stores.js";
import { budgetStore } from "../../../../database/budgets.js";
import type { StoreParts } from "../../../../database/service-store.js";
import { principalOf } from "../../../../database/testing/store-parts.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../kit/clock.js";
import { LoopTurns } from "../../../../kit/loop-turns.js";
import type { Company } from "../../portfolio/company.js";
import type { SearchAnswer, SearchProvider } from "../../scan/search/search-provider.js";
import { companyDirectoryOf } from "../company-directory.js";
import { takeRequests } from "../scan/requested-scans.js";
import { companiesIn } from "../tables.js";
import { add, inState, inTurn, prepared, verified } from "../testing/turns.js";
import { searchRound } from "./search-round.js";

const SEARCH = "MONITORING_PROVIDER_SEARCH";
const EVERY_MS = 12 * HOUR_MS;
const ACCOUNT = "acc_a";

const providerOf = (ask: SearchProvider["ask"]): SearchProvider => ({
  provider: SEARCH,
  everyMs: EVERY_MS,
  freshMs: 36 * HOUR_MS,
  firstMs: 24 * HOUR_MS,
  reachMs: 7 * 24 * HOUR_MS,
  lagMs: 0,
  fitsTogether: ({ length }) => length === 1,
  ask,
});

const failed = (reasonCode: "rate_limited" | "timeout"): SearchAnswer => ({
  state: "failed",
  reasonCode,
  isRefused: reasonCode === "rate_limited",
});

await describeEachStore((open) => {
  async function monitored(names: readonly string[], accounts = [ACCOUNT]) {
    const { parts, clock } = await prepared(await open());
    const db = companiesIn(parts.database.db);
    const companies: Company[] = [];
    for (const accountId of accounts) {
      for (const name of names) {
        const creation = await inTurn(parts, accountId, (turn) => add(turn, name));
        if (!("company" in creation)) throw new Error("not created");
        await inTurn(parts, accountId, (turn) => turn.replace(creation.company, verified(creation.company)));
        companies.push(creation.company);
      }
    }
    await takeRequests(db, () => [SEARCH], clock.now());
    const queries: string[] = [];
    const round = (answer: (name: string) => SearchAnswer | Promise<SearchAnswer>) =>
      searchRound(parts, {
        provider: providerOf(async ([company]) => {
          queries.push(`${company?.accountId} ${company?.name}`);
          return answer(company?.name ?? "");
        }),
        turns: new LoopTurns(),
        signal: new AbortController().signal,
      });
    const read = (title?: string): SearchAnswer => ({
      state: "read",
      texts: title === undefined ? [] : [textOf(title)],
      isCapped: false,
      readAt: clock.now(),
    });
    return { parts, clock, db, companies, queries, round, read };
  }

  const textOf = (title: string) => ({
    parts: [{ text: title, kind: "title" as const }],
    finding: {
      provider: SEARCH,
      sourceId: "https://wire.example/1",
      canonicalUrl: "https://wire.example/1",
      publisher: "Wire",
      origin: "wire",
      authorityTier: "EVIDENCE_AUTHORITY_TIER_ORDINARY",
      title,
      excerpt: "",
      publishedAt: 1,
    } as const,
  });

  const coverageOf = async (parts: StoreParts, companyId: string, accountId = ACCOUNT) => {
    const call = { principal: principalOf(accountId), actor: "key_1", address: "", db: parts.database.db };
    const coverage = await companyDirectoryOf(parts, call).coverage(companyId);
    const provider = coverage?.providers.find((window) => window.provider === SEARCH);
    return [coverage?.state.replace("COMPANY_COVERAGE_STATE_", ""), provider?.reasonCode, provider?.capped];
  };

  test("a failed, capped or malformed search changes the coverage immediately, and the next complete search restores it", async () => {
    const { parts, clock, companies, round, read } = await monitored(["Orrin Shipping"]);
    const companyId = companies[0]?.companyId ?? "";
    const next = async (answer: () => SearchAnswer) => {
      clock.advance(EVERY_MS);
      await round(answer);
      return coverageOf(parts, companyId);
    };
    expect(await next(() => failed("timeout"))).toEqual(["UNAVAILABLE", "timeout", false]);
    expect(await next(() => read())).toEqual(["ADEQUATE", "complete", false]);
    expect(await next(() => failed("rate_limited"))).toEqual(["PARTIAL", "rate_limited", false]);
    expect(await next(() => read())).toEqual(["ADEQUATE", "complete", false]);
    expect(await next(() => ({ ...read(), isCapped: true }) as SearchAnswer)).toEqual(["PARTIAL", "capped", true]);
    expect(await next(() => ({ ...read(), lacks: "malformed" }) as SearchAnswer)).toEqual([
      "PARTIAL",
      "malformed",
      false,
    ]);
    expect(await next(() => read())).toEqual(["ADEQUATE", "complete", false]);
  });

  test("a failed search is repeated after 30 s, and a complete search after its interval", async () => {
    const { clock, queries, round, read } = await monitored(["Orrin Shipping"]);
    await round(() => failed("rate_limited"));
    await round(() => read());
    expect(queries).toHaveLength(1);
    clock.advance(30 * SECOND_MS);
    await round(() => read());
    clock.advance(EVERY_MS - MINUTE_MS);
    await round(() => read());
    expect(queries).toHaveLength(2);
    clock.advance(MINUTE_MS);
    await round(() => read());
    expect(queries).toHaveLength(3);
  });

  test("if the provider refuses the service's own account, a round makes one call, and the searches for all companies fail for that reason", async () => {
    const { db, queries, round } = await monitored(["Orrin Shipping", "Tessel Foods"], ["acc_a", "acc_b"]);
    await round(() => failed("rate_limited"));
    expect(queries).toHaveLength(1);
    const rows = await db.selectFrom("company_window").select(["state", "reason"]).execute();
    expect(rows).toEqual(Array(4).fill({ state: "failed", reason: "rate_limited" }));
  });

  test("accounts take turns until each company has been searched for exactly once", async () => {
    const names = Array.from({ length: 27 }, (_, at) => `Company ${at}`);
    const { clock, queries, companies, round, read } = await monitored(names, ["acc_a", "acc_b"]);
    // A turn leases up to 25 due companies but searches for only six of them within its minute.
    for (let count = 0; count < 8; count += 1) {
      await round(() => {
        clock.advance(10 * SECOND_MS);
        return read();
      });
      clock.advance(20 * SECOND_MS);
    }
    expect(queries.map((query) => query.slice(0, ACCOUNT.length))).toEqual(
      [6, 6, 6, 6, 6, 6, 6, 6, 3, 3].flatMap((count, turn) => Array(count).fill(turn % 2 === 0 ? "acc_a" : "acc_b")),
    );
    expect(new Set(queries).size).toBe(companies.length);
  });

  test("a failed search is repeated only after every company of the account has been searched for", async () => {
    const names = Array.from({ length: 12 }, (_, at) => `Company ${at}`);
    const { clock, queries, round } = await monitored(names, ["acc_a", "acc_b"]);
    // A turn takes a minute and searches for six companies, which are due again before the account's next turn.
    await round(() => {
      clock.advance(10 * SECOND_MS);
      return failed("timeout");
    });
    const own = queries.filter((query) => query.startsWith(ACCOUNT));
    expect(own.length).toBeGreaterThan(12);
    expect(own.slice(0, 12).toSorted()).toEqual(names.map((name) => `${ACCOUNT} ${name}`).sort());
  });

  test("calls stop when the budget is used up, and the companies are reported as rate-limited", async () => {
    const names = ["Orrin Shipping", "Tessel Foods", "Adara Pharma"];
    const { parts, clock, db, round, read } = await monitored(names);
    const budgets = budgetStore(parts.database, clock, { unitsMax: { "company-search": 2 }, cycleDay: 1 });
    let calls = 0;
    const answer = async () => {
      if ((await budgets.take(["company-search"])) !== undefined) return failed("rate_limited");
      calls += 1;
      return read();
    };
    for (let turn = 0; turn < 4; turn += 1) {
      await round(answer);
      clock.advance(EVERY_MS);
    }
    expect(calls).toBe(2);
    const rows = await db.selectFrom("company_window").select(["ended_count", "reason"]).execute();
    expect(rows.filter(({ ended_count }) => ended_count > 0)).toHaveLength(2);
    expect(rows.every(({ reason }) => reason === "rate_limited")).toBe(true);
  });

  test("a finding is stored once, for the company that its text names", async () => {
    const { clock, db, companies, round, read } = await monitored(["Orrin Shipping", "Tessel Foods"]);
    for (let turn = 0; turn < 2; turn += 1) {
      await round(() => read("Orrin Shipping recalls ferries"));
      clock.advance(EVERY_MS);
    }
    const rows = await db.selectFrom("company_finding").select(["company_id", "provider", "source_id"]).execute();
    const [orrin] = companies;
    expect(rows).toEqual([{ company_id: orrin?.companyId, provider: "search", source_id: "https://wire.example/1" }]);
  });

  test("no results are stored for a company that was paused during its search", async () => {
    const { parts, clock, db, companies, round, read } = await monitored(["Orrin Shipping"]);
    const companyId = companies[0]?.companyId ?? "";
    await round(async () => {
      await inTurn(parts, ACCOUNT, async (turn) => {
        const current = await turn.find(companyId);
        if (current) await turn.replace(current, inState(current, "paused", clock.now()));
      });
      return read("Orrin Shipping recalls ferries");
    });
    const rows = await db.selectFrom("company_window").select(["ended_count", "state"]).execute();
    expect(rows).toEqual([{ ended_count: 0, state: null }]);
    expect(await db.selectFrom("company_finding").selectAll().execute()).toEqual([]);
  });
});
