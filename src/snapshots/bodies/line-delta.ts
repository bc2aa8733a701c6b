import { createHash } from "node:crypto";
import { visitSteps } from "../../kit/list-steps.js";
import { leaveAscent } from "../../kit/longest-ascent.js";
import type { ClockPace, Steps } from "../../kit/loop-turns.js";
import type { TextLines } from "./body.js";

/*
 * Stores a text as its line-by-line difference from a base text. The difference consists of ops, one per line: `=12`
 * takes the next 12 lines of the base, `-3` skips 3 lines of the base, and `+…` adds a line that is not taken from the
 * base.
 */

const NEWLINE = 10;
/**
 * Number of characters of a line's hash. A hash has 132 bits, so in practice two different lines never have equal
 * hashes.
 */
const KEY_CHARACTERS = 22;

/** The hashes of the lines of a text, in order. */
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

/** The ops that turn a base into a text, and the total length of the lines that the ops add. */
export interface LineDelta {
  readonly ops: TextLines;
  readonly ownCharacters: number;
}

/**
 * Finds the longest sequence of lines that both texts have in the same order, and returns the resulting delta. Of equal
 * lines in the base, only the first is used.
 */
export function* lineDeltaSteps(base: LineKeys, lines: TextLines, pace: ClockPace): Steps<LineDelta> {
  const positions = yield* positionsIn(base, lines, pace);
  const marks = Uint8Array.from(positions, (position) => (position === NONE ? 0 : 1));
  yield* leaveAscent(marks, positions, pace);
  const ops = new Ops();
  yield* visitSteps(lines.entries(), pace, ([index, line]) => {
    if (marks[index] === 1) ops.take(positions[index] as number);
    else ops.add(line);
  });
  return ops.finished();
}

/** Writes the ops of a text, line by line. */
class Ops {
  private readonly lines: string[] = [];
  private ownCharacters = 0;
  /** The position in the base after the last line taken from it. */
  private next = 0;
  private copied = 0;

  /** Takes the line at a position of the base. */
  take(position: number): void {
    if (position > this.next) {
      this.endCopy();
      this.lines.push(`-${position - this.next}`);
    }
    this.copied += 1;
    this.next = position + 1;
  }

  add(line: string): void {
    this.endCopy();
    this.lines.push(`+${line}`);
    this.ownCharacters += line.length;
  }

  finished(): LineDelta {
    this.endCopy();
    return { ops: this.lines, ownCharacters: this.ownCharacters };
  }

  private endCopy(): void {
    if (this.copied > 0) this.lines.push(`=${this.copied}`);
    this.copied = 0;
  }
}

const NONE = -1;

/** Finds each line's first position in the base, or `NONE`. */
function* positionsIn(base: LineKeys, lines: TextLines, pace: ClockPace): Steps<Int32Array> {
  const first = new Map<string, number>();
  yield* visitSteps(base.entries(), pace, ([position, key]) => {
    if (!first.has(key)) first.set(key, position);
  });
  const positions = new Int32Array(lines.length);
  yield* visitSteps(lines.entries(), pace, ([index, line]) => {
    positions[index] = first.get(keyOf([line])) ?? NONE;
  });
  return positions;
}

/** Minimum size of an assembled piece in bytes. The last piece may be smaller. */
const PIECE_BYTES = 65_536;

/** Assembles a text from its base and its ops, each in pieces. Throws if the base has fewer lines than the ops need. */
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

/** Yields the lines of a text in pieces, without their line breaks. */
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

/** Reads a given number of lines at a time from a text that arrives in pieces. */
class LineReader {
  private readonly pieces: AsyncIterator<Buffer>;
  private piece: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Buffer>) {
    this.pieces = pieces[Symbol.asyncIterator]();
  }

  /** Yields the text of the next lines, including the line breaks between them. */
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
        const lineEnd = this.piece.indexOf(NEWLINE, end);
        if (lineEnd < 0) {
          end = this.piece.length;
          break;
        }
        end = lineEnd + 1;
      }
      yield left === 0 ? this.piece.subarray(0, end - 1) : this.piece.subarray(0, end);
      this.piece = this.piece.subarray(end);
    }
  }
}
