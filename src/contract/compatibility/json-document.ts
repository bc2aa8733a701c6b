/** An object of a JSON document. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * Follows references, and merges in the members beside each reference. A reference that leads nowhere or closes a cycle
 * adds no members. The schema `false` becomes `{ not: {} }`.
 */
export function resolved(document: Json, node: unknown, followed: readonly string[] = []): Json {
  if (node === false) return { not: {} };
  const { $ref: reference, ...beside } = objectOf(node);
  if (typeof reference !== "string") return beside;
  if (followed.includes(reference)) return {};
  return { ...resolved(document, targetOf(document, reference), [...followed, reference]), ...beside };
}

export function lostReference(document: Json, node: unknown): string | undefined {
  const { $ref: reference } = objectOf(node);
  return typeof reference === "string" && targetOf(document, reference) === undefined ? reference : undefined;
}

/**
 * Returns the node at which a chain of references ends, or the first reference in the chain that has other members
 * beside it. The result identifies a schema.
 */
export function destinationOf(document: Json, node: unknown): unknown {
  const seen = new Set<unknown>();
  let destination = node;
  for (;;) {
    const { $ref: reference, ...beside } = objectOf(destination);
    if (typeof reference !== "string" || Object.keys(beside).length > 0 || seen.has(destination)) return destination;
    seen.add(destination);
    destination = targetOf(document, reference);
  }
}

/** Resolves a JSON pointer of this document. */
export function targetOf(document: Json, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  const keys = reference.slice(2).split("/");
  return keys.reduce<unknown>(
    (node, key) => objectOf(node)[decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~")],
    document,
  );
}

export function objectOf(node: unknown): Json {
  return typeof node === "object" && node !== null && !Array.isArray(node) ? (node as Json) : {};
}

export function entriesOf(node: unknown): [string, unknown][] {
  return Object.entries(objectOf(node));
}

/** Wraps a single value in a list; returns a list unchanged, and an empty list for undefined. */
export function listOf(node: unknown): readonly unknown[] {
  if (Array.isArray(node)) return node;
  return node === undefined ? [] : [node];
}
