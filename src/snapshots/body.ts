import { createHash, type Hash } from "node:crypto";
import { promisify } from "node:util";
import { createGunzip, gzip } from "node:zlib";
import { ClockPace, LoopTurns, type Steps } from "../kit/loop-turns.js";

const gzipAsync = promisify(gzip);

/** Stored records of each part, as a dataset's build left them. */
export type PartRecords = Readonly<Record<string, readonly unknown[]>>;

/** Largest body that is unpacked, so that a damaged file cannot fill the memory. */
const BODY_BYTES_MAX = 1 << 30;

/** First line of a stored text: whose records follow, and how many of each part, one a line. */
interface Header {
  readonly format: 2;
  readonly dataset: string;
  readonly parts: Readonly<Record<string, number>>;
}

/** Before records had lines of their own, the whole text was one line. */
interface WholeText {
  readonly format: 1;
  readonly parts: PartRecords;
}

/** The records as text to store. Equal records of a dataset give equal hashes: no time or run goes in. */
export function contentText(
  dataset: string,
  records: PartRecords,
): { readonly text: string; readonly contentHash: string } {
  const counts = Object.entries(records).map(([part, list]) => [part, list.length]);
  const header: Header = { format: 2, dataset, parts: Object.fromEntries(counts) };
  const lines = Object.values(records).flatMap((list) => list.map((record) => JSON.stringify(record) ?? "null"));
  const text = [JSON.stringify(header), ...lines].join("\n");
  return { text, contentHash: createHash("sha256").update(text).digest("hex") };
}

/** Packed off the event loop by zlib's thread pool. */
export async function pack(text: string): Promise<Buffer> {
  return gzipAsync(text, { level: 6 });
}

/**
 * The records of a stored body, read in slices of the event loop however many there are. Throws `BodyDamaged` when the
 * bytes are not what was stored under the hash.
 */
export async function unpack(contentHash: string, bytes: Buffer, turns = new LoopTurns()): Promise<PartRecords> {
  const body: BodyText = { contentHash, hash: createHash("sha256"), values: [], begun: [] };
  const pace = new ClockPace();
  for await (const piece of piecesOf(contentHash, bytes)) await turns.run(pieceSteps(body, piece, pace), pace);
  return turns.run(endSteps(body, pace), pace);
}

/** Bytes looked at between two looks at the clock: well below a millisecond to hash, about one to parse. */
const PIECE_BYTES = 65_536;
const NEWLINE = 10;

/**
 * The text piece by piece, as it comes out of zlib's thread pool. To have all of it at once, 80 MB for 200,000 records,
 * would hold the loop for 100 ms where it is put together, and again where that much memory is given back.
 */
async function* piecesOf(contentHash: string, bytes: Buffer): AsyncGenerator<Buffer, void> {
  const unpacking = createGunzip({ chunkSize: PIECE_BYTES });
  unpacking.end(bytes);
  let length = 0;
  try {
    for await (const piece of unpacking as AsyncIterable<Buffer>) {
      length += piece.byteLength;
      if (length > BODY_BYTES_MAX) throw new RangeError(`more than ${BODY_BYTES_MAX} bytes`);
      yield piece;
    }
  } catch (error) {
    throw new BodyDamaged(`body ${contentHash.slice(0, 12)} cannot be unpacked`, { cause: error });
  }
}

/** A body of which some pieces were read. */
interface BodyText {
  readonly contentHash: string;
  readonly hash: Hash;
  /** The values of whole lines. */
  readonly values: unknown[][];
  /** What was read of the line that the next piece goes on with. */
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

/** What was read is believed only now: until here nobody knows whether it is what was stored. */
function* endSteps(body: BodyText, pace: ClockPace): Steps<PartRecords> {
  if (body.hash.digest("hex") !== body.contentHash) throw mismatch(body);
  takeLines(body);
  const values: unknown[] = [];
  for (const some of body.values) {
    values.push(...some);
    if (pace.isOver) yield;
  }
  // Written by contentText, as the hash just told; so are the records behind it.
  const { format, parts } = values[0] as Header | WholeText;
  return format === 1 ? parts : cutInParts(values, 1, parts);
}

function takeLines(body: BodyText): void {
  const text = Buffer.concat(body.begun).toString();
  body.begun = [];
  try {
    // JSON holds no line break of its own, so that every one here stands between two values.
    body.values.push(JSON.parse(`[${text.replaceAll("\n", ",")}]`) as unknown[]);
  } catch (error) {
    throw mismatch(body, error);
  }
}

function mismatch({ contentHash }: BodyText, cause?: unknown): BodyDamaged {
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

/** A stored body that is not the one that was published. */
export class BodyDamaged extends Error {
  override readonly name = "BodyDamaged";
}
