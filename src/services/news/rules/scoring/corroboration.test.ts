import { expect, test } from "vitest";
import { corroborationCount, corroborationPoints, familiesOf } from "./corroboration.js";

test("two newsrooms of one family are counted once", () => {
  const families = familiesOf([{ family: "bbc" }, { family: "afp" }, { family: "bbc" }]);
  expect(families).toEqual(["afp", "bbc"]);
  expect(corroborationCount(families)).toBe(2);
});

test("a story has at least one source", () => expect(corroborationCount([])).toBe(1));

test.each([
  [1, 20],
  [4, 80],
  [5, 100],
  [6, 100],
])("%i sources earn %i points", (count, points) => expect(corroborationPoints(count)).toBe(points));
