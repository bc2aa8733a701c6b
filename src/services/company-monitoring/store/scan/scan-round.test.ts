import fc from "fast-check";
import { expect, test } from "vitest";
import { randomRuns } from "../../../../../test/support/effort.js";
import { describeEachStore } from "../../../../../test/support/stores.js";
import type { StoreParts } from "../../../../database/service-store.js";
import { principalOf } from "../../../../database/testing/store-parts.js";
import { MINUTE_MS } from "../../../../kit/clock.js";
import { LoopTurns } from "../../../../kit/loop-turns.js";
import type { Company } from "../../portfolio/company.js";
import type { MonitoringProvider } from "../../records.js";
import type { ObservedWindow } from "../../scan/advanced.js";
import type { CompanyFinding, ScannedCompany, ScanScope } from "../../scan/provider.js";
import type { ReadyProvider } from "../../scan/ready-provider.js";
import { companyDirectoryOf } from "../company-directory.js";
import { companiesIn } from "../tables.js";
import { add, inState, inTurn, prepared, verified } from "../testing/turns.js";
import { LEASE_MS } from "./obligations.js";
import { scanRound } from "./scan-round.js";

const NEWS = "MONITORING_PROVIDER_NEWS";
const FILINGS = "MONITORING_PROVIDER_FILINGS";
const EVERY_MS = 5 * MINUTE_MS;
const FRESH_MS = 30 * MINUTE_MS;

interface Script {
  window?: ObservedWindow;
  content?: string;
  /** Findings on every company. */
  sourceIds?: readonly string[];
  findingsFor?: (companies: readonly ScannedCompany[]) => readonly CompanyFinding[];
  onFind?: (count: number, scope: ScanScope) => void;
}

function scripted(provider: MonitoringProvider, script: Script): ReadyProvider {
  return {
    provider,
    everyMs: EVERY_MS,
    freshMs: FRESH_MS,
    appliesTo: () => true,
    window: script.window,
    content: script.content ?? "1",
    *findSteps(scope) {
      const { companies } = scope;
      script.onFind?.(companies.length, scope);
      yield;
      if (script.findingsFor) return script.findingsFor(companies);
      return companies.flatMap(({ companyKey }) =>
        (script.sourceIds ?? []).map((sourceId) => ({ companyKey, finding: findingOf(provider, sourceId) })),
      );
    },
  };
}

const findingOf = (provider: MonitoringProvider, sourceId: string) =>
  ({
    provider,
    sourceId,
    canonicalUrl: "https://news.example/1",
    publisher: "Wire",
    origin: "wire",
    authorityTier: "EVIDENCE_AUTHORITY_TIER_ORDINARY",
    title: "Title",
    excerpt: "",
    publishedAt: 1,
    attribution: 1,
    matchedBy: "name in title",
  }) as const;

const whole = (end: number, start: number | null = null): ObservedWindow => ({
  state: "PROVIDER_COVERAGE_STATE_COMPLETE",
  reasonCode: "complete",
  capped: false,
  start,
  end,
});

const failed: ObservedWindow = { state: "PROVIDER_COVERAGE_STATE_FAILED", reasonCode: "rate_limited" };

const roundOf = (parts: StoreParts, ...providers: readonly ReadyProvider[]) =>
  scanRound(parts, {
    providers,
    required: () => providers.map(({ provider }) => provider),
    turns: new LoopTurns(),
    signal: new AbortController().signal,
  });

async function created(parts: StoreParts, accountId: string, name = "A"): Promise<Company> {
  const creation = await inTurn(parts, accountId, (turn) => add(turn, name));
  if (!("company" in creation)) throw new Error("not created");
  return creation.company;
}

const coverageOf = async (parts: StoreParts, accountId: string, companyId: string) => {
  const call = { principal: principalOf(accountId), actor: "key_1", address: "", db: parts.database.db };
  const coverage = await companyDirectoryOf(parts, call).coverage(companyId);
  if (!coverage) throw new Error("no coverage");
  return coverage;
};

const stateOf = async (parts: StoreParts, accountId: string, companyId: string) =>
  (await coverageOf(parts, accountId, companyId)).state.replace("COMPANY_COVERAGE_STATE_", "");

