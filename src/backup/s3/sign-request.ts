import { createHash, createHmac } from "node:crypto";

/** The credentials for an object store. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
  readonly region: string;
}

export interface UnsignedRequest {
  readonly method: string;
  /** The path must be encoded with `encodedPath`, and the query with `encodedQuery`. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string;
}

const ALGORITHM = "AWS4-HMAC-SHA256";
const SERVICE = "s3";

/** Returns the headers of a request with an AWS Signature Version 4, which covers all other returned headers. */
export function signedHeaders(
  { method, url, headers, bodyHash }: UnsignedRequest,
  { accessKeyId, secretAccessKey, sessionToken, region }: S3Credentials,
  now: number,
): Record<string, string> {
  const at = new Date(now).toISOString().replace(/[-:]|\.\d+/g, "");
  const day = at.slice(0, 8);
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    "x-amz-content-sha256": bodyHash,
    "x-amz-date": at,
    ...(sessionToken !== undefined && { "x-amz-security-token": sessionToken }),
  };
  const names = Object.keys(all).sort();
  const signed = names.join(";");
  const canonical = [
    method,
    url.pathname,
    [...url.search.slice(1).split("&")].sort().join("&"),
    ...names.map((name) => `${name}:${all[name]?.trim()}`),
    "",
    signed,
    bodyHash,
  ].join("\n");
  const scope = `${day}/${region}/${SERVICE}/aws4_request`;
  const toSign = [ALGORITHM, at, scope, sha256Hex(canonical)].join("\n");
  const key = [day, region, SERVICE, "aws4_request"].reduce(
    (from: string | Buffer, part) => createHmac("sha256", from).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  const signature = createHmac("sha256", key).update(toSign).digest("hex");
  const authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope},SignedHeaders=${signed},Signature=${signature}`;
  return { ...all, authorization };
}

export function sha256Hex(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Encodes every segment of a path. */
export function encodedPath(path: string): string {
  return path.split("/").map(encoded).join("/");
}

/** Encodes a query, sorted by name. */
export function encodedQuery(query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return pairs.sort().join("&");
}

/** Escapes everything but the unreserved characters of RFC 3986. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
