import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";

/** The body is larger than the caller's limit. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/** The body has a compression that the request did not accept. */
export class EncodingUnknown extends Error {
  override readonly name = "EncodingUnknown";
}

type Decompress = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const gunzipAsync: Decompress = promisify(gunzip);
const brotliAsync: Decompress = promisify(brotliDecompress);
const inflateAsync: Decompress = promisify(inflate);
const inflateRawAsync: Decompress = promisify(inflateRaw);

/**
 * Servers send "deflate" with and without the zlib header that RFC 9110 requires. The method nibble of that header is
 * always 8.
 */
const deflateAsync: Decompress = (bytes, options) =>
  ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateAsync(bytes, options) : inflateRawAsync(bytes, options);

const decompressors: ReadonlyMap<string, Decompress> = new Map([
  ["gzip", gunzipAsync],
  ["x-gzip", gunzipAsync],
  ["br", brotliAsync],
  ["deflate", deflateAsync],
]);

/** Maximum number of compression layers. Misconfigured servers produce at most two; more are an attack. */
const LAYERS_MAX = 2;

/**
 * Reads the whole body, decompressed. Throws `BodyTooLarge` as soon as more than `bytesMax` bytes have arrived, or if
 * the decompressed body is larger than that. Throws `EncodingUnknown` for a compression that the request did not
 * accept, and for more than `LAYERS_MAX` layers. For a truncated body, throws the error of the stream or of zlib.
 */
export async function readBody(body: Readable, encoding: string | undefined, bytesMax: number): Promise<Buffer> {
  const layers = layersOf(encoding);
  let bytes = await collect(body, bytesMax);
  for (const decompress of layers) bytes = bytes.length === 0 ? bytes : await bounded(decompress, bytes, bytesMax);
  return bytes;
}

/**
 * Returns the decompressors for `encoding`, in reverse order, because the header lists encodings in the order in which
 * they were applied.
 */
function layersOf(encoding = ""): readonly Decompress[] {
  const names = encoding.toLowerCase().split(",");
  const applied = names.map((name) => name.trim()).filter((name) => name !== "" && name !== "identity");
  if (applied.length > LAYERS_MAX) throw new EncodingUnknown(`${applied.length} content encodings`);
  return applied.reverse().map((name) => {
    const decompressor = decompressors.get(name);
    if (decompressor === undefined) throw new EncodingUnknown(`content encoding "${name.slice(0, 20)}"`);
    return decompressor;
  });
}

async function collect(body: Readable, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Throwing inside the loop destroys the stream, which ends the transfer.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bytesMax) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

async function bounded(decompress: Decompress, bytes: Buffer, bytesMax: number): Promise<Buffer> {
  try {
    return await decompress(bytes, { maxOutputLength: bytesMax });
  } catch (error) {
    const isTooLarge = error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge ? new BodyTooLarge() : error;
  }
}