await describeEachStore((open) => {
  const rowsOf = async (parts: StoreParts) =>
    companiesIn(parts.database.db).selectFrom("company_window").selectAll().execute();
  const changesOf = async (parts: StoreParts) =>
    (
      await companiesIn(parts.database.db)
        .selectFrom("company_change")
        .select("kind")
        .orderBy("account_id")
        .orderBy("position")
        .execute()
    ).map(({ kind }) => kind);
  const listedOf = async (parts: StoreParts) =>
    companiesIn(parts.database.db)
      .selectFrom("company_version")
      .select(["coverage", "observation"])
      .where("visible_to", "is", null)
      .executeTakeFirstOrThrow();

  test("each round ends one window for each provider of a company, and coverage is logged only when it changes", async () => {
    const { parts, clock } = await prepared(await open());
    const { companyId } = await created(parts, "acc_a");
    expect(await stateOf(parts, "acc_a", companyId)).toBe("AWAITING_FIRST_SCAN");
    const news = () => scripted(NEWS, { window: whole(clock.now()) });
    const filings = () => scripted(FILINGS, { window: whole(clock.now()) });
    await roundOf(parts, news(), filings());
    expect((await rowsOf(parts)).map(({ ended_count, state }) => [ended_count, state])).toEqual([
      [1, "complete"],
      [1, "complete"],
    ]);
    expect(await stateOf(parts, "acc_a", companyId)).toBe("IDENTITY_UNRESOLVED");
    expect(await listedOf(parts)).toEqual({ coverage: "identity_unresolved", observation: "unknown" });
    for (let round = 0; round < 3; round += 1) {
      clock.advance(EVERY_MS);
      await roundOf(parts, news(), filings());
    }
    expect((await rowsOf(parts)).map(({ ended_count }) => ended_count)).toEqual([4, 4]);
    expect(await changesOf(parts)).toEqual(["company", "coverage"]);
  });

  test("a verified company has adequate coverage until a provider fails, is capped or leaves a gap, and the same round stores the change", async () => {
    const { parts, clock } = await prepared(await open());
    const company = await created(parts, "acc_a");
    const { companyId } = company;
    await inTurn(parts, "acc_a", (turn) => turn.replace(company, verified(company)));
    const round = async (window: ObservedWindow) => {
      clock.advance(EVERY_MS);
      const filings = scripted(FILINGS, { window: whole(clock.now()) });
      await roundOf(parts, scripted(NEWS, { window }), filings);
      const coverage = await coverageOf(parts, "acc_a", companyId);
      const [{ reasonCode } = { reasonCode: "" }] = coverage.providers.filter(({ provider }) => provider === NEWS);
      return [coverage.state.replace("COMPANY_COVERAGE_STATE_", ""), reasonCode];
    };
    const at = (ms: number) => clock.now() + EVERY_MS + ms;
    expect(await round(whole(at(0)))).toEqual(["ADEQUATE", "complete"]);
    expect(await listedOf(parts)).toEqual({ coverage: "adequate", observation: "no_events_observed" });
    expect(await round(failed)).toEqual(["PARTIAL", "rate_limited"]);
    expect(await listedOf(parts)).toEqual({ coverage: "partial", observation: "unknown" });
    expect(await round(whole(at(0), at(-EVERY_MS)))).toEqual(["PARTIAL", "provider_retention"]);
    expect(await round(whole(at(0), at(-EVERY_MS)))).toEqual(["ADEQUATE", "complete"]);
    expect(await round({ ...whole(at(0)), capped: true } as ObservedWindow)).toEqual(["PARTIAL", "capped"]);
    expect(await round(whole(at(0)))).toEqual(["ADEQUATE", "complete"]);
    clock.advance(FRESH_MS);
    expect(await stateOf(parts, "acc_a", companyId)).toBe("STALE");
  });

  test("the coverage of a paused or changed company is stale until its next scan, and a change also clears `trustedUntil`", async () => {
    const { parts, clock } = await prepared(await open());
    const company = await created(parts, "acc_a");
    await inTurn(parts, "acc_a", (turn) => turn.replace(company, verified(company)));
    const round = async () => {
      clock.advance(EVERY_MS);
      await roundOf(parts, scripted(NEWS, { window: whole(clock.now(), clock.now() - EVERY_MS) }));
    };
    const set = (after: (current: Company) => Company) =>
      inTurn(parts, "acc_a", async (turn) => {
        const current = await turn.find(company.companyId);
        if (current) await turn.replace(current, after(current));
      });
    const seen = async () => {
      const { state, trustedUntil } = await coverageOf(parts, "acc_a", company.companyId);
      return [state.replace("COMPANY_COVERAGE_STATE_", ""), trustedUntil !== undefined];
    };
    await round();
    expect(await seen()).toEqual(["ADEQUATE", true]);
    await set((current) => inState(current, "paused", clock.now()));
    expect(await seen()).toEqual(["STALE", true]);
    await set((current) => inState(current, "active", clock.now()));
    await round();
    expect(await seen()).toEqual(["ADEQUATE", true]);
    await set((current) => ({ ...current, name: "B" }));
    expect(await seen()).toEqual(["STALE", false]);
    await round();
    expect(await seen()).toEqual(["ADEQUATE", true]);
  });

  test("findings are stored once, and coverage is not adequate before they are assessed", async () => {
    const { parts, clock } = await prepared(await open());
    const company = await created(parts, "acc_a");
    await inTurn(parts, "acc_a", (turn) => turn.replace(company, verified(company)));
    const db = companiesIn(parts.database.db);
    const round = async (content: string) => {
      clock.advance(EVERY_MS);
      await roundOf(parts, scripted(NEWS, { window: whole(clock.now()), content, sourceIds: ["1", "2"] }));
    };
    await round("1");
    await round("2");
    const findings = await db.selectFrom("company_finding").select(["source_id", "judged"]).execute();
    expect(findings).toHaveLength(2);
    expect(await stateOf(parts, "acc_a", company.companyId)).toBe("PARTIAL");
    expect((await coverageOf(parts, "acc_a", company.companyId)).trustedUntil).toBeUndefined();
    await db.updateTable("company_finding").set({ judged: 1 }).execute();
    await round("2");
    expect(await stateOf(parts, "acc_a", company.companyId)).toBe("ADEQUATE");
  });

  test("a finding is stored once, whatever the length and the characters of its id", async () => {
    const { parts, clock } = await prepared(await open());
    await created(parts, "acc_a");
    const sourceIds = ["x".repeat(10_000), "x".repeat(10_001), "\u0000", "é", ""];
    for (const content of ["1", "2"]) {
      clock.advance(EVERY_MS);
      await roundOf(parts, scripted(NEWS, { window: whole(clock.now()), content, sourceIds }));
    }
    const rows = await companiesIn(parts.database.db).selectFrom("company_finding").select("body").execute();
    const stored = rows.map(({ body }) => (JSON.parse(body) as { readonly sourceId: string }).sourceId);
    expect(stored.sort()).toEqual([...sourceIds].sort());
  });

  test("unchanged content is not searched again, unless the company changes", async () => {
    const { parts, clock } = await prepared(await open());
    const company = await created(parts, "acc_a");
    const searched: number[] = [];
    const round = async () => {
      clock.advance(EVERY_MS);
      const onFind = (count: number) => void searched.push(count);
      await roundOf(parts, scripted(NEWS, { window: whole(clock.now()), onFind }));
    };
    await round();
    await round();
    await inTurn(parts, "acc_a", (turn) => turn.replace(company, { ...company, name: "B" }));
    await round();
    expect(searched).toEqual([1, 1]);
  });

  test("if only one company of a portfolio is due, it is searched for with an index of the whole portfolio", async () => {
    const { parts, clock } = await prepared(await open());
    const counts: (readonly number[])[] = [];
    const onFind = (count: number, { portfolios }: ScanScope) =>
      void counts.push([count, ...portfolios.map(({ companyCount }) => companyCount)]);
    const round = () => roundOf(parts, scripted(NEWS, { window: whole(clock.now()), onFind }));
    await created(parts, "acc_a", "A");
    await created(parts, "acc_b", "B");
    await round();
    await created(parts, "acc_a", "C");
    await round();
    expect(counts).toEqual([
      [2, 1, 1],
      [1, 2],
    ]);
  });

  test("a paused company is not scanned, a resumed one is scanned immediately, and a removed one has no obligations or findings", async () => {
    const { parts, clock } = await prepared(await open());
    const company = await created(parts, "acc_a");
    const round = () =>
      roundOf(parts, scripted(NEWS, { window: whole(clock.now()), sourceIds: ["1"], content: String(clock.now()) }));
    await round();
    const set = (lifecycle: Company["lifecycle"]) =>
      inTurn(parts, "acc_a", async (turn) => {
        const current = await turn.find(company.companyId);
        if (current) await turn.replace(current, inState(current, lifecycle, turn.now));
      });
    await set("paused");
    clock.advance(10 * EVERY_MS);
    await round();
    expect((await rowsOf(parts)).map(({ ended_count, due_at }) => [ended_count, due_at])).toEqual([[1, null]]);
    await set("active");
    await round();
    expect((await rowsOf(parts)).map(({ ended_count }) => ended_count)).toEqual([2]);
    await set("removed");
    await round();
    expect(await rowsOf(parts)).toEqual([]);
    expect(await companiesIn(parts.database.db).selectFrom("company_finding").selectAll().execute()).toEqual([]);
  });

  test("if a company is changed during a scan of several companies, only its own results are discarded", async () => {
    const { parts, clock } = await prepared(await open());
    const changed = await created(parts, "acc_a", "A");
    await created(parts, "acc_a", "B");
    let writing: Promise<void> = Promise.resolve();
    const onFind = () => {
      writing = inTurn(parts, "acc_a", (turn) => turn.replace(changed, { ...changed, name: "C" }));
    };
    const slow = scripted(NEWS, { window: whole(clock.now()), sourceIds: ["1"], onFind });
    const turns = {
      run: async (steps: Parameters<LoopTurns["run"]>[0], pace: Parameters<LoopTurns["run"]>[1]) => {
        const result = await new LoopTurns().run(steps, pace);
        await writing;
        return result;
      },
    } as unknown as LoopTurns;
    await scanRound(parts, { providers: [slow], required: () => [NEWS], turns, signal: new AbortController().signal });
    const db = companiesIn(parts.database.db);
    const findings = await db.selectFrom("company_finding").select("company_id").execute();
    expect(findings.map(({ company_id }) => company_id === changed.companyId)).toEqual([false]);
    const counts = new Map((await rowsOf(parts)).map((row) => [row.company_id === changed.companyId, row.ended_count]));
    expect(counts).toEqual(
      new Map([
        [true, 0],
        [false, 1],
      ]),
    );
  });

  test("two nodes never end the same window twice, even if a scan crashes", async () => {
    const store = await open();
    const { parts, clock } = await prepared(store);
    const other = { ...parts, database: await store.openAgain() };
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            crashes: fc.boolean(),
            both: fc.boolean(),
            passedMs: fc.constantFrom(0, EVERY_MS, LEASE_MS),
            outcome: fc.constantFrom("whole", "failed", "unbuilt"),
          }),
          { maxLength: 8 },
        ),
        async (steps) => {
          run += 1;
          const accountId = `acc_${run}`;
          await created(parts, accountId);
          const ends = new Set<number>();
          for (const { crashes, both, passedMs, outcome } of steps) {
            clock.advance(passedMs);
            const window = outcome === "whole" ? whole(clock.now()) : outcome === "failed" ? failed : undefined;
            const onFind = () => {
              if (crashes) throw new Error("crash");
            };
            const content = String(clock.now());
            const provider = scripted(NEWS, { ...(window && { window }), content, onFind });
            const rounds = [parts, ...(both ? [other] : [])].map((node) => roundOf(node, provider));
            const outcomes = await Promise.allSettled(rounds);
            const faults = outcomes.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []));
            expect(faults.filter((fault) => fault !== "Error: crash")).toEqual([]);
            const [row] = (await rowsOf(parts)).filter(({ account_id }) => account_id === accountId);
            if (row?.window_end != null) ends.add(row.window_end);
            expect(row?.ended_count ?? 0).toBe(ends.size);
          }
        },
      ),
      { numRuns: randomRuns(100) },
    );
  });

  test("a round scans every company of every account", async () => {
    const { parts, clock } = await prepared(await open());
    await inTurn(parts, "acc_a", async (turn) => {
      for (let at = 0; at < 30; at += 1) await add(turn, `A${at}`);
    });
    await created(parts, "acc_b");
    await roundOf(parts, scripted(NEWS, { window: whole(clock.now()) }));
    const rows = await rowsOf(parts);
    expect(rows).toHaveLength(31);
    expect(rows.every(({ ended_count, lease }) => ended_count === 1 && lease === null)).toBe(true);
  });

  test("an account whose scan cannot be stored does not delay the next account, and is retried once its lease has expired", async () => {
    const { parts, clock } = await prepared(await open());
    for (const accountId of ["acc_a", "acc_b"]) await created(parts, accountId);
    const provider = scripted(NEWS, { window: whole(clock.now()) });
    // The store refuses a finding without a time.
    const finding = { ...findingOf(NEWS, "1"), publishedAt: null as unknown as number };
    const broken = scripted(NEWS, {
      window: whole(clock.now()),
      findingsFor: ([first]) => (first ? [{ companyKey: first.companyKey, finding }] : []),
    });
    await expect(roundOf(parts, broken)).rejects.toThrow("number of accounts whose scans failed: 1");
    const countsOf = async () =>
      new Map((await rowsOf(parts)).map(({ account_id, ended_count }) => [account_id, ended_count]));
    expect(await countsOf()).toEqual(
      new Map([
        ["acc_a", 0],
        ["acc_b", 1],
      ]),
    );
    await roundOf(parts, provider);
    expect((await countsOf()).get("acc_a")).toBe(0);
    clock.advance(LEASE_MS);
    await roundOf(parts, provider);
    expect((await countsOf()).get("acc_a")).toBe(1);
  });

  test("a provider that is no longer configured is no longer required", async () => {
    const { parts, clock } = await prepared(await open());
    const { companyId } = await created(parts, "acc_a");
    await roundOf(
      parts,
      scripted(NEWS, { window: whole(clock.now()) }),
      scripted(FILINGS, { window: whole(clock.now()) }),
    );
    clock.advance(EVERY_MS);
    await roundOf(parts, scripted(NEWS, { window: whole(clock.now()) }));
    expect((await coverageOf(parts, "acc_a", companyId)).providers.map(({ provider }) => provider)).toEqual([NEWS]);
    const lone = await created(parts, "acc_b");
    await roundOf(parts);
    expect(await stateOf(parts, "acc_b", lone.companyId)).toBe("UNAVAILABLE");
  });
});
