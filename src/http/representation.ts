import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { entriesUpTo } from "../kit/entries-up-to.js";
import { TEXT_BYTES_MAX } from "./prepared-answer.js";
import { weightsOf } from "./weights.js";

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

export type Encoding = "identity" | "gzip" | "br";

/** Minimum size of a body to compress. Below it, compression saves less than its headers cost. */
const COMPRESS_BYTES_MIN = 1_024;
/** Brotli quality. On megabytes of JSON, 5 takes a tenth of the time of the default 11 for a few percent more bytes. */
const BROTLI_QUALITY = 5;

/** One body, in identity and in the compressed encodings requested so far. */
export interface Representation {
  readonly identity: Buffer;
  /** The base of its ETags, without quotes; undefined if the body cannot be revalidated. */
  readonly tag: string | undefined;
  /** The ETag of the identity form, kept ready for the comparison with `If-None-Match`. */
  readonly etag: string | undefined;
  readonly packed: { gzip?: Buffer; br?: Buffer };
  /** The compression of each encoding that is ready or in progress. */
  readonly packing: Map<Encoding, Promise<void>>;
}

export function representation(body: string | Buffer, tag: string | undefined): Representation {
  const identity = typeof body === "string" ? Buffer.from(body) : body;
  const etag = tag === undefined ? undefined : etagOf(tag, "identity");
  return { identity, tag, etag, packed: {}, packing: new Map() };
}

/** A strong tag derived from everything that determines the bytes, so that it is the same on all nodes. */
export function tagOf(ingredients: readonly string[]): string {
  return createHash("sha256").update(ingredients.join("\n")).digest("base64url").slice(0, 27);
}

/** The ETag of one encoding of a representation. */
export function etagOf(tag: string, encoding: Encoding): string {
  return encoding === "identity" ? `"${tag}"` : `"${tag}-${encoding}"`;
}

/**
 * Finds, in an If-None-Match, the ETag that matches this representation in any encoding. A client that holds the
 * content in another encoding is also up to date.
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
 * Returns the ready encoding that the client weighs highest, br before gzip at equal weight. If the best encoding is
 * missing, starts compressing in the background; meanwhile, another ready encoding or identity is sent. Only a client
 * that refuses identity waits for the compressor.
 */
export function encodingFor(
  body: Representation,
  acceptEncoding: string | undefined,
  onFault: (error: unknown) => void,
): Encoding | Promise<Encoding> {
  if (acceptEncoding === undefined) return "identity";
  const { encodings, refusesIdentity } = preferenceOf(acceptEncoding);
  const [best] = encodings;
  if (best === undefined || (body.identity.byteLength < COMPRESS_BYTES_MIN && !refusesIdentity)) return "identity";
  if (!body.packed[best] && !body.packing.has(best)) body.packing.set(best, pack(body, best).catch(onFault));
  const ready = encodings.find((encoding) => body.packed[encoding]);
  const packing = body.packing.get(best);
  if (ready === undefined && refusesIdentity && packing)
    return packing.then(() => (body.packed[best] ? best : "identity"));
  return ready ?? "identity";
}

/** The bytes of an encoding that `encodingFor` returned. */
export function bytesOf(body: Representation, encoding: Encoding): Buffer {
  return (encoding === "identity" ? undefined : body.packed[encoding]) ?? body.identity;
}

/** Estimated memory of the heads of answers that share one body. */
const HEADS_BYTES = 2_048;

/** Estimates the memory of a representation for the cache's bound. Compressed forms add a fraction of the body. */
export function weightOf(body: Representation): number {
  const { byteLength } = body.identity;
  return Math.ceil(byteLength * 1.5) + (byteLength <= TEXT_BYTES_MAX ? byteLength : 0) + HEADS_BYTES;
}

async function pack(body: Representation, encoding: "gzip" | "br"): Promise<void> {
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
  body.packed[encoding] = await (encoding === "br"
    ? brotliAsync(body.identity, options)
    : gzipAsync(body.identity, { level: 6 }));
}

/** The encodings of an `Accept-Encoding` header. */
interface Preference {
  /** Compressed forms that the client prefers to identity or weighs the same, best first. */
  readonly encodings: readonly ("br" | "gzip")[];
  readonly refusesIdentity: boolean;
}

/** Cached preferences by header. Clients send few different headers; unusually long headers are not cached. */
const preferences = new LRUCache<string, Preference>(entriesUpTo(500));
const REMEMBERED_CHARACTERS_MAX = 256;

function preferenceOf(acceptEncoding: string): Preference {
  const remembered = preferences.get(acceptEncoding);
  if (remembered) return remembered;
  const preference = preferenceIn(weightsOf(acceptEncoding));
  if (acceptEncoding.length <= REMEMBERED_CHARACTERS_MAX) preferences.set(acceptEncoding, preference);
  return preference;
}

function preferenceIn(weights: ReadonlyMap<string, number>): Preference {
  const any = weights.get("*");
  const weightOfForm = (name: string): number => weights.get(name) ?? any ?? 0;
  // Without a weight of its own, identity is refused if `*` has the weight 0. Otherwise, identity is accepted, but
  // every accepted compressed form is preferred.
  const identity = weights.get("identity") ?? (any === 0 ? 0 : undefined);
  const encodings = (["br", "gzip"] as const)
    .filter((name) => weightOfForm(name) > 0 && weightOfForm(name) >= (identity ?? 0))
    .sort((left, right) => weightOfForm(right) - weightOfForm(left));
  return { encodings, refusesIdentity: identity === 0 };
}
