import { flag, type QueryField } from "./query-field.js";

/** `signature`: an additional parameter of every operation and every account read. */
export const signatureField: QueryField<boolean> = {
  ...flag("Whether to sign the answer (RFC 9421), see docs/proofs.md"),
  // Not part of the canonical query, because a signed answer is otherwise the same as an unsigned one.
  canonical: () => undefined,
};

/** Label of a signature if the caller chose no label. */
export const SIGNATURE_LABEL = "vigil";

const signedNames: ReadonlySet<string> = new Set([
  "content-digest",
  "content-type",
  "content-encoding",
  "etag",
  "last-modified",
  "memento-datetime",
]);

/**
 * Returns true for a header that describes the data of an answer. A signature covers all such headers. `Date` is left
 * out, because reverse proxies such as nginx replace it; the parameter `created` carries the time instead. `name` is in
 * lower case.
 */
export function isSignedHeader(name: string): boolean {
  return name.startsWith("x-vigil-") || signedNames.has(name);
}
