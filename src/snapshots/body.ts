import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { ClockPace, LoopTurns, type Steps } from "../kit/loop-turns.js";

const gzipAsync = promisify(gzip);
const gunzipAsync = promisify(gunzip);

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
  let text: Buffer;
  try {
    text = await gunzipAsync(bytes, { maxOutputLength: BODY_BYTES_MAX });
  } catch (error) {
    throw new BodyDamaged(`body ${contentHash.slice(0, 12)} cannot be unpacked`, { cause: error });
  }
  const pace = new ClockPace();
  return turns.run(readSteps(contentHash, text, pace), pace);
}

/** Bytes looked at between two looks at the clock: below a millisecond to hash, one or two to parse. */
const PIECE_BYTES = 131_072;
const NEWLINE = 10;

function* readSteps(contentHash: string, text: Buffer, pace: ClockPace): Steps<PartRecords> {
  const hash = createHash("sha256");
  for (let at = 0; at < text.byteLength; at += PIECE_BYTES) {
    hash.update(text.subarray(at, at + PIECE_BYTES));
    if (pace.isOver) yield;
  }
  if (hash.digest("hex") !== contentHash) {
    throw new BodyDamaged(`body ${contentHash.slice(0, 12)} does not match its hash`);
  }
  // Written by contentText and verified by the hash just now; so are the records.
  const headerEnd = lineEnd(text, 0);
  const header = JSON.parse(text.toString("utf8", 0, headerEnd)) as Header | WholeText;
  if (header.format === 1) return header.parts;
  return cutInParts(yield* lineSteps(text.subarray(headerEnd + 1), pace), header.parts);
}

/** The JSON values of lines, a piece at a time. */
function* lineSteps(lines: Buffer, pace: ClockPace): Steps<readonly unknown[]> {
  const pieces: unknown[][] = [];
  for (let from = 0; from < lines.byteLength; ) {
    const to = lineEnd(lines, from + PIECE_BYTES);
    // JSON holds no line break of its own, so that every one here stands between two records.
    pieces.push(JSON.parse(`[${lines.toString("utf8", from, to).replaceAll("\n", ",")}]`) as unknown[]);
    from = to + 1;
    if (pace.isOver) yield;
  }
  return pieces.flat();
}

function cutInParts(records: readonly unknown[], counts: Header["parts"]): PartRecords {
  let from = 0;
  const parts = Object.entries(counts).map(([part, count]) => {
    const own = records.slice(from, from + count);
    from += count;
    return [part, own];
  });
  return Object.fromEntries(parts);
}

/** Where the line ends that holds the byte at `from`. */
function lineEnd(text: Buffer, from: number): number {
  const at = from < text.byteLength ? text.indexOf(NEWLINE, from) : -1;
  return at < 0 ? text.byteLength : at;
}

/** A stored body that is not the one that was published. */
export class BodyDamaged extends Error {
  override readonly name = "BodyDamaged";
}
