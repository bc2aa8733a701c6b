/** Compares strings by their code units, so that the order does not depend on a language. */
export function textOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
