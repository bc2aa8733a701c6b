import { Type } from "typebox";
import { expect, test } from "vitest";
import { loadServices } from "../services/registry.js";
import { nullCharactersOf, violationsOf } from "./violations.js";

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
])("the violations of $input are in the fields $fields", ({ input, fields }) => {
  expect(violationsOf(schema, input).map(({ field }) => field)).toEqual(fields);
});

test("the violation of a missing member says that it is required", () => {
  expect(violationsOf(schema, {})).toEqual([{ field: "name", description: "is required" }]);
});

test("a list that is too long is refused for its length, without validating its items", () => {
  const items = Array.from({ length: 130_000 }, () => new Proxy({}, { get: seen, has: seen, ownKeys: seen }));
  expect(violationsOf(schema, { name: 1, items })).toEqual([
    { field: "items", description: "must not have more than 2 items" },
  ]);
  function seen(): never {
    throw new Error("an item was validated");
  }
});

const withMap = Type.Object({
  name: Type.String(),
  items: Type.Optional(Type.Array(Type.Object({ id: Type.String() }), { maxItems: 20 })),
  filters: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String(), { maxItems: 2 }))),
});
const DESCRIPTION = "must not contain the character U+0000";

test.each([
  { input: { name: "a", items: [{ id: "b" }], filters: { c: ["d"] } }, violations: [] },
  { input: { name: "a", unnamed: "\u0000" }, violations: [] },
  { input: { name: "\u0000" }, violations: [["name", DESCRIPTION]] },
  { input: { name: "a", items: [{ id: "b" }, { id: "b\u0000" }] }, violations: [["items[1].id", DESCRIPTION]] },
  { input: { name: "a", filters: { "a/b": ["c", "\u0000"] } }, violations: [["filters.a/b[1]", DESCRIPTION]] },
  { input: { name: "a", filters: { "a\u0000": [] } }, violations: [["filters", `member names ${DESCRIPTION}`]] },
])("U+0000 is refused in the members that the schema names: $input", ({ input, violations }) => {
  expect(violationsOf(withMap, input)).toEqual([]);
  expect(nullCharactersOf(withMap, input).map(({ field, description }) => [field, description])).toEqual(violations);
});

test("at most ten strings with U+0000 are listed", () => {
  const items = Array.from({ length: 20 }, () => ({ id: "\u0000" }));
  expect(nullCharactersOf(withMap, { name: "a", items })).toHaveLength(10);
});

test("at most ten violations are listed", () => {
  const names = Array.from({ length: 20 }, (_, index) => `member${index}`);
  const twenty = Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])));
  expect(violationsOf(twenty, {}).map(({ field }) => field)).toEqual(names.slice(0, 10));
});

test("every list in the body of a write has a maximum length", async () => {
  const { writes } = await loadServices();
  const unbounded = writes.flatMap(({ path, write: { request } }) => listsWithoutLimit(request, path));
  expect(unbounded).toEqual([]);
});

function listsWithoutLimit(value: unknown, path: string): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "type" in value && value.type === "array" && !("maxItems" in value) ? [path] : [];
  return [...own, ...Object.entries(value).flatMap(([name, member]) => listsWithoutLimit(member, `${path} ${name}`))];
}
