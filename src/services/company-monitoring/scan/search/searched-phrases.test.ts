import fc from "fast-check";
import { expect, test } from "vitest";
import type { ScannedCompany } from "../provider.js";
import { queryOf as postQuery } from "./post-search.js";
import { searchedPhrases } from "./searched-phrases.js";
import { queryOf as newsQuery } from "./web-search.js";

const companyOf = (name: string, ...aliases: readonly string[]): ScannedCompany => ({
  companyKey: name,
  accountId: "acc",
  name,
  domicileCountry: "US",
  claims: [name, ...aliases].map((value) => ({
    claimId: value,
    type: "COMPANY_CLAIM_TYPE_ALIAS",
    value,
    provenance: "customer",
    trustState: "COMPANY_CLAIM_TRUST_STATE_DECLARED",
    expiresAt: null,
  })),
});

test.each([
  ["Orrin Shipping LLC", ["Orrin Shipping"]],
  ["AT&T Inc.", ["AT&T"]],
  ["Johnson & Johnson", ["Johnson & Johnson"]],
  ["L'Oréal S.A.", ["L'Oréal"]],
  ["Yahoo!", ["Yahoo"]],
  ["三菱商事", ["三菱商事"]],
  ['Evil" OR from:someone OR "x', ["Evil OR from someone OR x"]],
  ["-Evil (is:retweet) lang:en", ["Evil is retweet lang en"]],
  ["Evil\u0000\n\u202eName\\", ["Evil Name"]],
  ['<script>alert("x")</script>', ["script alert x script"]],
  ['"""', []],
])("the name %j is searched for as %j", (name, phrases) => {
  expect(searchedPhrases(companyOf(name))).toEqual(phrases);
});

test("a name that contains an earlier name is not searched for, and at most four names are searched for", () => {
  const company = companyOf("Orrin", "Orrin Shipping Ltd", "ORRIN", "Blue Line", "Red Line", "Grey Line", "Late Line");
  expect(searchedPhrases(company)).toEqual(["Orrin", "Blue Line", "Red Line", "Grey Line"]);
});

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom('"', "\\", "(", ")", ":", "-", "+", " ", "O", "R", "é", "字", "\u0000"),
    maxLength: 300,
  }),
  fc.constant("W ".repeat(5_000)),
  fc.constant("w".repeat(10_000)),
);

test("no name adds an operator to a query or makes the query too long", () => {
  fc.assert(
    fc.property(hostile, fc.array(hostile, { maxLength: 6 }), (name, aliases) => {
      const company = companyOf(name, ...aliases);
      const phrases = searchedPhrases(company);
      const quotedPhrase = '"[^"\\\\:()\\p{C}]{1,80}"';
      const alternatives = `${quotedPhrase}(?: OR ${quotedPhrase}){0,3}`;
      if (phrases.length === 0) return;
      expect(newsQuery(company)).toMatch(new RegExp(`^${alternatives}$`, "u"));
      expect(postQuery([company])).toMatch(new RegExp(`^\\(${alternatives}\\) -is:retweet$`, "u"));
      expect(phrases.every((phrase) => !/(?:^| )[-+]/.test(phrase))).toBe(true);
      expect(newsQuery(company).length).toBeLessThanOrEqual(400);
      expect(newsQuery(company).split(" ").length).toBeLessThanOrEqual(50);
      expect(postQuery([company]).length).toBeLessThanOrEqual(512);
      expect(Buffer.byteLength(postQuery([company]))).toBeLessThanOrEqual(2_048);
    }),
    { numRuns: 500 },
  );
});
