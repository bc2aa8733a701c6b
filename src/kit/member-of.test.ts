import { expect, test } from "vitest";
import { memberOf } from "./member-of.js";

const table: Readonly<Record<string, number>> = { one: 1, two: 2 };

test("a name in the table yields its member", () => {
  expect(memberOf(table, "two")).toBe(2);
});

test.each(["three", "", "constructor", "toString", "__proto__", "hasOwnProperty"])(
  "%j is not a name in the table",
  (name) => {
    expect(memberOf(table, name)).toBeUndefined();
  },
);
