/** Splits each line into its tab-separated cells, without trimming. Blank lines are dropped. */
export function decodeTsv(text: string): readonly (readonly string[])[] {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
  return lines.map((line) => line.split("\t"));
}
