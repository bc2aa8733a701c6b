import type { TSchema } from "typebox";

/**
 * Moves every titled part inside the schema to the components. Returns the schema without its own title, with
 * references in place of these parts.
 */
export function hoistedParts(schema: TSchema, components: Record<string, unknown>): unknown {
  const { title: _, ...untitled } = plain(schema);
  return hoisted(untitled, components);
}

/**
 * Moves every titled part to the components, including the schema itself if it has a title. Returns the schema with
 * references in place of these parts; if the schema itself has a title, returns a reference.
 */
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
