/** Header fields as they are sent: `Name: value` lines, each with its line ending. */
export type HeadLines = string;

export function headLines(headers: Readonly<Record<string, string>>): HeadLines {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

/** The header fields of these lines, by name. */
export function headersIn(lines: HeadLines): Record<string, string> {
  return Object.fromEntries(fieldsIn(lines));
}

/** The lines whose field names pass the test. */
export function linesWith(lines: HeadLines, passes: (name: string) => boolean): HeadLines {
  return headLines(Object.fromEntries(fieldsIn(lines).filter(([name]) => passes(name))));
}

function fieldsIn(lines: HeadLines): readonly (readonly [name: string, value: string])[] {
  return lines
    .split("\r\n")
    .slice(0, -1)
    .map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    });
}
