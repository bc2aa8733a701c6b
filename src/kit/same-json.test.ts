import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sameJson, sameJsonText } from "./same-json.js";

describe("sameJson", () => {
  test("sameJson is true for equal values, in any order of their members", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(sameJson(value, structuredClone(value))).toBe(true);
        expect(sameJson(value, turned(value))).toBe(true);
      }),
    );
  });

  test("sameJson agrees with comparing JSON strings with sorted members", () => {
    const small = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(small, small, (a, b) => {
        expect(sameJson(a, b)).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: 1, b: undefined }, { a: 1, c: undefined }, true],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: undefined }, { b: 1 }, false],
    [{ a: null }, {}, false],
    [[], {}, false],
    [{}, [], false],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [null, {}, false],
    ["1", 1, false],
  ])("sameJson of %j and %j is %j", (a, b, expected) => {
    expect(sameJson(a, b)).toBe(expected);
    expect(sameJson(b, a)).toBe(expected);
  });
});

/** The value with its members in reverse order. */
function turned(value: unknown): unknown {
  return mapped(value, (members) => members.toReversed());
}

function sorted(value: unknown): unknown {
  return mapped(value, (members) => members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

type Member = readonly [string, unknown];

function mapped(value: unknown, order: (members: Member[]) => readonly Member[]): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, order));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(order(Object.entries(value)).map(([name, member]) => [name, mapped(member, order)]));
}

describe("sameJsonText", () => {
  test("sameJsonText agrees with comparing the JSON strings of parsed values", () => {
    const parsed = fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as unknown);
    fc.assert(
      fc.property(parsed, parsed, (a, b) => {
        expect(sameJsonText(a, b)).toBe(JSON.stringify(a) === JSON.stringify(b));
        expect(sameJsonText(a, structuredClone(a))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, false],
    [[{ a: [1] }], [{ a: [1] }], true],
    [{ 0: 1 }, [1], false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [null, {}, false],
    ["1", 1, false],
  ])("sameJsonText of %j and %j is %j", (a, b, expected) => {
    expect(sameJsonText(a, b)).toBe(expected);
  });
});
