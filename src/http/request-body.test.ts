import { Type } from "typebox";
import { expect, test } from "vitest";
import { violationsOf } from "./request-body.js";

const schema = Type.Object({
  name: Type.String({ maxLength: 3 }),
  count: Type.Optional(Type.Integer({ minimum: 1 })),
  items: Type.Optional(Type.Array(Type.Object({ id: Type.String() }), { maxItems: 2 })),
});

test.each([
  { input: { name: "abc" }, fields: [] },
  { input: { name: "abc", more: 1 }, fields: [] },
  { input: {}, fields: ["name"] },
  { input: { name: "abcd" }, fields: ["name"] },
  { input: { name: 1 }, fields: ["name"] },
  { input: { name: "a", count: 0 }, fields: ["count"] },
  { input: { name: "a", items: [{ id: "x" }, {}] }, fields: ["items[1].id"] },
  { input: { name: "a", items: [{ id: "x" }, { id: 3 }] }, fields: ["items[1].id"] },
  { input: { name: "a", items: [{ id: "x" }, { id: "x" }, { id: "x" }] }, fields: ["items"] },
  { input: { name: 1, count: "x" }, fields: ["name", "count"] },
])("$input is refused for $fields", ({ input, fields }) => {
  expect(violationsOf(schema, input).map(({ field }) => field)).toEqual(fields);
});

test("a missing member is said to be required", () => {
  expect(violationsOf(schema, {})).toEqual([{ field: "name", description: "is required" }]);
});
