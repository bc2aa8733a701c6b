import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { failed, notRequested, queryOf } from "../../../../test/support/operations.js";
import { json, type Stack, startStack } from "../../../../test/support/stack.js";
import { absent, snapshotOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import type { Observation } from "../../../contract/on-demand.js";
import { silentTally } from "../../../contract/row-tally.js";
import { settingReader } from "../../../contract/setting.js";
import { DAY_MS } from "../../../kit/clock.js";
import { listedCompanies } from "../datasets/listed-companies.js";
import { getInsiderTransactions } from "./get-insider-transactions.js";

const noon = Date.UTC(2026, 10, 18, 12);
const company = (ticker: string, cik: string, name = "Vigil Inc.") => ({ ticker, cik, name });
const companies = [
  company("VGL", "0000000001"),
  company("VGL-B", "0000000001"),
  company("VGL", "0000000002", "Vigil Two"),
  company("VG3", "0000000003", "VIGIL, INC"),
];
const view = viewOf(listedCompanies, { companies });
const listed = snapshotOf(view);
const read = getInsiderTransactions.fetches?.activity;
const planOf = (symbol: string, snapshot: typeof listed | typeof absent = listed) =>
  read?.planFrom({ symbol }, { snapshots: { listed: snapshot }, now: noon, settingOf: settingReader({}) });
const from = "2026-05-22";

describe("the company of a ticker", () => {
  test.each([
    ["VGL", "0000000001"],
    ["VGL.B", "0000000001"],
    ["VG3", "0000000003"],
  ])("the reports of the last 180 days about %s are requested with the Central Index Key %s", (symbol, cik) => {
    expect(planOf(symbol)).toEqual({ cik, from });
  });

  test("no reports are requested for an unknown ticker, or for any ticker while no company list is stored", () => {
    expect(planOf("NONE")).toBeUndefined();
    expect(planOf("VGL", absent)).toBeUndefined();
  });

  test("companies are found by Central Index Key and by name, and a shared name finds several companies", () => {
    expect(view.withCik("0000000001").map(({ ticker }) => ticker)).toEqual(["VGL", "VGL-B"]);
    expect(view.withCik("0000000009")).toEqual([]);
    expect(view.named("vigil inc").map(({ cik }) => cik)).toEqual(["0000000001", "0000000001", "0000000003"]);
    expect(view.named("vigil")).toEqual([]);
  });

  test("the company list is not published with fewer than 5,000 tickers", () => {
    const many = Array.from({ length: 5_000 }, (_, index) => company(`V${index}`, "0000000001"));
    expect(listedCompanies.gate({ companies: many })).toBeUndefined();
    expect(listedCompanies.gate({ companies: many.slice(1) })).toBe("4999 tickers; expected at least 5000");
    expect(listedCompanies.newestAt({ companies: many })).toBeNull();
  });
});

describe("get-insider-transactions", () => {
  const answerFrom = (activity: Observation<never>) =>
    getInsiderTransactions.run(
      queryOf(getInsiderTransactions, "symbol=vgl"),
      { listed },
      {
        observations: { activity },
        simulated: false,
        now: () => noon,
        tally: silentTally,
        paginate: () => {
          throw new Error("the answer is not paginated");
        },
        settingOf: settingReader({}),
      },
    );

  test.each(["A%09", "%20VGL", "A%20B", "%C3%9F", "", "ABCDEFGHIJKLMNOPQ"])("symbol=%s is not a ticker", (symbol) => {
    expect(() => queryOf(getInsiderTransactions, `symbol=${symbol}`)).toThrow();
  });

  test("the ticker is served in upper case with the totals and the time of the read", () => {
    const line = {
      ownerCik: "0000000007",
      ownerName: "Ada",
      tradedOn: "2026-11-01",
      code: "S" as const,
      shareCount: 10.4,
      priceUsd: 2.5,
    };
    const report = { accessionNumber: "1", filedOn: "2026-11-02", isAmendment: false, lines: [line] };
    const data = [read?.keep({ cik: "0000000001", from }, [{ reports: [report], unreadCount: 3 }])];
    expect(
      answerFrom({ state: "fresh", fetchedAt: noon, expiresAt: noon + 1, data } as unknown as Observation<never>),
    ).toEqual({
      unavailable: false,
      symbol: "VGL",
      totalBuys: 0,
      totalSells: 26,
      netValue: -26,
      transactions: [{ name: "Ada", shares: 10, value: 26, transactionCode: "S", transactionDate: "2026-11-01" }],
      fetchedAt: "2026-11-18T12:00:00.000Z",
      filingsUnread: 3,
    });
  });

  test.each([
    ["an unknown ticker", notRequested],
    ["a failed read", failed()],
  ])("%s makes the answer unavailable", (_name, observation) => {
    expect(answerFrom(observation as Observation<never>)).toEqual({
      unavailable: true,
      symbol: "VGL",
      totalBuys: 0,
      totalSells: 0,
      netValue: 0,
      transactions: [],
      fetchedAt: "",
      filingsUnread: 0,
    });
  });

  test.each(["", "symbol=A&symbol=B"])(
    "the query %j is refused, because it does not have exactly one symbol",
    (search) => {
      expect(() => queryOf(getInsiderTransactions, search)).toThrow();
    },
  );
});

describe("the reports of a company", () => {
  const PATH = "/api/market/v1/get-insider-transactions?symbol=VAAB";
  interface Answer {
    readonly unavailable: boolean;
    readonly filingsUnread: number;
    readonly transactions: readonly { readonly transactionCode: string }[];
  }
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ datasets: ["listed-companies"] });
  });
  afterAll(() => stack.close());
  beforeEach(async () => {
    stack.simulator.faults.clear();
    stack.clock.advance(4 * DAY_MS);
    await stack.run("listed-companies");
  });
  const answer = async (): Promise<Answer> => json(await stack.get(PATH)) as Answer;

  test("gifts are omitted, and no report is counted as unread", async () => {
    const { unavailable, filingsUnread, transactions } = await answer();
    expect([unavailable, filingsUnread]).toEqual([false, 0]);
    expect(transactions.length).toBeGreaterThan(5);
    expect(transactions.every(({ transactionCode }) => "PSMADF".includes(transactionCode))).toBe(true);
  });

  test.each([
    ["that is missing", { kind: "status", code: 404 }],
    ["in another format", { kind: "changed" }],
  ] as const)("one report %s is counted as unread", async (_name, fault) => {
    stack.simulator.faults.set({ upstream: "sec-ownership-documents" }, fault, 1);
    expect(await answer()).toMatchObject({ unavailable: false, filingsUnread: 1 });
  });

  test.each([
    ["an error of the archive", { kind: "status", code: 503 }],
    ["an HTML page instead of a report", { kind: "html" }],
    ["another format of all reports", { kind: "changed" }],
    ["the absence of all reports", { kind: "status", code: 404 }],
  ] as const)("%s makes the answer unavailable", async (_name, fault) => {
    stack.simulator.faults.set({ upstream: "sec-ownership-documents" }, fault);
    expect(await answer()).toMatchObject({ unavailable: true, transactions: [] });
  });

  test("reports without a trade in shares yield an answer without transactions", async () => {
    stack.simulator.faults.set({ upstream: "sec-ownership-documents" }, { kind: "empty" });
    expect(await answer()).toMatchObject({ unavailable: false, transactions: [], filingsUnread: 0 });
  });
});
