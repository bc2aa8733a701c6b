import { expect, test } from "vitest";
import { definitionOf, type Expressions, scriptedCall } from "../../testing/scripted-call.js";
import { IDENTITY_CHARACTERS_MAX, IDENTITY_UNITS_MAX } from "../limits.js";
import type { Content } from "./answer-content.js";
import { contentOf } from "./content.js";
import type { Watched } from "./moment.js";
import { rowsByExpression } from "./row-identity.js";

const standing = { dataset: "a", generation: 1, state: "ok" } as const;

async function contentWith(
  rows: readonly unknown[],
  { condition, identity, expressions = {} }: { condition?: string; identity?: string; expressions?: Expressions },
): Promise<Content | { readonly error: string }> {
  const call = scriptedCall({ rows: new Map([["a 1", rows]]), expressions });
  const answer = await call.answer([standing], 0);
  if (answer === undefined || "error" in answer) throw new Error("the script has no answer");
  const watch = definitionOf({ ...(condition && { condition }), ...(identity && { identity }) });
  return contentOf(watch, answer, call);
}

const idsOf = (content: Content | { readonly error: string }): readonly string[] =>
  "error" in content ? [content.error] : (content.rows?.rows ?? []).map(({ id }) => id);

const all: Expressions = { rows: ({ rows }: { rows: unknown }) => rows };

test("rows that a condition yields keep their identity from the list, even if several are equal", async () => {
  const rows = [
    { id: "a", n: 1 },
    { id: "b", n: 1 },
    { id: "a", n: 1 },
  ];
  expect(idsOf(await contentWith(rows, { condition: "rows", expressions: all }))).toEqual(["a", "b", "a#2"]);
});

test("rows that differ in `id` but share another member keep their own identities", async () => {
  const rows = Array.from({ length: 30 }, (_, index) => ({ id: `r${index}`, country: "SDN", sites: [index] }));
  expect(idsOf(await contentWith(rows, { condition: "rows", expressions: all }))).toEqual(rows.map(({ id }) => id));
});

test("if a condition omits the group of a row in a grouped list, the row keeps its identity, which includes the group", async () => {
  const rows = [
    { id: "politics x", group: "politics", row: { title: "x" } },
    { id: "sport x", group: "sport", row: { title: "x" } },
  ];
  const call = scriptedCall({
    rows: new Map([["a 1", rows]]),
    expressions: { items: () => [{ title: "x" }, { title: "y" }] },
  });
  const answer = await call.answer([standing], 0);
  if (answer === undefined || "error" in answer) throw new Error("the script has no answer");
  const grouped = rows.map(({ id, group, row }) => ({ id, row: { group, row } }));
  const listed = { ...answer, rows: async () => ({ rows: grouped, collisions: 0 }) };
  expect(idsOf(await contentOf({ condition: "items" }, listed, call))).toEqual(["politics x", '{"title":"y"}']);
});

test("scalars that a condition yields are their own identities", async () => {
  const expressions = { ids: () => ["x", 1, "x", null] };
  expect(idsOf(await contentWith([], { condition: "ids", expressions }))).toEqual(["x", "1", "x#2", "null"]);
});

test("an identity expression may yield any JSON value", async () => {
  const expressions: Expressions = { "[id, n]": ({ id, n }: { id: string; n: number }) => [id, n] };
  expect(idsOf(await contentWith([{ id: "a", n: 1 }], { identity: "[id, n]", expressions }))).toEqual(['["a",1]']);
});

test("a long row identity ends in a hash", async () => {
  const rows = ["a", "b"].map((end) => ({ id: `${"x".repeat(5_000)}${end}` }));
  for (const identity of [undefined, "id"]) {
    const expressions: Expressions = { id: ({ id }: { id: string }) => id };
    const ids = idsOf(await contentWith(rows, { ...(identity && { identity }), expressions }));
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => /^x+~[0-9a-f]{32}$/.test(id) && id.length === IDENTITY_CHARACTERS_MAX)).toBe(true);
  }
});

test("an identity expression that fails or takes too much work is reported as a failure", async () => {
  const failing: Expressions = {
    id: () => {
      throw new Error("abs() expects a number");
    },
  };
  expect(await contentWith([{ id: "a" }], { identity: "id", expressions: failing })).toEqual({
    error: "The identity failed: abs() expects a number",
  });
  const slow: Watched = {
    ...scriptedCall({ rows: new Map() }),
    async evaluate(_, value, options) {
      options?.onWork?.(IDENTITY_UNITS_MAX / 2 + 1);
      return { value };
    },
  };
  const rows = Array.from({ length: 1_500 }, (_, index) => index);
  expect(await rowsByExpression(rows, "@", slow)).toEqual({
    error: "The identity takes too much work for a list of this length",
  });
  expect(await rowsByExpression(rows.slice(0, 1_000), "@", slow)).toMatchObject({ collisions: 0 });
});

test("rows get their identities in list order, even in a list of 50,000 rows", async () => {
  const rows = Array.from({ length: 50_000 }, (_, index) => ({ id: `r${index % 49_999}` }));
  const expressions: Expressions = { id: ({ id }: { id: string }) => id };
  const content = await contentWith(rows, { identity: "id", expressions });
  if ("error" in content) throw new Error(content.error);
  expect(content.rows?.collisions).toBe(1);
  expect(content.rows?.rows.at(-1)?.id).toBe("r0#2");
});
