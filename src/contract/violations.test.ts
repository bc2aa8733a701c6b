import { Type } from "typebox";
import { expect, test } from "vitest";
import { loadServices } from "../services/registry.js";
import { violationsOf } from "./violations.js";

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
