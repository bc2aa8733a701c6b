/** Compares texts by their code units, which does not depend on a language. */
export function textOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
