import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";

const gzipAsync = promisify(gzip);
const gunzipAsync = promisify(gunzip);

/** Stored records of each part, as a dataset's build left them. */
export type PartRecords = Readonly<Record<string, readonly unknown[]>>;

/** Largest body that is unpacked, so that a damaged file cannot fill the memory. */
const BODY_BYTES_MAX = 1 << 30;

/** The records as text to store. Equal records of a dataset give equal hashes: no time or run goes in. */
export function contentText(
  dataset: string,
  records: PartRecords,
): { readonly text: string; readonly contentHash: string } {
  const text = JSON.stringify({ format: 1, dataset, parts: records });
  return { text, contentHash: hashOf(text) };
}

/** Packed off the event loop by zlib's thread pool. */
export async function pack(text: string): Promise<Buffer> {
  return gzipAsync(text, { level: 6 });
}

/** The records of a stored body. Throws `BodyDamaged` when the bytes are not what was stored under the hash. */
export async function unpack(contentHash: string, bytes: Buffer): Promise<PartRecords> {
  let text: string;
  try {
    text = (await gunzipAsync(bytes, { maxOutputLength: BODY_BYTES_MAX })).toString("utf8");
  } catch (error) {
    throw new BodyDamaged(`body ${contentHash.slice(0, 12)} cannot be unpacked`, { cause: error });
  }
  if (hashOf(text) !== contentHash) throw new BodyDamaged(`body ${contentHash.slice(0, 12)} does not match its hash`);
  // Written by contentText and verified by the hash just now.
  return (JSON.parse(text) as { readonly parts: PartRecords }).parts;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A stored body that is not the one that was published. */
export class BodyDamaged extends Error {
  override readonly name = "BodyDamaged";
}
