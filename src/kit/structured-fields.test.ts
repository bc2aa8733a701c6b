import { expect, test } from "vitest";
import { dictionaryIn, innerListText, isInnerList, itemText } from "./structured-fields.js";

/** Parses a dictionary and writes it as text again. */
function canonical(text: string): string | undefined {
  const members = [...(dictionaryIn(text) ?? [])];
  const texts = members.map(
    ([name, member]) => `${name}=${isInnerList(member) ? innerListText(member) : itemText(member)}`,
  );
  return dictionaryIn(text) && texts.join(", ");
}

test.each([
  ["", ""],
  ["a=1", "a=1"],
  ["  a=-1.5 ,\tb=abc/d*  ", "a=-1.5, b=abc/d*"],
  ["a, b;x=2;y, c=?0", "a=?1, b=?1;x=2;y, c=?0"],
  [String.raw`a="q\"\\ ~"`, String.raw`a="q\"\\ ~"`],
  ["a=:AAECAw==:", "a=:AAECAw==:"],
  ['sig=("@status"  "@path";req );created=5; keyid="k"', 'sig=("@status" "@path";req);created=5;keyid="k"'],
  ["sig=()", "sig=()"],
  ["a=1, a=2", "a=2"],
])("the dictionary %j is read as %j", (text, expected) => {
  expect(canonical(text)).toBe(expected);
});

test.each([
  "A=1",
  "a=",
  "a=1,",
  "a=1 b=2",
  "a=1;",
  "a=1;X",
  'a="open',
  'a="\\x"',
  'a="é"',
  "a=(1",
  "a=(1 2",
  'a=("x""y")',
  "a=1.",
  "a=1.2345",
  "a=1234567890123456",
  "a=:AAECAw:",
  "a=:AAECAx==:",
  "a=:AA:==",
  "a=?2",
  "a=@1",
  "a=1\nb=2",
  "a=é",
])("the text %j is refused", (text) => {
  expect(dictionaryIn(text)).toBeUndefined();
});

test("long text with unclosed lists or an unclosed string is refused without delay", () => {
  expect(dictionaryIn(`a=${"(".repeat(30_000)}`)).toBeUndefined();
  expect(dictionaryIn(`a="${"\\\\".repeat(15_000)}`)).toBeUndefined();
});
