import { expect, test } from "vitest";
import { lex } from "./lex.js";

function kindsOf(expression: string): readonly string[] {
  return lex(expression).map(({ kind }) => kind);
}

function firstValue(expression: string): unknown {
  return lex(expression)[0]?.value;
}

test("lex prefers the longest matching sign", () => {
  expect(kindsOf("[?a||b|[]!=!&&&")).toEqual(["[?", "name", "||", "name", "|", "[]", "!=", "!", "&&", "&", "end"]);
});

test("lex skips blanks and keeps the position of every token", () => {
  expect(lex(" a\t.\r\nb ").map(({ at }) => at)).toEqual([1, 3, 6, 8]);
});

test.each([
  [String.raw`'it\'s'`, "it's"],
  [String.raw`'\'\''`, "''"],
  [String.raw`'a\\'`, String.raw`a\\`],
  [String.raw`'\n'`, String.raw`\n`],
  ['`"\\`"`', "`"],
  ["` [1] `", [1]],
  [String.raw`"a\u0062"`, "ab"],
  ["-12", -12],
])("lex reads %s as %j", (expression, value) => {
  expect(firstValue(expression)).toEqual(value);
});

test.each([
  ["a ^", "unexpected ^ at character 3"],
  ["a = b", "unexpected = at character 3"],
  ["a 😀", "unexpected 😀 at character 3"],
  ["a.'b", "unclosed ' at character 3"],
  ["`1", "unclosed ` at character 1"],
  [String.raw`"a\"`, 'unclosed " at character 1'],
  ["`a`", "expected JSON between backticks at character 1"],
  [String.raw`"\u"`, "expected a JSON string at character 1"],
])("lex refuses %s and names the position: %s", (expression, message) => {
  expect(() => lex(expression)).toThrow(message);
});
