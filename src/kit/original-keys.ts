const KEYS_SHOWN_MAX = 50;

/**
 * The keys at the top level of an answer, which help the caller to correct a projection that failed: the first 50 keys
 * of an object, then the number of remaining keys; for any other value, its kind and, for a list, its length.
 */
export function originalKeys(body: unknown): readonly string[] {
  if (Array.isArray(body)) return [`<array length=${body.length}>`];
  // The contract's kinds are the results of `typeof`, so null is `<object>`.
  if (typeof body !== "object" || body === null) return [`<${typeof body}>`];
  const keys = Object.keys(body);
  if (keys.length <= KEYS_SHOWN_MAX) return keys;
  return [...keys.slice(0, KEYS_SHOWN_MAX), `...<${keys.length - KEYS_SHOWN_MAX} more>`];
}
