/** Cells of each line, separated by tabs and left as they are; blank lines are dropped. */
export function decodeTsv(text: string): readonly (readonly string[])[] {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
  return lines.map((line) => line.split("\t"));
}
