import fc from "fast-check";
import { expect, test } from "vitest";
import { Fuel } from "./fuel.js";
import { finish } from "./testing/search.js";
import { codePointCount, codePointCountSteps, includesSteps, pieceEnd, reversedSteps } from "./text.js";

const fuel = (): Fuel => new Fuel(10_000_000, () => 0);
const grapheme = fc.constantFrom("a", "b", "é", "😀", "\ud83d");
const unicode = fc.string({ unit: grapheme, maxLength: 40 });

test("codePointCount counts code points", () => {
  fc.assert(
    fc.property(unicode, (text) => {
      expect(codePointCount(text)).toBe([...text].length);
    }),
  );
});

test("long text is counted and reversed by code points, wherever it is cut into pieces", () => {
  fc.assert(
    fc.property(unicode, fc.integer({ min: 4_080, max: 4_100 }), (text, length) => {
      const long = "x".repeat(length) + text.repeat(200);
      expect(finish(codePointCountSteps(long, fuel()))).toBe([...long].length);
      expect(finish(reversedSteps(long, fuel()))).toBe([...long].reverse().join(""));
    }),
    { numRuns: 50 },
  );
});

test("a cut never separates a surrogate pair", () => {
  expect(pieceEnd("ab😀c", 0, 3)).toBe(4);
  expect(pieceEnd("ab😀c", 0, 2)).toBe(2);
  expect(pieceEnd("ab", 0, 3)).toBe(2);
  // In an earlier version, the cut after an unpaired surrogate separated the halves of the pair that followed it.
  expect(pieceEnd("\ud83d😀", 0, 1)).toBe(1);
});

test("includesSteps finds a part if and only if String.includes does", () => {
  const repetitive = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 30 });
  fc.assert(
    fc.property(repetitive, repetitive, (text, part) => {
      expect(finish(includesSteps(text, part, fuel()))).toBe(text.includes(part));
    }),
    { numRuns: 2_000 },
  );
});

test("includesSteps searches repetitive text in linear time", () => {
  const spentFor = (length: number): number => {
    const spending = fuel();
    finish(includesSteps("a".repeat(length), `${"a".repeat(length / 2)}b`, spending));
    return spending.spent;
  };
  expect(spentFor(100_000) / spentFor(50_000)).toBeCloseTo(2, 1);
});
