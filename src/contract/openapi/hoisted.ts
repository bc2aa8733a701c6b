import type { TSchema } from "typebox";

/** Returns the schema with every titled part inside it moved to the components. */
export function hoistedParts(schema: TSchema, components: Record<string, unknown>): unknown {
  const { title: _, ...untitled } = plain(schema);
  return hoisted(untitled, components);
}

/** Returns the schema, or a reference to it if it has a title, with every titled part moved to the components. */
export function hoisted(schema: TSchema, components: Record<string, unknown>): unknown {
  return walk(plain(schema));

  function walk(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== "object" || node === null) return node;
    const walked = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, walk(value)]));
    const { title, ...untitled } = walked;
    if (typeof title !== "string") return walked;
    // The component's name replaces the title.
    components[title] = untitled;
    return { $ref: `#/components/schemas/${title}` };
  }
}

/** The plain JSON Schema, without TypeBox's own members. */
export function plain(schema: TSchema): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(schema));
}
