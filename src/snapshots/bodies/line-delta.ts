import { createHash } from "node:crypto";

/*
 * A text as the difference to another one, by lines: the lines that it takes from the other text in their order, and
 * those of its own. Each op is a line: `=12` takes 12 lines, `-3` passes over 3, and `+…` is a line of its own.
 */

const NEWLINE = 10;
/** Characters of a line's hash: 132 bits, so that two different lines never have the same. */
const KEY_CHARACTERS = 22;

/** The lines of a text, by hash, in their order. */
export type LineKeys = readonly string[];

/** Hashes the lines of a text that arrives in pieces. */
export async function keysOfPieces(pieces: AsyncIterable<Buffer>): Promise<LineKeys> {
  const keys: string[] = [];
  let begun: Buffer[] = [];
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      begun.push(piece.subarray(from, end));
      keys.push(keyOf(begun));
      begun = [];
      from = end + 1;
    }
    begun.push(piece.subarray(from));
  }
  return [...keys, keyOf(begun)];
}

function keyOf(line: readonly (Buffer | string)[]): string {
  const hash = createHash("sha256");
  for (const part of line) hash.update(part);
  return hash.digest("base64").slice(0, KEY_CHARACTERS);
}

/** The ops that make `text` of the text with these lines, and the length of the lines that they hold. */
export interface LineDelta {
  readonly ops: string;
  readonly ownCharacters: number;
}

/** Finds the longest sequence of lines that both texts have in the same order, and the ops around it. */
export function lineDelta(base: LineKeys, text: string): LineDelta {
  const lines = text.split("\n");
  const taken = longestAscent(positionsIn(base, lines));
  const ops: string[] = [];
  let [next, copied, ownCharacters] = [0, 0, 0];
  const endCopy = (): void => {
    if (copied > 0) ops.push(`=${copied}`);
    copied = 0;
  };
  for (const [index, line] of lines.entries()) {
    const at = taken[index] as number;
    if (at < 0) {
      endCopy();
      ops.push(`+${line}`);
      ownCharacters += line.length;
      continue;
    }
    if (at > next) {
      endCopy();
      ops.push(`-${at - next}`);
    }
    copied += 1;
    next = at + 1;
  }
  endCopy();
  return { ops: ops.join("\n"), ownCharacters };
}

/** For each line its first position in the base, or -1. */
function positionsIn(base: LineKeys, lines: readonly string[]): Int32Array {
  const first = new Map<string, number>();
  base.forEach((key, position) => {
    if (!first.has(key)) first.set(key, position);
  });
  return Int32Array.from(lines, (line) => first.get(keyOf([line])) ?? -1);
}

/** Keeps the longest strictly ascending sequence of the non-negative positions, and makes the others -1. */
function longestAscent(positions: Int32Array): Int32Array {
  /** The index of the smallest last position of an ascent of each length. */
  const ends: number[] = [];
  const before = new Int32Array(positions.length).fill(-1);
  for (const [index, position] of positions.entries()) {
    if (position < 0) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((positions[ends[middle] as number] as number) < position) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? (ends[low - 1] as number) : -1;
    ends[low] = index;
  }
  const kept = new Int32Array(positions.length).fill(-1);
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] as number) {
    kept[index] = positions[index] as number;
  }
  return kept;
}

/** Bytes of an assembled piece, at least. */
const PIECE_BYTES = 65_536;

/** Assembles a text from its base and its ops, each in pieces. Throws if they do not fit each other. */
export async function* appliedDelta(
  base: AsyncIterable<Buffer>,
  ops: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void> {
  const lines = new LineReader(base);
  let pieces: Buffer[] = [];
  let [length, isFirst] = [0, true];
  const separator = Buffer.of(NEWLINE);
  for await (const op of linesOf(ops)) {
    const count = Number(op.toString("latin1", 1, 12));
    if (op[0] === MINUS) {
      for await (const _ of lines.take(count));
      continue;
    }
    const own = op[0] === PLUS ? [op.subarray(1)] : lines.take(count);
    if (!isFirst) pieces.push(separator);
    isFirst = false;
    for await (const piece of own) {
      pieces.push(piece);
      length += piece.byteLength;
      if (length < PIECE_BYTES) continue;
      yield Buffer.concat(pieces);
      [pieces, length] = [[], 0];
    }
  }
  yield Buffer.concat(pieces);
}

const [PLUS, MINUS] = [43, 45];

/** The lines of a text in pieces, without their line breaks. */
async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let begun: Buffer[] = [];
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...begun, piece.subarray(from, end)]);
      begun = [];
      from = end + 1;
    }
    if (from < piece.length) begun.push(piece.subarray(from));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}

/** Reads a text in pieces by numbers of lines. */
class LineReader {
  private readonly pieces: AsyncIterator<Buffer>;
  private piece: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Buffer>) {
    this.pieces = pieces[Symbol.asyncIterator]();
  }

  /** The next lines as they stand in the text, without the last line break. */
  async *take(count: number): AsyncGenerator<Buffer, void> {
    let left = count;
    while (left > 0) {
      if (this.piece.length === 0) {
        const next = await this.pieces.next();
        // The last line of a text has no line break.
        if (next.done && left === 1) return;
        if (next.done) throw new RangeError(`the text ends ${left - 1} lines early`);
        this.piece = next.value;
      }
      let end = 0;
      for (; left > 0 && end < this.piece.length; left -= 1) {
        const found = this.piece.indexOf(NEWLINE, end);
        if (found < 0) {
          end = this.piece.length;
          break;
        }
        end = found + 1;
      }
      yield left === 0 ? this.piece.subarray(0, end - 1) : this.piece.subarray(0, end);
      this.piece = this.piece.subarray(end);
    }
  }
}
