import { expect, test } from "vitest";
import { wordsOf } from "../../../../kit/words.js";
import { asks, endsAsDrill, isKindOfText, isYearsOf, namesPastYear, saysNo } from "./title-form.js";

const words = (title: string) => wordsOf(title, 80);

test.each<[name: string, judge: (read: ReturnType<typeof words>) => boolean, yes: string, no: string]>([
  ["asks a question", asks, "Who pays for the bridge", "WHO pays for the bridge"],
  ["asks a question after a colon", asks, "Explained: what the ruling means", "Nobody knows what the ruling means"],
  ["denies something", saysNo, "No fraud found at bank", "No end to war"],
  ["denies something after a colon", saysNo, "Bank: no data taken", "Bank says there is no data"],
  ["looks back over years", isYearsOf, "Thirty years of peace", "Thirty years for robber"],
  ["is dated by a year before 2000", namesPastYear, "The great flood of 1953", "Worst flood since the one of 1953"],
  ["ends with a drill", endsAsDrill, "Commandos storm ferry in hijack exercise", "Exercise ends in storm"],
])("a title that %s is recognised", (_name, judge, yes, no) => {
  expect(judge(words(yes))).toBe(true);
  expect(judge(words(no))).toBe(false);
});

test.each([
  ["Review: the thinnest laptop", 0, true],
  ["The thinnest laptop: review", 3, true],
  ["Judge orders review of case", 2, false],
])("the type of article is recognised only at the start or end of a title: %s", (title, at, expected) => {
  expect(isKindOfText(words(title), at, 1)).toBe(expected);
});
