import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BudgetExceeded, ProjectionTooLarge } from "./errors.js";
import { Fuel } from "./fuel.js";
import { serialiseSteps } from "./serialise.js";
import { finish } from "./testing/search.js";

const LIMITS = { bytesMax: 262_144, bytesCountedMax: 1_000_000 };

function serialise(value: unknown, units = 50_000_000): string {
  return finish(serialiseSteps(value, new Fuel(units, () => 0), LIMITS));
}

function sizeOf(value: unknown, units?: number): number {
  try {
    serialise(value, units);
  } catch (error) {
    if (error instanceof ProjectionTooLarge) return error.bytes;
    throw error;
  }
  return 0;
}

describe("serialised text", () => {
  test("serialised text equals the output of JSON.stringify", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        expect(serialise(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ["lone surrogates", ["\ud800", "a\udc00b", "😀"]],
    ["control characters and quotes", { 'a"b': "\u0000\n\t\\\u007f\u2028" }],
    ["odd numbers", [-0, 1e21, 1e-7, Number.NaN, Number.POSITIVE_INFINITY]],
    ["undefined", { a: undefined, b: [undefined], c: 1 }],
    ["empty", [{}, [], "", { "": "" }]],
    ["keys that are numbers", { 2: 0, 1: 0, a: 0 }],
    ["a string of surrogate pairs that is written in pieces", "😀".repeat(10_000)],
    ["a long string with escapes", '\\"\n'.repeat(10_000)],
  ])("serialised text equals the output of JSON.stringify: %s", (_, value) => {
    expect(serialise(value)).toBe(JSON.stringify(value));
  });

  test("serialised text is written without recursion for a value nested twenty thousand deep", () => {
    const deep = Array.from({ length: 20_000 }).reduce((inner) => [inner], 1);
    expect(serialise(deep)).toBe(`${"[".repeat(20_000)}1${"]".repeat(20_000)}`);
  });
});

describe("the serialised size", () => {
  test("the serialised size may reach the limit exactly, counted in bytes of UTF-8", () => {
    const fits = `${"é".repeat((LIMITS.bytesMax - 2) / 2)}`;
    expect(Buffer.byteLength(serialise(fits))).toBe(LIMITS.bytesMax);
    expect(sizeOf(`${fits}a`)).toBe(LIMITS.bytesMax + 1);
  });

  test("the serialised size is reported exactly if it exceeds the limit but not the counting limit", () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row "${id}" é` }));
    expect(sizeOf(rows)).toBe(Buffer.byteLength(JSON.stringify(rows)));
  });

  test("the serialised size is reported as a partial count beyond the counting limit", () => {
    const size = sizeOf(Array.from({ length: 100 }, () => "a".repeat(1_000_000)));
    expect(size).toBeGreaterThan(LIMITS.bytesCountedMax);
    expect(size).toBeLessThan(LIMITS.bytesCountedMax + 100_000);
  });

  test("the serialised size is found to be too large without writing every occurrence of shared parts", () => {
    let value: unknown = "x".repeat(100);
    for (let level = 0; level < 200; level += 1) value = [value, value];
    expect(sizeOf(value)).toBeGreaterThan(LIMITS.bytesCountedMax);
  });

  test("the serialised size is reported instead of the exhausted budget if it exceeds the limit first", () => {
    const rows = Array.from({ length: 50_000 }, () => "a row");
    expect(sizeOf(rows, 130_000)).toBeGreaterThan(LIMITS.bytesMax);
    expect(() => serialise(rows, 10_000)).toThrow(BudgetExceeded);
  });
});
