import { expect, test } from "vitest";
import type { MonitoredCompany } from "../../../src/sdk/index.js";
import { type FileRow, fileRows, nextBatch, withoutDuplicates, withRefusals, withResults } from "./company-file.js";
import { csvLines } from "./csv.js";

const HEADER = "name,domicile_country,customer_reference,aliases";
const rowsOf = (...lines: readonly string[]): readonly FileRow[] => fileRows(csvLines([HEADER, ...lines].join("\n")));
const stages = (rows: readonly FileRow[]): readonly string[] =>
  rows.map(({ line, stage }) => [line, stage.kind, "reason" in stage ? stage.reason : ""].join(" ").trim());

test("a row becomes a company with a list of its aliases and the contract's code for its country", () => {
  const [row] = rowsOf('"Acme, ""Inc""",us,crm-1,ACME; Acme Industries ;');
  expect(row).toEqual({
    line: 2,
    stage: { kind: "ready" },
    company: {
      name: 'Acme, "Inc"',
      domicileCountry: "DOMICILE_COUNTRY_US",
      customerReference: "crm-1",
      aliases: ["ACME", "Acme Industries"],
      domains: [],
      identifiers: [],
      socialHandles: [],
      locations: [],
    },
  });
});

test("a row that cannot be sent states the reason, and the other rows are unaffected", () => {
  expect(stages(rowsOf("Acme,US,,", ",US,,", "Beta,Germany,,", "Gamma,DE"))).toEqual([
    "2 ready",
    "3 refused The name is missing.",
    "4 refused domicile_country must be an ISO 3166-1 code such as US, got “GERMANY”.",
    "5 refused The row has 2 cells instead of 4.",
  ]);
});

test.each([
  ["name", "The first line must name the column domicile_country."],
  ["name,domicile_country,phone", "The column phone is unknown."],
  ["", "The first line must name the columns name and domicile_country."],
  ['name,domicile_country\n"Acme,US', "has a quoted cell without an end"],
])("a file that begins with %j is rejected", (text, sentence) => {
  expect(() => fileRows(csvLines(text))).toThrow(sentence);
});

test("a row is not sent if its company is already in the portfolio or in an earlier row", () => {
  const claim = { type: "COMPANY_CLAIM_TYPE_CUSTOMER_REFERENCE", value: "crm-9" };
  const there = {
    name: "Acme",
    domicileCountry: "DOMICILE_COUNTRY_US",
    claims: [claim],
  } as unknown as MonitoredCompany;
  const rows = withoutDuplicates(rowsOf("ACME,US,,", "Acme,DE,,", "Beta,FR,crm-9,", "Acme,DE,,"), [there]);
  expect(rows.map(({ stage }) => stage.kind)).toEqual(["there", "ready", "there", "there"]);
  expect(stages(rows)[3]).toBe("5 there Same company as line 3.");
});

test("a batch has at most a hundred rows, and each row with a result gets its outcome", () => {
  const rows = rowsOf(...Array.from({ length: 120 }, (_, at) => `Company ${at},GB,,`));
  const batch = nextBatch(rows);
  expect(batch).toHaveLength(100);
  const after = withResults(rows, batch, [
    { ordinal: 0, outcome: "COMPANY_IMPORT_ROW_OUTCOME_CREATED", reasonCode: "" },
    { ordinal: 1, outcome: "COMPANY_IMPORT_ROW_OUTCOME_NO_OP", reasonCode: "CUSTOMER_REFERENCE_EXISTS" },
    { ordinal: 2, outcome: "COMPANY_IMPORT_ROW_OUTCOME_REJECTED", reasonCode: "COMPANY_LIMIT_REACHED" },
  ]);
  expect(stages(after).slice(0, 4)).toEqual([
    "2 created",
    "3 there The portfolio has a company with this customer reference.",
    "4 refused The account has reached its company limit.",
    "5 ready",
  ]);
  expect(nextBatch(after)[0]?.line).toBe(5);
});

test("a row that the service rejects states the reason, and the other rows can still be sent", () => {
  const rows = rowsOf("Acme,US,,", "Beta,QQ,,");
  const failures = new Map([["rows[1].company.domicileCountry", "Must name a country."]]);
  expect(stages(withRefusals(rows, rows, failures) ?? [])).toEqual([
    "2 ready",
    "3 refused domicileCountry: Must name a country.",
  ]);
  expect(withRefusals(rows, rows, new Map([["clientImportId", "Is required."]]))).toBeUndefined();
});
