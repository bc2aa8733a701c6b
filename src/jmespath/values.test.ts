import { expect, test } from "vitest";
import { Fuel } from "./fuel.js";
import { isTruthy, keysOf, memberReader, setMember, typeOf } from "./values.js";

test.each([
  [null, "null"],
  [undefined, "null"],
  [false, "boolean"],
  [0, "number"],
  ["", "string"],
  [[], "array"],
  [{}, "object"],
])("%j is of type %s", (value, type) => {
  expect(typeOf(value)).toBe(type);
});

test.each([null, false, "", [], {}])("%j is falsy", (value) => {
  expect(isTruthy(value, new Fuel(100, () => 0))).toBe(false);
});

test.each([true, 0, "0", [null], { a: null }])("%j is truthy", (value) => {
  expect(isTruthy(value, new Fuel(100, () => 0))).toBe(true);
});

test("listing the keys of a large object costs more fuel per key, because it takes longer", () => {
  const spentFor = (size: number): number => {
    const fuel = new Fuel(10_000, () => 0);
    keysOf(Object.fromEntries(Array.from({ length: size }, (_, key) => [`k${key}`, 0])), fuel);
    return fuel.spent;
  };
  expect([spentFor(15), spentFor(1_000)]).toEqual([15, 4_000]);
});

test("a member reader reads only own members of objects", () => {
  expect(memberReader("a")({ a: 1 })).toBe(1);
  expect(memberReader("a")([1])).toBeNull();
  expect(memberReader("valueOf")({})).toBeNull();
  expect(memberReader("length")([1])).toBeNull();
});

test("setMember sets __proto__ as an ordinary member", () => {
  const target: Record<string, unknown> = {};
  setMember(target, "__proto__", [1]);
  expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
  expect(Object.entries(target)).toEqual([["__proto__", [1]]]);
});
