type Json = Readonly<Record<string, unknown>>;

/** Returns the component that a node of a document references, or the node itself if it is not a reference. */
export function resolvedIn(document: object, node: unknown): unknown {
  if (typeof node !== "object" || node === null || !("$ref" in node)) return node;
  const keys = String(node.$ref).slice(2).split("/");
  return keys.reduce<unknown>((node, key) => (node as Json)[key], document);
}
