/** A position in an answer: a row of its longest list, a character in that row, or a character of the whole answer. */
export interface Place {
  readonly row?: number;
  readonly character?: number;
}

/** The part of an answer that fits into a byte budget. */
export interface Part {
  /** JSON of the part. */
  readonly json: string;
  /** Set if the part is not the whole answer. */
  readonly cut?: Cut;
  /** The position at which the next part starts; absent for the last part. */
  readonly next?: Place;
}

interface Cut {
  readonly unit: "row" | "character";
  /**
   * JMESPath of the list whose rows were cut. Absent if the answer itself is the list, or if the answer was cut by
   * characters, without regard to lists.
   */
  readonly list?: string;
  /** Index of the row, if the part is a piece of a single row. */
  readonly row?: number;
  readonly from: number;
  /** The first row or character after the part. */
  readonly to: number;
  readonly of: number;
}

/** Larger answers are cut by characters, because parsing them would block the event loop. */
const PARSED_BYTES_MAX = 1_000_000;
/** Depth to which an answer is searched for lists. */
const DEPTH_MAX = 3;

/**
 * Returns the part of a JSON text that fits into `bytesMax`: the whole text, else the text with fewer rows in its
 * longest list, else a piece of the text. A part that starts at a row (`from.row`) has only rows, or a piece of the row
 * if the row alone exceeds the budget. Returns undefined if nothing fits into the budget.
 */
export function partOf(text: string, bytesMax: number, from?: Place): Part | undefined {
  const bytes = Buffer.byteLength(text);
  if (from === undefined && bytes <= bytesMax) return { json: text };
  const isByRows = from === undefined || from.row !== undefined;
  const rows = isByRows && bytes <= PARSED_BYTES_MAX ? rowsWithin(JSON.parse(text), bytesMax, from) : undefined;
  return rows ?? charactersWithin(text, bytesMax, from?.character ?? 0);
}

function rowsWithin(answer: unknown, bytesMax: number, from: Place | undefined): Part | undefined {
  const list = longestList(answer, [], DEPTH_MAX);
  if (!list) return undefined;
  const { row: at = 0, character } = from ?? {};
  const [before, after] = from === undefined ? frameOf(answer, list.path) : ["", ""];
  const texts =
    character === undefined ? rowTexts(list.rows.slice(at), bytesMax - Buffer.byteLength(before + after)) : [];
  const name = list.path.map((member) => (/^\w+$/.test(member) ? member : JSON.stringify(member))).join(".");
  const listed = name === "" ? {} : { list: name };
  const of = list.rows.length;
  if (texts.length > 0) {
    const to = at + texts.length;
    const cut = { unit: "row", ...listed, from: at, to, of } as const;
    return { json: `${before}[${texts.join(",")}]${after}`, cut, ...(to < of && { next: { row: to } }) };
  }
  const piece = from && charactersWithin(JSON.stringify(list.rows[at] ?? null), bytesMax, character ?? 0);
  if (!piece?.cut) return undefined;
  const next = piece.next ? { row: at, ...piece.next } : { row: at + 1 };
  const cut = { ...piece.cut, ...listed, row: at };
  return { json: piece.json, cut, ...((piece.next || at + 1 < of) && { next }) };
}

/** Returns the JSON of the first rows: as many rows as fit into `bytesMax` when they are joined in one list. */
function rowTexts(rows: readonly unknown[], bytesMax: number): readonly string[] {
  const texts: string[] = [];
  let bytes = 2;
  for (const row of rows) {
    const text = JSON.stringify(row);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > bytesMax) break;
    texts.push(text);
  }
  return texts;
}

/** Returns the parts of an answer's JSON that precede and follow the list at a path. */
function frameOf(value: unknown, [name, ...path]: readonly string[]): readonly [before: string, after: string] {
  if (name === undefined) return ["", ""];
  const entries = Object.entries(value as object);
  const at = entries.findIndex(([member]) => member === name);
  const [before, after] = frameOf(entries[at]?.[1], path);
  const head = entries.slice(0, at).map((entry) => `${memberText(entry)},`);
  const tail = entries.slice(at + 1).map((entry) => `,${memberText(entry)}`);
  return [`{${head.join("")}${JSON.stringify(name)}:${before}`, `${after}${tail.join("")}}`];
}

function memberText([name, value]: readonly [name: string, value: unknown]): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}

interface LongList {
  readonly path: readonly string[];
  readonly rows: readonly unknown[];
}

/** Finds the list with the most rows; undefined if no list has at least two. */
function longestList(value: unknown, path: readonly string[], depth: number): LongList | undefined {
  if (Array.isArray(value)) return value.length > 1 ? { path, rows: value } : undefined;
  if (typeof value !== "object" || value === null || depth === 0) return undefined;
  return Object.entries(value)
    .map(([name, member]) => longestList(member, [...path, name], depth - 1))
    .reduce((longest, list) => ((list?.rows.length ?? 0) > (longest?.rows.length ?? 0) ? list : longest), undefined);
}

/**
 * Returns a piece of the text. The piece starts at `from` and, as a JSON string, fits into the budget. Undefined if not
 * even one character fits.
 */
function charactersWithin(text: string, bytesMax: number, from: number): Part | undefined {
  let to = Math.min(text.length, from + bytesMax);
  while (to > from) {
    // The piece is shortened by one if it would otherwise separate the halves of a surrogate pair.
    if (/[\uD800-\uDBFF]/.test(text[to - 1] ?? "") && to < text.length) to -= 1;
    const json = JSON.stringify(text.slice(from, to));
    const bytes = Buffer.byteLength(json);
    if (bytes <= bytesMax) {
      const next = to < text.length ? { next: { character: to } } : {};
      return { json, cut: { unit: "character", from, to, of: text.length }, ...next };
    }
    to = from + Math.min(to - from - 1, Math.floor(((to - from) * bytesMax) / bytes));
  }
  return undefined;
}
