import { createHash, type Hash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { ClockPace, LoopTurns, type Steps } from "../../kit/loop-turns.js";

/**
 * The lines of a text to store. They are not joined, because the text of a large dataset would exceed the maximum
 * length of a string.
 */
export type TextLines = readonly string[];

/** The stored records of each part. */
export type PartRecords = Readonly<Record<string, readonly unknown[]>>;

/** Maximum size of an unpacked body in bytes, so that a damaged file cannot exhaust the memory. */
const BODY_BYTES_MAX = 1 << 30;

/** First line of a stored text: the parts in order, with their record counts. The records follow, one per line. */
interface Header {
  readonly format: 2;
  readonly dataset: string;
  readonly parts: Readonly<Record<string, number>>;
}

/** The older format: the whole text in one line. */
interface WholeText {
  readonly format: 1;
  readonly parts: PartRecords;
}

/**
 * Formats records as text to store. Equal records of a dataset have equal hashes, because the text does not depend on
 * the time or the run of the build. Throws if the text would be too long to be read.
 */
export function contentText(
  dataset: string,
  records: PartRecords,
  bytesMax = BODY_BYTES_MAX,
): { readonly lines: TextLines; readonly contentHash: string } {
  const counts = Object.entries(records).map(([part, list]) => [part, list.length]);
  const header: Header = { format: 2, dataset, parts: Object.fromEntries(counts) };
  const lines = [JSON.stringify(header)];
  for (const list of Object.values(records)) {
    for (const record of list) lines.push(JSON.stringify(record) ?? "null");
  }
  const hash = createHash("sha256");
  let length = 0;
  for (const piece of textPieces(lines)) {
    const bytes = Buffer.from(piece);
    length += bytes.byteLength;
    hash.update(bytes);
  }
  if (length > bytesMax) {
    throw new RangeError(`the records of ${dataset} take ${length} bytes; at most ${bytesMax} are stored`);
  }
  return { lines, contentHash: hash.digest("hex") };
}

/** Yields the text of these lines in pieces of at least `PIECE_BYTES` characters, except the last piece. */
function* textPieces(lines: TextLines): Generator<string, void> {
  let piece: string[] = [];
  let length = 0;
  let isFirst = true;
  for (const line of lines) {
    piece.push(line);
    length += line.length;
    if (length < PIECE_BYTES) continue;
    yield (isFirst ? "" : "\n") + piece.join("\n");
    [piece, length, isFirst] = [[], 0, false];
  }
  if (piece.length > 0) yield (isFirst ? "" : "\n") + piece.join("\n");
}

/**
 * The gzip header of packed text, without the last byte of the header: deflate, no file name, no time, default
 * compression.
 */
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0]);
/** The operating system in the last byte of the header: "unknown", so that equal texts give equal bytes everywhere. */
const SYSTEM_UNKNOWN = 255;
/**
 * Accepted values of the last byte. Earlier versions wrote the operating system of their zlib: Unix, Windows (as
 * TOPS-20 or NTFS) or Darwin.
 */
const SYSTEMS: ReadonlySet<number | undefined> = new Set([SYSTEM_UNKNOWN, 3, 10, 11, 19]);

/** Compresses a text in zlib's thread pool, off the event loop. */
export async function pack(lines: TextLines): Promise<Buffer> {
  const packing = createGzip({ level: 6 });
  const pieces: Buffer[] = [];
  await pipeline(textPieces(lines), packing, async (packed: AsyncIterable<Buffer>) => {
    for await (const piece of packed) pieces.push(piece);
  });
  const bytes = Buffer.concat(pieces);
  bytes[GZIP_HEAD.length] = SYSTEM_UNKNOWN;
  return bytes;
}

/**
 * Throws unless packed text begins with a header that this or an earlier version of `pack` writes. Unpacking ignores
 * most bytes of the header, so it would not notice damage to them.
 */
function checkPackedHead(bytes: Buffer): void {
  const isOwn = bytes.subarray(0, GZIP_HEAD.length).equals(GZIP_HEAD) && SYSTEMS.has(bytes[GZIP_HEAD.length]);
  if (!isOwn) throw new RangeError("the packed text does not begin with an expected header");
}

/**
 * Reads the records of a body from its text, in slices. Throws `BodyDamaged` if the text does not match the hash or
 * cannot be read.
 */
export async function recordsIn(
  contentHash: string,
  text: AsyncIterable<Buffer>,
  turns = new LoopTurns(),
): Promise<PartRecords> {
  const body: BodyText = { contentHash, hash: createHash("sha256"), values: [], begun: [] };
  const pace = new ClockPace();
  for await (const piece of boundedText(contentHash, text)) await turns.run(pieceSteps(body, piece, pace), pace);
  return turns.run(endSteps(body, pace), pace);
}

/** Yields the pieces of a text. Throws `BodyDamaged` if a piece cannot be read or the whole text is too long. */
async function* boundedText(contentHash: string, text: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let length = 0;
  try {
    for await (const piece of text) {
      length += piece.byteLength;
      if (length > BODY_BYTES_MAX) throw new RangeError(`more than ${BODY_BYTES_MAX} bytes`);
      yield piece;
    }
  } catch (error) {
    if (error instanceof BodyDamaged) throw error;
    throw new BodyDamaged(`body ${contentHash.slice(0, 12)} cannot be unpacked`, { cause: error });
  }
}

