/**
 * What is wrong with a key that a simulated upstream was given: every text is right there but those that say otherwise, so
 * that any key that one may really have works in the demo.
 */
export function keyTrouble(key: string | null | undefined): "wrong" | "spent" | undefined {
  if (!key || key.startsWith("wrong")) return "wrong";
  return key.startsWith("spent") ? "spent" : undefined;
}
