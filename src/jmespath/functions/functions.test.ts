import { describe, expect, test } from "vitest";
import { search } from "../testing/search.js";

const long = "ab".repeat(1_000);

/**
 * Cases that the specification leaves open, or that this implementation could get wrong. The specification's own cases
 * run in compliance.test.ts.
 */
describe("the result", () => {
  test.each([
    ["to_number('')", null],
    ["to_number(' 1')", null],
    ["to_number('0x10')", null],
    ["to_number('-1.5e+2')", -150],
    ["to_number('1e999')", null],
    ["avg(`[]`)", null],
    ["sum(`[]`)", 0],
    ['contains(`[[1], {"a": 2}]`, `{"a": 2}`)', true],
    ["contains('a1', `1`)", false],
    ["contains('abc', '')", true],
    ["starts_with('aa', 'a')", true],
    ["ends_with('a', 'ba')", false],
    ["length('😀')", 1],
    ["reverse('a😀')", "😀a"],
    ["join('', `[]`)", ""],
    ["sort(`[10, 9, 1]`)", [1, 9, 10]],
    ["sort(`[]`)", []],
    ['max(`["Z", "a"]`)', "a"],
    ["max(`[]`)", null],
    ['min_by(`[{"a": 2}, {"a": 1, "b": 1}, {"a": 1}]`, &a).b', 1],
    ['max_by(`[{"a": "x"}]`, &a).a', "x"],
    ["max_by(`[]`, &a)", null],
    ['map(&a, `[{"a": 1}, {}]`)', [1, null]],
    ['merge(`{"a": 1}`, `{"b": 2}`, `{"a": 3}`)', { a: 3, b: 2 }],
    ['to_string(`"a"`)', "a"],
    ['to_string(`{"a": [1, null]}`)', '{"a":[1,null]}'],
    ["not_null(`null`, `false`)", false],
    ["type(`null`)", "null"],
  ])("the result of %s is %j", (expression, result) => {
    expect(search(expression, {})).toEqual(result);
  });

  test.each([
    ["contains(@, 'ba')", true],
    ["contains(@, 'bb')", false],
    ["contains(@, `1`)", false],
    ["length(@)", 2_000],
    ["reverse(@) == @", false],
    ["starts_with(@, @)", true],
    ["to_number(@)", null],
    [`to_number('${"1".repeat(300)}')`, Number("1".repeat(300))],
    ['join(@, `["", ""]`) == @', true],
  ])("the result of %s on long text is %j", (expression, result) => {
    expect(search(expression, long)).toEqual(result);
  });
});

test.each([
  ["join", "join('', [@, @])"],
  ["to_string", "to_string([@, @])"],
])("the result of %s has a limited length, so that copying it does not block the event loop", (_, expression) => {
  expect(() => search(expression, "a".repeat(3_000_000))).toThrow(
    "budget exceeded (a string of more than 5242880 characters)",
  );
});

describe("a type error names the function, the argument and the position", () => {
  test.each([
    ["abs('a')", "abs() argument 1 must be number, got string at character 1"],
    ["a.sum(@)", "sum() argument 1 must be array, got null at character 3"],
    ['sum(`[1, "a"]`)', "sum() argument 1 must be an array of numbers, got a string in it at character 1"],
    ["join(',', `[1]`)", "join() argument 2 must be an array of strings, got a number in it at character 1"],
    ["keys(`[]`)", "keys() argument 1 must be object, got array at character 1"],
    ["merge(`{}`, `[]`)", "merge() argument 2 must be object, got array at character 1"],
    ["map(&a, a)", "map() argument 2 must be array, got null at character 1"],
    ["sort_by('a', &a)", "sort_by() argument 1 must be array, got string at character 1"],
    [
      'sort(`[1, "a"]`)',
      "sort() argument 1 must be an array of only numbers or only strings, got a mixture or other values",
    ],
    ["max_by(`[{}]`, &a)", "max_by() argument 2 must be an expression that yields only numbers or only strings"],
  ])("the type error of %s is: %s", (expression, message) => {
    expect(() => search(expression, {})).toThrow(message);
  });
});
