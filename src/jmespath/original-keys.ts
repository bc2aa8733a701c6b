const KEYS_SHOWN_MAX = 50;

/** What a caller could have selected: the keys of an object, at most 50 and then their rest as a number; else its kind. */
export function originalKeys(body: unknown): readonly string[] {
  if (Array.isArray(body)) return [`<array length=${body.length}>`];
  // The contract's kinds are JavaScript's, so null is `<object>`.
  if (typeof body !== "object" || body === null) return [`<${typeof body}>`];
  const keys = Object.keys(body);
  if (keys.length <= KEYS_SHOWN_MAX) return keys;
  return [...keys.slice(0, KEYS_SHOWN_MAX), `...<${keys.length - KEYS_SHOWN_MAX} more>`];
}
