/**
 * Splits each line into its cells, separated by white space; blank lines and lines that start with `comment` are
 * dropped.
 */
export function decodeColumns(text: string, comment: string): readonly (readonly string[])[] {
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim());
  const kept = lines.filter((line) => line !== "" && !(comment !== "" && line.startsWith(comment)));
  return kept.map((line) => line.split(/\s+/));
}
