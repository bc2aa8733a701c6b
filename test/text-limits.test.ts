import { describe, expect, test } from "vitest";
import type { QueryField } from "../src/contract/query-field.js";
import { loadServices } from "../src/services/registry.js";

const { operations } = await loadServices();

const NOW = Date.UTC(2026, 10, 22);
/** More than any parameter may have. */
const LONG = 5_000;

interface Parameter {
  readonly name: string;
  readonly field: QueryField;
}

const textOf = ({ schema }: QueryField): { readonly type?: unknown; readonly items?: unknown } & object => schema;

/** Parameters that are texts or lists of texts, but for those that mean nothing: they take any value. */
const parameters = operations.flatMap(({ path, operation }) =>
  Object.entries(operation.query as Readonly<Record<string, QueryField>>).flatMap(([name, field]): Parameter[] => {
    const { type, items } = textOf(field);
    const isText = type === "string" || (items as { type?: unknown } | undefined)?.type === "string";
    const isIgnored = /accepted and ignored/i.test(field.description);
    return isText && !isIgnored ? [{ name: `${name} of ${path}`, field }] : [];
  }),
);

describe("a text parameter", () => {
  test("is known of many operations, countries among them", () => {
    expect(parameters.length).toBeGreaterThan(20);
    expect(parameters.filter(({ name }) => /^country/.test(name)).length).toBeGreaterThan(3);
  });

  test.each(parameters)("has a limit to its length: $name", ({ field }) => {
    for (const long of ["A".repeat(LONG), "1".repeat(LONG), "🌍".repeat(LONG), "A,".repeat(LONG / 2)]) {
      expect(field.decode([long], NOW)).toHaveProperty("violation");
    }
  });

  test.each(parameters)("declares its limit, a form or its values: $name", ({ field }) => {
    const { items } = textOf(field);
    const declared = items ?? field.schema;
    expect(Object.keys(declared as object).some((key) => bounds.has(key))).toBe(true);
  });
});

const bounds: ReadonlySet<string> = new Set(["maxLength", "pattern", "enum", "format"]);

describe("a country", () => {
  const countries = parameters.filter(({ name }) => /^country of/.test(name));

  test.each(countries)("takes 64 characters and refuses 65, whatever they are: $name", ({ field }) => {
    for (const character of ["x", "é", "🌍"]) {
      expect(field.decode([character.repeat(64)], NOW)).toHaveProperty("value");
      expect(field.decode([character.repeat(65)], NOW)).toEqual({
        violation: expect.stringMatching(/^must have at most 64 characters, got "/),
      });
    }
  });
});
