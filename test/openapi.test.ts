import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Json = Readonly<Record<string, unknown>>;

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface OpenApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document: OpenApiDocument = JSON.parse(readFileSync(new URL("../docs/openapi.json", import.meta.url), "utf8"));

/** Every property below a node with its place. */
function* propertiesIn(node: unknown, place: string): Generator<readonly [place: string, schema: Schema]> {
  if (typeof node !== "object" || node === null) return;
  const { properties } = node as Schema;
  for (const [name, schema] of Object.entries(properties ?? {})) yield [`${place}.${name}`, schema];
  for (const [key, child] of Object.entries(node as Json)) yield* propertiesIn(child, `${place}.${key}`);
}

/** The description of a schema, or of the component that it refers to. */
function descriptionOf({ $ref, description }: Schema): string | undefined {
  const name = $ref?.split("/").at(-1);
  return description ?? (name === undefined ? undefined : document.components.schemas[name]?.description);
}

test("every property of the document has a description, its own or that of its component", () => {
  const undescribed = [...propertiesIn(document, "")].filter(([, schema]) => !descriptionOf(schema));
  expect(undescribed.map(([place]) => place)).toEqual([]);
});
