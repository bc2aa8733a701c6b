import { describe, expect, test } from "vitest";
import { failureOf, firstRequest, readBody, requestAbout, servedOf } from "../../../../test/support/reading.js";
import { recorded, recordedTitle, recordingsAbsent } from "../../../../test/support/recordings.js";
import type { ListedCompany, OwnershipLine } from "../records.js";
import { insiderActivity } from "../rules/insider-activity.js";
import { secCompanyTickers } from "./sec-company-tickers.js";
import { REPORTS_MAX, secOwnershipReports } from "./sec-ownership-reports.js";

const plan = { cik: "0001900001", from: "2026-05-22" };
const listRequest = firstRequest(secOwnershipReports, plan);
const reportRequest = (values: object = {}) =>
  requestAbout(secOwnershipReports, "document", {
    cik: plan.cik,
    accessionNumber: "0001800001-26-000007",
    filedOn: "2026-11-04",
    isAmendment: false,
    file: "form4.xml",
    ...values,
  });

describe("the list of tickers", () => {
  const request = firstRequest(secCompanyTickers, {});
  const row = { cik_str: 1_900_001, ticker: "vgl", title: "Vigil Inc. " };

  test("a row becomes a company with a key of ten digits", () => {
    expect(readBody(secCompanyTickers, request, { "0": row }).records).toEqual([
      { cik: "0001900001", ticker: "VGL", name: "Vigil Inc." },
    ]);
  });

  test.each([
    ["a key that is a string", { ...row, cik_str: "1900001" }],
    ["an empty name", { ...row, title: "" }],
    ["a ticker that contains a space", { ...row, ticker: "V GL" }],
  ])("a row with %s is skipped", (_name, broken) => {
    expect(readBody(secCompanyTickers, request, { "0": row, "1": broken })).toMatchObject({ rowsRead: 2, rowsBad: 1 });
  });

  test("a list instead of an object is reported as a changed document", () => {
    expect(failureOf(() => readBody(secCompanyTickers, request, [row])).kind).toBe("changed");
  });
});

describe("the list of reports", () => {
  const submissions = (...filings: readonly (readonly [form: string, filedOn: string, file?: string])[]) => ({
    filings: {
      recent: {
        accessionNumber: filings.map((_, index) => `0001800001-26-${String(index).padStart(6, "0")}`),
        filingDate: filings.map(([, filedOn]) => filedOn),
        form: filings.map(([form]) => form),
        primaryDocument: filings.map(([, , file = "xslF345X05/form4.xml"]) => file),
      },
    },
  });

  test("forms 4 and 4/A filed on or after the first day are read as XML, and other forms are not read", () => {
    const { records, more } = readBody(
      secOwnershipReports,
      listRequest,
      submissions(
        ["4", "2026-11-04"],
        ["8-K", "2026-11-03"],
        ["4/A", "2026-05-22"],
        ["4", "2026-05-21"],
        ["5", "2026-06-01"],
      ),
    );
    expect(records).toMatchObject([
      { filedOn: "2026-11-04", isAmendment: false, file: "form4.xml" },
      { filedOn: "2026-05-22", isAmendment: true, file: "form4.xml" },
    ]);
    expect(more.map(({ url }) => url)).toEqual([
      "https://www.sec.gov/Archives/edgar/data/1900001/000180000126000000/form4.xml",
      "https://www.sec.gov/Archives/edgar/data/1900001/000180000126000002/form4.xml",
    ]);
    expect(more[0]).toMatchObject({ spacingMs: 130, spacedWith: "sec.gov" });
  });

  test("at most 80 reports are read, and the others are counted as unread", () => {
    const many = submissions(...Array.from({ length: 90 }, () => ["4", "2026-11-04"] as const));
    const list = readBody(secOwnershipReports, listRequest, many);
    expect(list.more).toHaveLength(REPORTS_MAX);
    const [read] = servedOf(secOwnershipReports, [
      [listRequest, list],
      ...list.more.map((request) => [request, { records: [] }] as const),
    ]);
    expect([read?.reports.length, read?.unreadCount]).toEqual([80, 10]);
  });

  test.each([
    ["an invalid day", ["4", "November"]],
    ["a document outside the folder", ["4", "2026-11-04", "https://x.test/a.xml?b"]],
    ["a document that is not XML", ["4", "2026-11-04", "form4.txt"]],
  ] as const)("a report with %s is skipped and counted as unread", (_name, broken) => {
    const list = readBody(secOwnershipReports, listRequest, submissions(["4", "2026-11-04"], broken));
    expect(list).toMatchObject({ rowsRead: 2, rowsBad: 1 });
    const [read] = servedOf(secOwnershipReports, [
      [listRequest, list],
      ...list.more.map((request) => [request, { records: [] }] as const),
    ]);
    expect([read?.reports.length, read?.unreadCount]).toEqual([1, 1]);
  });

  test("a document without columns is reported as a changed document", () => {
    expect(failureOf(() => readBody(secOwnershipReports, listRequest, { filings: {} })).kind).toBe("changed");
  });
});

