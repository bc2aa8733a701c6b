/** The places of values without a neighbour, which a line through the values does not show. */
export function loneValues(values: readonly (number | null)[]): number[] {
  const isValue = (at: number): boolean => typeof values[at] === "number";
  return values.flatMap((_, at) => (isValue(at) && !isValue(at - 1) && !isValue(at + 1) ? [at] : []));
}
