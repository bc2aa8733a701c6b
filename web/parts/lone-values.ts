/**
 * The indexes of the values with a gap (null or the end of the list) on both sides. A line chart draws nothing for such
 * a value unless it marks its points.
 */
export function loneValues(values: readonly (number | null)[]): number[] {
  const isValue = (at: number): boolean => typeof values[at] === "number";
  return values.flatMap((_, at) => (isValue(at) && !isValue(at - 1) && !isValue(at + 1) ? [at] : []));
}
