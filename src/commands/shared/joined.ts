/** Joins the values of a repeated option, for the command-line parser. */
export function joined(value: string, before: string | undefined): string {
  return before === undefined ? value : `${before},${value}`;
}
