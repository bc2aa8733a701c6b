import { describe, expect, test } from "vitest";
import type { OwnershipLine, OwnershipReport } from "../records.js";
import { insiderActivity } from "./insider-activity.js";

const line = (values: Partial<OwnershipLine> = {}): OwnershipLine => ({
  ownerCik: "0000000007",
  ownerName: "Ada",
  tradedOn: "2026-11-02",
  code: "S",
  shareCount: 100,
  priceUsd: 2,
  ...values,
});
const report = (filedOn: string, ...lines: readonly OwnershipLine[]): OwnershipReport => ({
  accessionNumber: filedOn,
  filedOn,
  isAmendment: false,
  lines,
});
const amendment = (filedOn: string, ...lines: readonly OwnershipLine[]): OwnershipReport => ({
  ...report(filedOn, ...lines),
  isAmendment: true,
});
const from = "2026-05-22";

test("purchases and sales are summed separately, and other codes have the value 0", () => {
  const { transactions, ...totals } = insiderActivity(
    [report("2026-11-04", line({ code: "P", shareCount: 3, priceUsd: 1.5 }), line(), line({ code: "M" }))],
    from,
  );
  // 4.5 rounds up.
  expect(totals).toEqual({ totalBuys: 5, totalSells: 200, netValue: -195 });
  expect(transactions.map(({ transactionCode, value }) => [transactionCode, value])).toEqual([
    ["P", 4.5],
    ["S", 200],
    ["M", 0],
  ]);
});

test("a sale without a price is listed without a value and adds nothing", () => {
  const { priceUsd: _price, ...unpriced } = line();
  const { totalSells, transactions } = insiderActivity([report("2026-11-04", unpriced)], from);
  expect(totalSells).toBe(0);
  expect(transactions[0]).not.toHaveProperty("value");
});

test("trades before the window are omitted, and the newest come first", () => {
  const { transactions, totalSells } = insiderActivity(
    [report("2026-11-04", line({ tradedOn: "2026-05-21" }), line({ tradedOn: from }), line())],
    from,
  );
  expect(transactions.map(({ transactionDate }) => transactionDate)).toEqual(["2026-11-02", from]);
  expect(totalSells).toBe(400);
});

test("at most 20 transactions are listed, and the totals cover all", () => {
  const { transactions, totalSells } = insiderActivity(
    [report("2026-11-04", ...Array.from({ length: 25 }, () => line()))],
    from,
  );
  expect([transactions.length, totalSells]).toEqual([20, 5_000]);
});

describe("an amendment", () => {
  const original = report("2026-11-04", line(), line({ shareCount: 50 }));
  const soldIn = (...reports: readonly OwnershipReport[]) => insiderActivity(reports, from).totalSells;

  test("replaces a report of the same owner if both have trades on the same day", () => {
    expect(soldIn(amendment("2026-11-09", line({ shareCount: 110, originalOn: "2026-11-04" })), original)).toBe(220);
  });

  test("replaces a report filed up to four days after the original filing day that the amendment states", () => {
    const dated = (originalOn: string) => amendment("2026-11-09", line({ originalOn }));
    expect(soldIn(dated("2026-10-31"), original)).toBe(200);
    expect(soldIn(dated("2026-10-30"), original)).toBe(500);
  });

  test("that corrects the day of a trade replaces its original, if exactly one report has the stated filing day", () => {
    const corrected = amendment("2026-11-09", line({ tradedOn: "2026-11-01", originalOn: "2026-11-04" }));
    expect(soldIn(corrected, original)).toBe(200);
    expect(soldIn(corrected, original, report("2026-11-04", line()))).toBe(700);
  });

  test("that does not state when its original was filed replaces a report only if both have trades on the same day", () => {
    expect(soldIn(amendment("2026-11-09", line()), original)).toBe(200);
    expect(soldIn(amendment("2026-11-09", line({ tradedOn: "2026-11-01" })), original)).toBe(500);
  });

  test("replaces an earlier amendment of the same report", () => {
    const first = amendment("2026-11-09", line({ shareCount: 110, originalOn: "2026-11-04" }));
    const second = amendment("2026-11-12", line({ shareCount: 120, originalOn: "2026-11-04" }));
    expect(soldIn(second, first, original)).toBe(240);
  });

  test("does not change later reports or the reports of other owners", () => {
    const other = report("2026-11-04", line({ ownerCik: "0000000008" }));
    expect(soldIn(report("2026-11-10", line()), amendment("2026-11-09", line()), other)).toBe(600);
  });

  test("without trades in shares replaces nothing", () => {
    expect(soldIn(amendment("2026-11-09"), original)).toBe(300);
  });
});
