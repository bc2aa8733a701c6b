/**
 * Returns the error for a key sent to a simulated upstream. Every key is valid except those that request an error, so
 * that any real key works in the demo.
 */
export function keyTrouble(key: string | null | undefined): "wrong" | "spent" | undefined {
  if (!key || key.startsWith("wrong")) return "wrong";
  return key.startsWith("spent") ? "spent" : undefined;
}
