import { expect, test } from "vitest";
import { titleWordsOf } from "./title-words.js";

const stems = (title: string): string =>
  titleWordsOf(title)
    .map(({ stem }) => stem)
    .join(" ");
const subordinate = (title: string): string =>
  titleWordsOf(title)
    .filter(({ isSubordinate, stem }) => isSubordinate && stem !== "$")
    .map(({ folded }) => folded)
    .join(" ");

test.each([
  ["UPDATE 2-Orrin sues its rival", "^ orrin sue rival $"],
  ["Orrin cuts 1,200 jobs", "^ orrin cut # job $"],
  ["Orrin bags a Rs 2.3 crore order", "^ orrin bag # order $"],
  ["Orrin revenue +3%, profit -2%", "^ orrin revenu up # profit down # $"],
  ["Opinion: is Orrin for sale?", "^ opinion : is orrin for sale ? $"],
  ["", "^ $"],
])("the title %j is read as %j", (title, expected) => {
  expect(stems(title)).toBe(expected);
});

test.each([
  ["Orrin wins order after strike ends", "strike ends"],
  ["After strike ends, Orrin wins order", "strike ends"],
  ["Orrin goes under, shutting 200 shops", "shutting # shops"],
  ["Orrin wins order", ""],
])("the subordinate clause of %j is %j", (title, expected) => {
  expect(subordinate(title)).toBe(expected);
});
