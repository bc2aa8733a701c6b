import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvalidExpression } from "./errors.js";
import { parse } from "./parse.js";
import { expressionSoup } from "./testing/arbitrary.js";

describe("operator binding", () => {
  /** The first expression of each pair means the same as the second one, which has explicit groups. */
  test.each([
    ["a || b && c", "a || (b && c)"],
    ["a | b || c", "a | (b || c)"],
    ["a == b && c", "(a == b) && c"],
    ["!a == b", "(!a) == b"],
    ["!a[0]", "!(a[0])"],
    ["!a.b", "(!a).b"],
    ["a.b.c", "(a.b).c"],
  ])("%s is parsed as %s", (expression, grouped) => {
    expect(parse(expression)).toEqual(parse(grouped));
  });

  test.each([
    ["a[*].b", "(a[*]).b"],
    ["a[].b[0]", "(a[].b)[0]"],
    ["a[?b].c", "(a[?b]).c"],
    ["a[1:].b", "(a[1:]).b"],
    ["a.*.b", "(a.*).b"],
  ])("a group ends a projection: %s is not %s", (expression, grouped) => {
    expect(parse(expression)).not.toEqual(parse(grouped));
  });
});

describe("a syntax error", () => {
  test.each([
    ["", "unexpected end of the expression at character 1"],
    ["a.", "expected a name, *, [ or { after the dot, found the end of the expression at character 3"],
    ["a b", "unexpected b at character 3"],
    ["a[0", "expected ], found the end of the expression at character 4"],
    ["a[b]", "expected a number, : or *, found b at character 3"],
    ["{1: a}", "expected a key, found 1 at character 2"],
    ["{a: b,}", "expected a key, found } at character 7"],
    ["a[::0]", "a slice cannot step by 0 at character 5"],
    ["abs(a b)", "expected ), found b at character 7"],
    ['"abs"(a)', "a quoted name cannot be called: unexpected ( at character 6"],
    [`a ${"x".repeat(100)}`, `unexpected ${"x".repeat(20)}… at character 3`],
  ])("a syntax error is reported for %s: %s", (expression, message) => {
    expect(() => parse(expression)).toThrow(message);
  });

  test("parsing any text throws no error other than InvalidExpression", () => {
    fc.assert(
      fc.property(fc.oneof(expressionSoup, fc.string()), (expression) => {
        try {
          parse(expression);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidExpression);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("nesting", () => {
  test.each([
    ["lists", `${"[".repeat(511)}@${"]".repeat(511)}`],
    ["groups", `${"(".repeat(511)}@${")".repeat(511)}`],
    ["filters", `${"[?".repeat(341)}@${"]".repeat(341)}`],
    ["projections", "[*]".repeat(341)],
    ["pipes", Array.from({ length: 512 }, () => "@").join("|")],
    ["members", Array.from({ length: 512 }, () => "a").join(".")],
  ])("nesting is parsed in an expression of up to 1,024 bytes: %s", (_, expression) => {
    expect(() => parse(expression)).not.toThrow();
  });

  test.each(["!", "(", "[", "[?", "{a:", "abs(", "@[*]["])(
    "nesting is refused before the stack overflows if %s is repeated 100,000 times",
    (opening) => {
      expect(() => parse(opening.repeat(100_000))).toThrow(InvalidExpression);
    },
  );
});
