/**
 * Returns the error for a key sent to a simulated upstream: `wrong` for a missing key or a key that begins with
 * `wrong`, `spent` for a key that begins with `spent`. All other keys are valid, so that any real key works in the
 * demo.
 */
export function keyTrouble(key: string | null | undefined): "wrong" | "spent" | undefined {
  if (!key || key.startsWith("wrong")) return "wrong";
  return key.startsWith("spent") ? "spent" : undefined;
}
