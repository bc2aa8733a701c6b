import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MonitoredCompany } from "../records.js";
import { companiesIn, csvOf } from "./company-csv.js";

describe("CSV files of companies", () => {
  test("a CSV file may have its columns in any order, and only name and domicile_country are required", () => {
    const text = '\ufeffdomicile_country,name,domains\r\nus,"Acme, ""Inc""",a.example;b.example\r\n\r\nGB,Other,\r\n';
    expect(companiesIn(text)).toEqual([
      {
        line: 2,
        company: {
          name: 'Acme, "Inc"',
          domicileCountry: "DOMICILE_COUNTRY_US",
          customerReference: "",
          aliases: [],
          domains: ["a.example", "b.example"],
          identifiers: [],
          socialHandles: [],
          locations: [],
        },
      },
      expect.objectContaining({ line: 4, company: expect.objectContaining({ name: "Other", domains: [] }) }),
    ]);
  });

  test("a CSV file may have line breaks in quoted cells and spaces in blank lines", () => {
    const text = 'name,domicile_country,aliases\nAcme,US,"one;\ntwo"\n  \nOther,GB,\n';
    expect(companiesIn(text).map(({ line, company }) => [line, company.name, company.aliases])).toEqual([
      [3, "Acme", ["one", "\ntwo"]],
      [5, "Other", []],
    ]);
  });

  test.each([
    ["name\nAcme", "the first line must name the columns domicile_country"],
    ["", "the first line must name the columns name, domicile_country"],
    ["name,domicile_country,site\n", "the column site is unknown"],
    ["name,domicile_country,domains, domains\nAcme,US,a.example,\n", "the first line repeats the column domains"],
    ["name,domicile_country\nAcme\n", "line 2 must have 2 cells, got 1"],
    ["name,domicile_country\nAcme,US,\n", "line 2 must have 2 cells, got 3"],
    ['name,domicile_country\nA,US\n"Acme,US\n', "line 3 has a quoted cell without an end"],
  ])("a CSV file with a mistake is refused with a message about it: %j", (text, sentence) => {
    expect(() => companiesIn(text)).toThrow(sentence);
  });

  test("within an item of a list, a backslash protects a semicolon or a backslash and is itself kept elsewhere", () => {
    const text = "name,domicile_country,aliases\nAcme,US,one\\;two;C:\\temp;back\\\\;last\\\n";
    expect(companiesIn(text)[0]?.company.aliases).toEqual(["one;two", "C:\\temp", "back\\", "last\\"]);
  });

  test("an item of a list may have 20 million characters", () => {
    const alias = "a".repeat(20_000_000);
    const [read] = companiesIn(`name,domicile_country,aliases\nAcme,US,${alias};b\n`);
    expect(read?.company.aliases?.map(({ length }) => length)).toEqual([alias.length, 1]);
  });

  const value = fc.stringMatching(/^[A-Za-z0-9 ,;\\"ü]{0,11}[A-Za-z;\\"ü]$/);
  const served = fc.record({ name: value, aliases: fc.uniqueArray(value), reference: fc.option(value) });

  test("exported companies keep their names, aliases and references when the file is read back", () => {
    fc.assert(
      fc.property(fc.array(served), (companies) => {
        const read = companiesIn(csvOf(companies.map(companyOf)));
        expect(
          read.map(({ company }) => ({
            name: company.name,
            aliases: company.aliases,
            reference: company.customerReference || null,
          })),
        ).toEqual(
          companies.map(({ name, aliases, reference }) => ({
            name,
            aliases: aliases.filter((alias) => alias !== name && alias.trim() !== ""),
            reference,
          })),
        );
      }),
    );
  });
});

interface Served {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly reference: string | null;
}

function companyOf({ name, aliases, reference }: Served): MonitoredCompany {
  const claim = (
    type: MonitoredCompany["claims"][number]["type"],
    value: string,
  ): MonitoredCompany["claims"][number] => ({
    claimId: "cm_claim_00000000000000000000000000",
    type,
    value,
    provenance: "customer",
    trustState: "COMPANY_CLAIM_TRUST_STATE_DECLARED",
    allowedUses: [],
  });
  return {
    companyId: "cm_company_00000000000000000000000000",
    name,
    domicileCountry: "DOMICILE_COUNTRY_US",
    lifecycle: "MONITORED_COMPANY_LIFECYCLE_ACTIVE",
    coverage: "COMPANY_COVERAGE_STATE_AWAITING_FIRST_SCAN",
    observation: "COMPANY_OBSERVATION_STATE_UNKNOWN",
    claims: [
      ...aliases.filter((alias) => alias.trim() !== "").map((alias) => claim("COMPANY_CLAIM_TYPE_ALIAS", alias)),
      ...(reference === null ? [] : [claim("COMPANY_CLAIM_TYPE_CUSTOMER_REFERENCE", reference)]),
    ],
    createdAt: "2026-11-22T00:00:00.000Z",
    updatedAt: "2026-11-22T00:00:00.000Z",
  };
}
