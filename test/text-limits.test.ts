import { describe, expect, test } from "vitest";
import type { QueryField } from "../src/contract/query-field.js";
import { violationsOf } from "../src/contract/violations.js";
import { loadServices } from "../src/services/registry.js";

const { operations, writes } = await loadServices();

const NOW = Date.UTC(2026, 10, 22);
/** Longer than any parameter may be. */
const LONG = 5_000;

interface Parameter {
  readonly name: string;
  readonly field: QueryField;
}

const textOf = ({ schema }: QueryField): { readonly type?: unknown; readonly items?: unknown } & object => schema;

/** Parameters that are strings or lists of strings, except for ignored parameters, which accept any value. */
const parameters = operations.flatMap(({ path, operation }) =>
  Object.entries(operation.query as Readonly<Record<string, QueryField>>).flatMap(([name, field]): Parameter[] => {
    const { type, items } = textOf(field);
    const isText = type === "string" || (items as { type?: unknown } | undefined)?.type === "string";
    const isIgnored = /accepted and ignored/i.test(field.description);
    return isText && !isIgnored ? [{ name: `${name} of ${path}`, field }] : [];
  }),
);

describe("a text parameter", () => {
  test("occurs more than 20 times, more than 3 times as a country", () => {
    expect(parameters.length).toBeGreaterThan(20);
    expect(parameters.filter(({ name }) => /^country/.test(name)).length).toBeGreaterThan(3);
  });

  test.each(parameters)("has a maximum length: $name", ({ field }) => {
    for (const long of ["A".repeat(LONG), "1".repeat(LONG), "🌍".repeat(LONG), "A,".repeat(LONG / 2)]) {
      expect(field.decode([long], NOW)).toHaveProperty("violation");
    }
  });

  test.each(parameters)("declares its limit, its form or its values: $name", ({ field }) => {
    const { items } = textOf(field);
    const declared = items ?? field.schema;
    expect(Object.keys(declared as object).some((key) => bounds.has(key))).toBe(true);
  });
});

const bounds: ReadonlySet<string> = new Set(["maxLength", "pattern", "enum", "format"]);

describe("a country", () => {
  const countries = parameters.filter(({ name }) => /^country of/.test(name));

  test.each(countries)("accepts 64 characters of any kind and rejects 65: $name", ({ field }) => {
    for (const character of ["x", "é", "🌍"]) {
      expect(field.decode([character.repeat(64)], NOW)).toHaveProperty("value");
      expect(field.decode([character.repeat(65)], NOW)).toEqual({
        violation: expect.stringMatching(/^must have at most 64 characters, got "/),
      });
    }
  });
});

/** The string schemas inside a schema, each with its path. */
function* textsIn(schema: object, place: string): Generator<readonly [place: string, text: object]> {
  const { type, properties, items, anyOf } = schema as {
    readonly type?: string;
    readonly properties?: Readonly<Record<string, object>>;
    readonly items?: object;
    readonly anyOf?: readonly object[];
  };
  if (type === "string") yield [place, schema];
  for (const [name, member] of Object.entries(properties ?? {})) yield* textsIn(member, `${place}.${name}`);
  for (const part of [...(items ? [items] : []), ...(anyOf ?? [])]) yield* textsIn(part, place);
}

describe("a text in the body of a write", () => {
  const bodies = writes.map(({ path, write: { request } }) => ({ path, request }));
  const texts = bodies.flatMap(({ path, request }) => [...textsIn(request, path)]);

  test("is found in plain members, in nested members and in forms", () => {
    expect(texts.map(([place]) => place)).toEqual(
      expect.arrayContaining([
        "/api/batch/v1/execute.operations.path",
        "/api/account/v1/create-key.name",
        "/oauth/token.client_id",
      ]),
    );
  });

  test.each(texts)("declares its limit or its values, and a longer text is rejected: %s", (_place, text) => {
    expect("maxLength" in text || "enum" in text).toBe(true);
    const { maxLength = 0 } = text as { readonly maxLength?: number };
    const tooLong = "A".repeat(Math.max(LONG, maxLength + 1));
    expect(violationsOf(text as Parameters<typeof violationsOf>[0], tooLong)).toHaveLength(1);
  });
});