describe("a report", () => {
  const transaction = ({ date = "2026-11-02", code = "S", shares = "100.5", price = "<value>2.5</value>" } = {}) => `
<nonDerivativeTransaction>
  <transactionDate><value>${date}</value></transactionDate>
  <transactionCoding><transactionCode>${code}</transactionCode></transactionCoding>
  <transactionAmounts><transactionShares><value>${shares}</value></transactionShares>
    <transactionPricePerShare>${price}</transactionPricePerShare></transactionAmounts>
</nonDerivativeTransaction>`;
  const report = (lines: string, { issuer = "0001900001", type = "4", extra = "" } = {}) => `<?xml version="1.0"?>
<ownershipDocument><documentType>${type}</documentType>${extra}
<issuer><issuerCik>${issuer}</issuerCik></issuer>
<reportingOwner><reportingOwnerId><rptOwnerCik>1800001</rptOwnerCik><rptOwnerName>Ada</rptOwnerName></reportingOwnerId></reportingOwner>
<reportingOwner><reportingOwnerId><rptOwnerCik>1800002</rptOwnerCik><rptOwnerName>Ben</rptOwnerName></reportingOwnerId></reportingOwner>
<nonDerivativeTable>${lines}</nonDerivativeTable></ownershipDocument>`;
  const read = (body: string) => readBody(secOwnershipReports, reportRequest(), body);

  test("a line of a joint report is read once, under its first owner", () => {
    const extra = "<dateOfOriginalSubmission>2026-11-01-05:00</dateOfOriginalSubmission>";
    expect(read(report(transaction({ date: "2026-11-02-05:00" }), { type: "4/A", extra })).records).toEqual([
      {
        ownerCik: "0001800001",
        ownerName: "Ada",
        tradedOn: "2026-11-02",
        code: "S",
        shareCount: 100.5,
        priceUsd: 2.5,
        originalOn: "2026-11-01",
      },
    ]);
  });

  test("a price that is only a footnote is absent", () => {
    const { records, rowsBad } = read(report(transaction({ price: '<footnoteId id="F1"/>' })));
    expect(records[0]).not.toHaveProperty("priceUsd");
    expect(rowsBad).toBe(0);
  });

  test.each(["G", "I", "C", "X"])("a line with the code %s is omitted", (code) => {
    expect(read(report(transaction({ code }) + transaction()))).toMatchObject({ rowsBad: 0, records: [{ code: "S" }] });
  });

  test("a report about another issuer, a form 5 and a report without lines have no trades", () => {
    expect(read(report(transaction(), { issuer: "0000000009" })).records).toEqual([]);
    expect(read(report(transaction(), { type: "5" })).records).toEqual([]);
    expect(read(report("")).records).toEqual([]);
  });

  test.each([
    ["a day that does not exist", transaction({ date: "2026-02-31" })],
    ["a day after the report", transaction({ date: "2026-11-05" })],
    ["shares in words", transaction({ shares: "many" })],
    ["no shares", transaction({ shares: "" })],
    ["a price in words", transaction({ price: "<value>n/a</value>" })],
  ])("a line with %s is skipped", (_name, broken) => {
    expect(read(report(transaction() + broken + transaction()))).toMatchObject({ rowsRead: 3, rowsBad: 1 });
  });

  test.each(["<ownershipDocument/>", "<html><body>Undeclared Automated Tool</body></html>"])(
    "%s is reported as a changed document",
    (body) => {
      expect(failureOf(() => read(body)).kind).toBe("changed");
    },
  );
});

