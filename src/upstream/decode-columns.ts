/**
 * Splits each line at white space into its cells. Drops blank lines and, unless `comment` is empty, the lines that
 * start with it.
 */
export function decodeColumns(text: string, comment: string): readonly (readonly string[])[] {
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim());
  const kept = lines.filter((line) => line !== "" && !(comment !== "" && line.startsWith(comment)));
  return kept.map((line) => line.split(/\s+/));
}