/** Yields the pieces of a body's text. Throws `BodyDamaged` at the end if the text does not match the hash. */
export async function* checkedText(contentHash: string, text: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const hash = createHash("sha256");
  for await (const piece of boundedText(contentHash, text)) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest("hex") !== contentHash) throw mismatch({ contentHash });
}

/**
 * Number of bytes handled between two reads of the clock. Hashing them takes well below a millisecond, and parsing them
 * about one millisecond.
 */
const PIECE_BYTES = 65_536;
const NEWLINE = 10;

/**
 * Unpacks a text piece by piece in zlib's thread pool. Throws if `bytes` is not a complete packed text. The pieces are
 * not joined: a text of 80 MB (200,000 records) would block the event loop for 100 ms while it is assembled, and again
 * when its memory is freed.
 */
export async function* unpacked(bytes: Buffer): AsyncGenerator<Buffer, void> {
  checkPackedHead(bytes);
  const unpacking = createGunzip({ chunkSize: PIECE_BYTES });
  unpacking.end(bytes);
  yield* unpacking as AsyncIterable<Buffer>;
}

/** A partly read body. */
interface BodyText {
  readonly contentHash: string;
  readonly hash: Hash;
  /** The values of complete lines. */
  readonly values: unknown[][];
  /** The incomplete last line of the pieces so far. */
  begun: Buffer[];
}

function* pieceSteps(body: BodyText, piece: Buffer, pace: ClockPace): Steps<void> {
  body.hash.update(piece);
  if (pace.isOver) yield;
  const end = piece.lastIndexOf(NEWLINE);
  if (end >= 0) {
    body.begun.push(piece.subarray(0, end));
    takeLines(body);
  }
  body.begun.push(piece.subarray(end + 1));
}

/** Checks the hash at the end; until then the values are not trusted. */
function* endSteps(body: BodyText, pace: ClockPace): Steps<PartRecords> {
  if (body.hash.digest("hex") !== body.contentHash) throw mismatch(body);
  takeLines(body);
  const values: unknown[] = [];
  for (const some of body.values) {
    values.push(...some);
    if (pace.isOver) yield;
  }
  // The hash proves that contentText wrote this header and the records after it.
  const { format, parts } = values[0] as Header | WholeText;
  return format === 1 ? parts : cutInParts(values, 1, parts);
}

function takeLines(body: BodyText): void {
  const text = Buffer.concat(body.begun).toString();
  body.begun = [];
  try {
    // JSON contains no raw line break, so every line break separates two values.
    body.values.push(JSON.parse(`[${text.replaceAll("\n", ",")}]`) as unknown[]);
  } catch (error) {
    throw mismatch(body, error);
  }
}

function mismatch({ contentHash }: Pick<BodyText, "contentHash">, cause?: unknown): BodyDamaged {
  return new BodyDamaged(`body ${contentHash.slice(0, 12)} does not match its hash`, { cause });
}

function cutInParts(values: readonly unknown[], begin: number, counts: Header["parts"]): PartRecords {
  let from = begin;
  const parts = Object.entries(counts).map(([part, count]) => {
    const own = values.slice(from, from + count);
    from += count;
    return [part, own];
  });
  return Object.fromEntries(parts);
}

/** Some records of a part, in their order. */
export interface RecordBatch {
  readonly part: string;
  readonly records: readonly unknown[];
}

/**
 * Reads the records of a body piece by piece, in bounded memory. Throws `BodyDamaged` if the text cannot be read or,
 * after the last batch, if it does not match the hash. Until then, no record is verified.
 */
export async function* recordBatches(
  contentHash: string,
  text: AsyncIterable<Buffer>,
): AsyncGenerator<RecordBatch, void> {
  const batches = batchReader();
  try {
    for await (const piece of checkedText(contentHash, text)) yield* batches.next(piece);
    yield* batches.end();
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    throw mismatch({ contentHash }, error);
  }
}

interface BatchReader {
  next(piece: Buffer): Generator<RecordBatch, void>;
  end(): Generator<RecordBatch, void>;
}

function batchReader(): BatchReader {
  let begun: Buffer[] = [];
  let left: (readonly [part: string, count: number])[] | undefined;

  function* batchesOf(lines: Buffer): Generator<RecordBatch, void> {
    let values = JSON.parse(`[${lines.toString().replaceAll("\n", ",")}]`) as unknown[];
    if (left === undefined) {
      const header = values[0] as Header | WholeText;
      if (header.format === 1) {
        left = [];
        for (const [part, records] of Object.entries(header.parts)) yield { part, records };
        return;
      }
      left = Object.entries(header.parts);
      values = values.slice(1);
    }
    while (values.length > 0) {
      const [part, count] = left[0] ?? ["", 0];
      if (part === "" && left.length === 0) throw new TypeError("more records than the header states");
      const records = values.slice(0, count);
      values = values.slice(records.length);
      if (records.length > 0) yield { part, records };
      if (records.length === count) left.shift();
      else left[0] = [part, count - records.length];
    }
  }

  return {
    *next(piece) {
      const end = piece.lastIndexOf(NEWLINE);
      if (end >= 0) {
        const lines = Buffer.concat([...begun, piece.subarray(0, end)]);
        begun = [];
        yield* batchesOf(lines);
      }
      begun.push(piece.subarray(end + 1));
    },
    end: () => batchesOf(Buffer.concat(begun)),
  };
}

/** Thrown for a stored body that is gone, cannot be read, or does not match its hash. */
export class BodyDamaged extends Error {
  override readonly name = "BodyDamaged";
}
