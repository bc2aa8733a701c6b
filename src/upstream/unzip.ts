import { Readable } from "node:stream";
import { createInflateRaw, inflateRawSync } from "node:zlib";
import { SourceFailure } from "../contract/source.js";

/** Default maximum size of an unpacked file, so that a small archive cannot exhaust memory. */
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
/** Length of an archive's end record without the comment that follows it. */
const END_BYTES_MIN = 22;
const COMMENT_BYTES_MAX = 65_535;
const STORED = 0;
const DEFLATED = 8;

/**
 * Unpacks the only file of a zip archive. Sizes are read from the central directory, because the local headers of
 * streamed archives do not contain them. Throws `SourceFailure` "changed" for anything else: a body that is not an
 * archive, several files, encryption, an unsupported compression, or a file of more than `bytesMax` bytes.
 */
export function unzip(archive: Buffer, bytesMax = UNPACKED_BYTES_MAX): Buffer {
  try {
    return onlyFile(archive, bytesMax);
  } catch (error) {
    if (error instanceof SourceFailure) throw error;
    throw damaged(error);
  }
}

/**
 * Yields the only file of a zip archive in pieces, so that a large file is never in memory as a whole. Throws in the
 * same cases as `unzip`, in some of them only after the last piece.
 */
export async function* unzippedPieces(archive: Buffer, bytesMax: number): AsyncGenerator<Buffer, void> {
  try {
    const { packed, method, bytes } = packedFile(archive, bytesMax);
    const pieces = method === STORED ? Readable.from([packed]) : Readable.from(slices(packed)).pipe(createInflateRaw());
    let unpacked = 0;
    for await (const piece of pieces as AsyncIterable<Buffer>) {
      unpacked += piece.byteLength;
      if (unpacked > bytes) break;
      yield piece;
    }
    if (unpacked !== bytes) throw changed(`holds ${unpacked > bytes ? "more than " : ""}${unpacked} bytes`, `${bytes}`);
  } catch (error) {
    if (error instanceof SourceFailure) throw error;
    throw damaged(error);
  }
}

const SLICE_BYTES = 262_144;

function* slices(bytes: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < bytes.byteLength; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}

function onlyFile(archive: Buffer, bytesMax: number): Buffer {
  const { packed, method, bytes } = packedFile(archive, bytesMax);
  const unpacked = method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(bytes, 1) });
  if (unpacked.byteLength !== bytes) throw changed(`holds ${unpacked.byteLength} bytes`, `${bytes}`);
  return unpacked;
}

interface PackedFile {
  readonly packed: Buffer;
  readonly method: number;
  /** Size of the unpacked file. */
  readonly bytes: number;
}

function packedFile(archive: Buffer, bytesMax: number): PackedFile {
  const end = endOfDirectory(archive);
  const count = archive.readUInt16LE(end + 10);
  if (count !== 1) throw changed(`holds ${count} files`, "one");
  const entry = archive.readUInt32LE(end + 16);
  if (archive.readUInt32LE(entry) !== DIRECTORY_ENTRY) throw changed("has no directory", "one");
  const isEncrypted = (archive.readUInt16LE(entry + 8) & 1) === 1;
  const method = archive.readUInt16LE(entry + 10);
  if (isEncrypted || (method !== STORED && method !== DEFLATED))
    throw changed("is encrypted or has an unsupported compression", "deflate or none");
  const packed = packedBytes(archive, entry);
  const bytes = archive.readUInt32LE(entry + 24);
  if (bytes > bytesMax) throw changed(`holds ${bytes} bytes`, `at most ${bytesMax}`);
  return { packed, method, bytes };
}

function endOfDirectory(archive: Buffer): number {
  const last = archive.byteLength - END_BYTES_MIN;
  for (let at = last; at >= Math.max(0, last - COMMENT_BYTES_MAX); at -= 1) {
    if (archive.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  }
  throw new SourceFailure("changed", "the body is not a zip archive; expected one");
}

/** The compressed bytes of the file. They follow the local header, whose name and extra field vary in length. */
function packedBytes(archive: Buffer, entry: number): Buffer {
  const size = archive.readUInt32LE(entry + 20);
  const header = archive.readUInt32LE(entry + 42);
  if (archive.readUInt32LE(header) !== LOCAL_HEADER) throw changed("has no file at the stated offset", "one");
  const from = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  if (from + size > archive.byteLength) throw changed("is cut off", "a whole one");
  return archive.subarray(from, from + size);
}

/** The failure for offsets outside the archive and for invalid compressed bytes. */
function damaged(cause: unknown): SourceFailure {
  return new SourceFailure("changed", "the zip archive is damaged; expected a whole one", { cause });
}

function changed(problem: string, expected: string): SourceFailure {
  return new SourceFailure("changed", `the zip archive ${problem}; expected ${expected}`);
}
