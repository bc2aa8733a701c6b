/** Joins the values of an option that is repeated, for the parser of the command line. */
export function joined(value: string, before: string | undefined): string {
  return before === undefined ? value : `${before},${value}`;
}
