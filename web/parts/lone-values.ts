/** The indexes of the values that have no neighbour. Such a value is not visible in a line without points. */
export function loneValues(values: readonly (number | null)[]): number[] {
  const isValue = (at: number): boolean => typeof values[at] === "number";
  return values.flatMap((_, at) => (isValue(at) && !isValue(at - 1) && !isValue(at + 1) ? [at] : []));
}
