import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

export type Encoding = "identity" | "gzip" | "br";

/** Below this a compressed form saves less than its headers cost. */
const COMPRESS_BYTES_MIN = 1_024;
/** Quality 5 costs a tenth of the default 11 on megabytes of JSON, for a few percent more bytes. */
const BROTLI_QUALITY = 5;

/** One body in the encodings it has been asked for so far, with the base of its ETags. */
export interface Representation {
  readonly identity: Buffer;
  /** The identity form of a small body: Node writes head and text in one piece, head and buffer in two. */
  readonly text: string | undefined;
  /** Without quotes; undefined where there is nothing to revalidate against. */
  readonly tag: string | undefined;
  /** The ETag of the identity form, which nearly every client was given and sends back. */
  readonly etag: string | undefined;
  readonly packed: { gzip?: Buffer; br?: Buffer };
  /** Encodings that are being made. */
  readonly packing: Set<Encoding>;
}

const TEXT_BYTES_MAX = 8_192;

export function representation(body: string | Buffer, tag: string | undefined): Representation {
  const identity = typeof body === "string" ? Buffer.from(body) : body;
  const text = identity.byteLength <= TEXT_BYTES_MAX ? identity.toString() : undefined;
  const etag = tag === undefined ? undefined : etagOf(tag, "identity");
  return { identity, text, tag, etag, packed: {}, packing: new Set() };
}

/** A strong tag made from everything that decides the bytes, so that it is equal on every node. */
export function tagOf(ingredients: readonly string[]): string {
  return createHash("sha256").update(ingredients.join("\n")).digest("base64url").slice(0, 27);
}

/** The ETag of one encoding of a representation. */
export function etagOf(tag: string, encoding: Encoding): string {
  return encoding === "identity" ? `"${tag}"` : `"${tag}-${encoding}"`;
}

/**
 * The ETag out of an If-None-Match that names this representation in any encoding: a client that holds another
 * encoding of the same content holds the current content.
 */
export function matchingEtag(
  ifNoneMatch: string,
  { tag, etag }: Pick<Representation, "tag" | "etag">,
): string | undefined {
  if (tag === undefined || ifNoneMatch === etag) return etag;
  const named = ifNoneMatch.split(",").map((etag) => etag.trim().replace(/^W\//, ""));
  const own = (["identity", "gzip", "br"] as const).map((encoding) => etagOf(tag, encoding));
  if (named.includes("*")) return own[0];
  return named.find((etag) => own.includes(etag));
}

/**
 * The best encoding that the client takes and that is ready. A form that is not ready is begun in the background, and
 * identity is sent meanwhile: nobody waits for a compressor.
 */
export function encodingFor(
  body: Representation,
  acceptEncoding: string | undefined,
  onFault: (error: unknown) => void,
): Encoding {
  if (acceptEncoding === undefined || body.identity.byteLength < COMPRESS_BYTES_MIN) return "identity";
  const taken = takenEncodings(acceptEncoding);
  const [best] = taken;
  if (best !== undefined && !body.packed[best] && !body.packing.has(best)) {
    body.packing.add(best);
    pack(body, best).catch(onFault);
  }
  return taken.find((encoding) => body.packed[encoding]) ?? "identity";
}

/** The bytes of an encoding that `encodingFor` returned. */
export function bytesOf(body: Representation, encoding: Encoding): Buffer | string {
  return (encoding === "identity" ? undefined : body.packed[encoding]) ?? body.text ?? body.identity;
}

/** Bytes a representation may come to hold, for the cache's bound; compressed forms are a fraction of it. */
export function weightOf(body: Representation): number {
  return Math.ceil(body.identity.byteLength * 1.5) + (body.text?.length ?? 0) + 512;
}

async function pack(body: Representation, encoding: "gzip" | "br"): Promise<void> {
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
  body.packed[encoding] = await (encoding === "br"
    ? brotliAsync(body.identity, options)
    : gzipAsync(body.identity, { level: 6 }));
}

/** The compressed forms that a client takes, br before gzip; one with q=0 is refused. */
function takenEncodings(acceptEncoding: string): readonly ("br" | "gzip")[] {
  const offers = new Map(
    acceptEncoding.split(",").map((offer) => {
      const [name = "", ...parameters] = offer.split(";").map((piece) => piece.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return [name, quality === undefined ? 1 : Number(quality.slice(2))];
    }),
  );
  return (["br", "gzip"] as const).filter((name) => (offers.get(name) ?? offers.get("*") ?? 0) > 0);
}
