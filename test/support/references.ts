type Json = Readonly<Record<string, unknown>>;

/** The node of a document, or the component that it references. */
export function resolvedIn(document: object, node: unknown): unknown {
  if (typeof node !== "object" || node === null || !("$ref" in node)) return node;
  const keys = String(node.$ref).slice(2).split("/");
  return keys.reduce<unknown>((node, key) => (node as Json)[key], document);
}
