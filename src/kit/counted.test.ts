import { expect, test } from "vitest";
import { counted } from "./counted.js";

test.each([
  [counted(0, "row"), "0 rows"],
  [counted(1, "row"), "1 row"],
  [counted(2, "row"), "2 rows"],
  [counted(1_200, "row"), "1,200 rows"],
  [counted(1, "leaf", "leaves"), "1 leaf"],
  [counted(3, "leaf", "leaves"), "3 leaves"],
])("the noun of %s agrees with the count", (text, expected) => {
  expect(text).toBe(expected);
});
