import { describe, expect, test } from "vitest";
import { compile } from "./compile.js";
import { search } from "./testing/search.js";

describe("compile", () => {
  test.each([
    ["a.nope(b)", "unknown function nope() at character 3"],
    ["toString(@)", "unknown function toString() at character 1"],
    ["abs()", "abs() takes 1 argument, got 0 at character 1"],
    ["join(a)", "join() takes 2 arguments, got 1 at character 1"],
    ["not_null()", "not_null() takes at least 1 argument, got 0 at character 1"],
    ["sort_by(a, b)", "sort_by() argument 2 must be an expression (&…), got a value at character 1"],
    ["sort(&a)", "sort() argument 1 must be a value, got an expression (&…) at character 1"],
  ])("compile refuses %s before running it: %s", (expression, message) => {
    expect(() => compile(expression)).toThrow(message);
  });
});

describe("the result", () => {
  const document = { a: { b: [{ c: 1 }, { c: 2 }, { d: 3 }] }, e: [[1, [2]], 3, null], z: null };

  test.each([
    ["a.b[*].c", [1, 2]],
    ["a.b[?c > `1`].c", [2]],
    [
      "a.b[?c == `1` || d].{x: c, y: d}",
      [
        { x: 1, y: null },
        { x: null, y: 3 },
      ],
    ],
    [
      "a.b[*].[c, d]",
      [
        [1, null],
        [2, null],
        [null, 3],
      ],
    ],
    ["e[]", [1, [2], 3]],
    ["e[][]", [1, 2, 3]],
    ["a.*[*].c", [[1, 2]]],
    ["z.[a]", null],
    ["z.{a: a}", null],
    ["[z]", [null]],
    ["z || a.b[0].c", 1],
    ["z && a", null],
    ["map(&map(&c, @), [a.b])", [[1, 2, null]]],
    ["sort_by(a.b[?c], &c)[-1].c", 2],
    ["a.b[*].c | [0]", 1],
    ["@.a.b[1::-1].c", [2, 1]],
    ["missing[*].b", null],
  ])("the result of %s is %j", (expression, result) => {
    expect(search(expression, document)).toEqual(result);
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "the result of %s is null unless the data has the member",
    (name) => {
      expect(search(name, {})).toBeNull();
      expect(search(`"${name}"`, JSON.parse(`{"${name}": 1}`))).toBe(1);
      expect(JSON.stringify(search(`{"${name}": a}`, { a: 1 }))).toBe(`{"${name}":1}`);
    },
  );
});