describe.skipIf(recordingsAbsent)(recordedTitle, () => {
  test("every company of the recorded list is read with its ticker", () => {
    const body = recorded("sec-edgar/company_tickers.json");
    const { records, rowsBad } = readBody(secCompanyTickers, firstRequest(secCompanyTickers, {}), body);
    const rows = [...body.matchAll(/"cik_str": ?(\d+), ?"ticker": ?"([^"]+)"/g)];
    expect(rows.length).toBe(9_610);
    expect((records as readonly ListedCompany[]).map(({ cik, ticker }) => [Number(cik), ticker])).toEqual(
      rows.map(([, cik, ticker]) => [Number(cik), ticker]),
    );
    expect(rowsBad).toBe(0);
  });

  test("the recorded filings of Tesla contain 30 ownership reports that were filed on or after 3 June 2022", () => {
    const body = recorded("sec-edgar/company_submission-TSLA.json");
    const request = firstRequest(secOwnershipReports, { cik: "0001318605", from: "2022-06-03" });
    const { recent } = (JSON.parse(body) as { filings: { recent: Record<string, string[]> } }).filings;
    const expected = (recent["form"] ?? []).flatMap((form, index) =>
      (form === "4" || form === "4/A") && (recent["filingDate"]?.[index] ?? "") >= "2022-06-03"
        ? [recent["accessionNumber"]?.[index]]
        : [],
    );
    const { records, more } = readBody(secOwnershipReports, request, body);
    expect(expected).toHaveLength(30);
    expect((records as readonly { accessionNumber: string }[]).map(({ accessionNumber }) => accessionNumber)).toEqual(
      expected,
    );
    expect(more[0]?.url).toBe("https://www.sec.gov/Archives/edgar/data/1318605/000179056522000015/edgardoc.xml");
  });

  const snowflake = { cik: "0001640147", filedOn: "2022-12-15" };
  const activityIn = (file: string) => {
    const { records } = readBody(secOwnershipReports, reportRequest(snowflake), recorded(file));
    const lines = records as readonly OwnershipLine[];
    const report = { accessionNumber: "1", filedOn: snowflake.filedOn, isAmendment: false, lines };
    return { lines, ...insiderActivity([report], "2022-06-18") };
  };

  test("the recorded form 4 has an exercise, and five sales that total 200,000 shares and 30,351,309.77 USD", () => {
    const { lines, totalBuys, totalSells, netValue, transactions } = activityIn(
      "groups-economy/insider-form4/form4-snow.xml",
    );
    const sales = lines.filter(({ code }) => code === "S");
    expect(sales).toHaveLength(5);
    expect(sales.reduce((sum, { shareCount }) => sum + shareCount, 0)).toBe(200_000);
    expect(sales.reduce((sum, { shareCount, priceUsd = 0 }) => sum + shareCount * priceUsd, 0)).toBeCloseTo(
      30_351_309.77,
      2,
    );
    expect({ totalBuys, totalSells, netValue }).toEqual({
      totalBuys: 0,
      totalSells: 30_351_310,
      netValue: -30_351_310,
    });
    expect(transactions).toHaveLength(6);
    expect(transactions[0]).toEqual({
      name: "Scarpelli Michael",
      shares: 200_000,
      value: 0,
      transactionCode: "M",
      transactionDate: "2022-12-13",
    });
  });

  test("no trade of the recorded form 5 is counted", () => {
    expect(activityIn("groups-economy/insider-form4/form5-snow.xml")).toMatchObject({ lines: [], totalSells: 0 });
  });

  test("the page that the SEC sends when it is overloaded is reported as a changed document, not as an empty list", () => {
    const page = recorded("sec-edgar/getcurrent-start5100-HTTP503.html");
    expect(failureOf(() => readBody(secOwnershipReports, listRequest, page)).kind).toBe("changed");
    expect(failureOf(() => readBody(secOwnershipReports, reportRequest(), page)).kind).toBe("changed");
    expect(failureOf(() => readBody(secCompanyTickers, firstRequest(secCompanyTickers, {}), page)).kind).toBe(
      "changed",
    );
  });
});
