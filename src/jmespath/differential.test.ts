import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expressionSoup, jmespathExpression, jsonDocument } from "./testing/arbitrary.js";
import { differenceOn, differences, type Outcome, oursFor, REFUSED, theirsFor } from "./testing/differences.js";

/** Number of cases: a few thousand here; test/acceptance/jmespath-differential.test.ts runs many more. */
const RUNS = 3_000;

function shown({ json }: Outcome): unknown {
  return json === null ? REFUSED : JSON.parse(json);
}

describe("compared with the jmespath package", () => {
  test("every difference in a result belongs to a class that the specification explains", () => {
    fc.assert(
      fc.property(jmespathExpression, jsonDocument, (expression, document) => {
        expect(differenceOn(expression, document)).not.toBeNull();
      }),
      { numRuns: RUNS },
    );
  });

  test("for every text that this implementation accepts, the package has the same outcome or an explained difference", () => {
    fc.assert(
      fc.property(expressionSoup, jsonDocument, (expression, document) => {
        if (oursFor(expression, document).json !== null) expect(differenceOn(expression, document)).not.toBeNull();
      }),
      { numRuns: RUNS },
    );
  });

  test.each(differences)("$name: $because", ({ example, explains }) => {
    const { expression, document, ours, theirs } = example;
    const [here, there] = [oursFor(expression, document), theirsFor(expression, document)];
    expect(shown(here)).toEqual(ours);
    expect(shown(there)).toEqual(theirs);
    expect(explains(expression, here, there)).toBe(true);
  });

  /** Expressions that violate the grammar, although the package accepts them. */
  test.each([
    ["`a`", "a literal between backticks is JSON"],
    ["[a b]", "the items of a list are separated by commas"],
    ["not_null(a b)", "arguments are separated by commas"],
    ["not_null(a,)", "an argument follows each comma"],
    ["(a b)", "a group holds one expression"],
    ["{a: a b: b}", "the entries of an object are separated by commas"],
    ["@[1-2]", "a number has its sign in front"],
    ["type(&a)", "an expression reference is not a value of any type"],
    ["&a", "an expression reference is an argument of a function"],
  ])("this implementation refuses %s: %s", (expression) => {
    expect(shown(oursFor(expression, {}))).toBe(REFUSED);
    expect(shown(theirsFor(expression, {}))).not.toBe(REFUSED);
  });
});
