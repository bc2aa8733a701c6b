import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idPattern, newId } from "./ids.js";

const bytes = (seed: number) => (count: number) =>
  createHash("sha256").update(String(seed)).digest().subarray(0, count);

describe("ids", () => {
  test("an id has the prefix of its kind and 26 characters of Crockford's base 32", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("company", "claim", "impact", "event", "evidence"),
        fc.integer({ min: 0, max: 2 ** 48 - 1 }),
        fc.integer(),
        (kind, at, seed) => {
          expect(newId(kind, at, bytes(seed))).toMatch(new RegExp(idPattern(kind)));
        },
      ),
    );
  });

  test("ids sort by their time", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 2 }), fc.integer(), fc.integer(), (at, seed, laterSeed) => {
        expect(newId("company", at, bytes(seed)) < newId("company", at + 1, bytes(laterSeed))).toBe(true);
      }),
    );
  });

  test("ids of the same time differ by their random bytes", () => {
    expect(newId("claim", 1, bytes(1))).not.toBe(newId("claim", 1, bytes(2)));
  });

  test.each([
    "cm_company_0000000000000000000000000I",
    "cm_company_0000000000000000000000000L",
    "cm_company_0000000000000000000000000O",
    "cm_company_0000000000000000000000000U",
    "cm_company_0000000000000000000000000a",
    "cm_company_0000000000000000000000000",
    "cm_company_000000000000000000000000000",
    "cm_claim_00000000000000000000000000",
    " cm_company_00000000000000000000000000",
    "cm_company_00000000000000000000000000\n",
  ])("an id of another form is refused: %j", (text) => {
    expect(new RegExp(idPattern("company")).test(text)).toBe(false);
  });
});
