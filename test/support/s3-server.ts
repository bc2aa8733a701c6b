import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The failure of the next request: an answer with this status, half of an answer, or no answer at all. */
export type S3Fault = number | "cut" | "silent";

/** An S3-compatible store in memory, with one bucket. It checks the signature of every request. */
export interface S3Server {
  readonly endpoint: string;
  readonly objects: Map<string, { readonly bytes: Buffer; readonly storedAt: number }>;
  /** The request lines of all requests. */
  readonly requests: readonly string[];
  /** The faults of the next requests, in order. */
  readonly faults: S3Fault[];
  close(): Promise<void>;
}

export const s3Keys = { AWS_ACCESS_KEY_ID: "KEYID", AWS_SECRET_ACCESS_KEY: "s3cret/key+" };
export const BUCKET = "bucket";
const PAGE = 3;

export async function startS3Server(): Promise<S3Server> {
  const objects: S3Server["objects"] = new Map();
  const requests: string[] = [];
  const faults: S3Fault[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body: Buffer[] = [];
      for await (const piece of request) body.push(piece as Buffer);
      requests.push(`${request.method} ${request.url}`);
      const fault = faults.shift();
      if (fault === "silent") return;
      if (typeof fault === "number") refuse(response, fault, "InternalError");
      else answer(objects, request, Buffer.concat(body), response, fault === "cut");
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    faults,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(
  objects: S3Server["objects"],
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  isCut: boolean,
): void {
  const wrong = signatureFault(request, body);
  const refused = (status: number, code: string): void => refuse(response, status, code);
  if (wrong !== undefined) {
    refused(403, wrong);
    return;
  }
  const url = new URL(request.url ?? "", "http://host");
  const [, bucket, ...rest] = url.pathname.split("/").map(decodeURIComponent);
  const key = rest.join("/");
  const send = (bytes: Buffer): void => {
    response.writeHead(200, { "content-length": bytes.byteLength });
    if (isCut) response.write(bytes.subarray(0, bytes.byteLength / 2), () => response.destroy());
    else response.end(bytes);
  };
  const object = objects.get(key);
  if (bucket !== BUCKET) refused(404, "NoSuchBucket");
  else if (request.method === "PUT") {
    objects.set(key, { bytes: body, storedAt: Date.now() });
    send(Buffer.alloc(0));
  } else if (request.method === "DELETE") {
    objects.delete(key);
    response.writeHead(204).end();
  } else if (key === "") send(Buffer.from(listText(objects, url.searchParams)));
  else if (object === undefined) refused(404, "NoSuchKey");
  else send(object.bytes);
}

function listText(objects: S3Server["objects"], query: URLSearchParams): string {
  const after = query.get("continuation-token") ?? "";
  const prefix = query.get("prefix") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, PAGE);
  const contents = page.map((key) => {
    const { bytes, storedAt } = objects.get(key) ?? { bytes: Buffer.alloc(0), storedAt: 0 };
    const at = new Date(storedAt).toISOString();
    return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>${at}</LastModified><Size>${bytes.byteLength}</Size></Contents>`;
  });
  const next = keys.length > PAGE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${next !== ""}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`;
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/xml" }).end(`<Error><Code>${code}</Code></Error>`);
}

/** The reason why a request is not signed by the key; undefined if it is. */
function signatureFault({ method, url = "", headers }: IncomingMessage, body: Buffer): string | undefined {
  const parsed =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, id, day = "", region = "", signed = "", signature = ""] = parsed.exec(headers.authorization ?? "") ?? [];
  if (id === undefined) return "AuthorizationHeaderMalformed";
  if (id !== s3Keys.AWS_ACCESS_KEY_ID) return "InvalidAccessKeyId";
  const hash = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");
  const mac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
  if (headers["x-amz-content-sha256"] !== hash(body)) return "XAmzContentSHA256Mismatch";
  const [path = "", search = ""] = url.split("?");
  const lines = signed.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = `${method}\n${path}\n${search.split("&").sort().join("&")}\n${lines.join("")}\n${signed}\n${hash(body)}`;
  const at = String(headers["x-amz-date"]);
  const toSign = `AWS4-HMAC-SHA256\n${at}\n${day}/${region}/s3/aws4_request\n${hash(canonical)}`;
  const key = mac(mac(mac(mac(`AWS4${s3Keys.AWS_SECRET_ACCESS_KEY}`, day), region), "s3"), "aws4_request");
  const isRight = timingSafeEqual(mac(key, toSign), Buffer.from(signature, "hex"));
  return isRight && at.startsWith(day) ? undefined : "SignatureDoesNotMatch";
}
