import { expect, test } from "vitest";
import { nextThing } from "./next-thing.js";

const things = [{ key: "a" }, { key: "b" }, { key: "c" }];

test("stepping goes through the things in order and wraps around at the ends", () => {
  expect(nextThing(things, "a", 1)?.key).toBe("b");
  expect(nextThing(things, "c", 1)?.key).toBe("a");
  expect(nextThing(things, "a", -1)?.key).toBe("c");
});

test("without a chosen thing, stepping begins at the first or the last thing", () => {
  expect(nextThing(things, "", 1)?.key).toBe("a");
  expect(nextThing(things, "gone", -1)?.key).toBe("c");
});

test("stepping in an empty list chooses nothing", () => {
  expect(nextThing([], "", 1)).toBeUndefined();
});
