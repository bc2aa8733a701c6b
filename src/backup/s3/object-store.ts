import { createReadStream, createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { type Dispatcher, EnvHttpProxyAgent, errors, request } from "undici";
import { SECOND_MS } from "../../kit/clock.js";
import { OperatorError } from "../../kit/operator-error.js";
import { readObjectPage, type StoredObject } from "./object-list.js";
import { encodedPath, encodedQuery, type S3Credentials, sha256Hex, signedHeaders } from "./sign-request.js";

export interface ObjectStoreOptions {
  /** The origin of the service, such as https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly credentials: S3Credentials;
  readonly now: () => number;
  readonly random: () => number;
  /** PEM certificates to trust in addition to the public ones. */
  readonly ca: readonly string[] | undefined;
  readonly proxies: {
    readonly httpProxy: string | undefined;
    readonly httpsProxy: string | undefined;
    readonly noProxy: string | undefined;
  };
  readonly signal: AbortSignal;
  /**
   * Maximum length of the pause before the first retry of a failed request. This maximum doubles for each further
   * retry, up to 10 s. Each pause has a random length between half of its maximum and the maximum. Default 500 ms.
   */
  readonly pauseMs?: number;
  /** Maximum time without receiving a byte of an answer. Default 30 s. */
  readonly silenceMs?: number;
}

/** The objects of a bucket. Every request is retried after a temporary failure. */
export interface ObjectStore {
  list(prefix: string): Promise<readonly StoredObject[]>;
  /** Uploads a local file; `bytes` and `sha256` are the size and the hash of its content. */
  putFile(key: string, file: string, bytes: number, sha256: string): Promise<void>;
  putText(key: string, text: string): Promise<void>;
  /** Writes an object to a file. Returns false if there is no such object. */
  getFile(key: string, file: string): Promise<boolean>;
  remove(key: string): Promise<void>;
  close(): Promise<void>;
}

const ATTEMPTS_MAX = 6;
const PAUSE_MS = SECOND_MS / 2;
const PAUSE_MS_MAX = 10 * SECOND_MS;
const SILENCE_MS_MAX = 30 * SECOND_MS;
/** Maximum size, in bytes, of an answer that is a list or an error. */
const TEXT_BYTES_MAX = 4 * 1_048_576;
const NOTHING = sha256Hex("");

interface Call {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: { readonly open: () => Readable | string; readonly bytes: number; readonly sha256: string };
}

/** An error answer, with the code in its body. */
class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

export function objectStore(options: ObjectStoreOptions): ObjectStore {
  const { endpoint, bucket, credentials, now, random, ca, proxies, signal } = options;
  const { pauseMs = PAUSE_MS, silenceMs = SILENCE_MS_MAX } = options;
  const tls = ca === undefined ? {} : { connect: { ca: [...ca] }, requestTls: { ca: [...ca] } };
  const { httpProxy, httpsProxy, noProxy } = proxies;
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: httpProxy ?? "",
    httpsProxy: httpsProxy ?? "",
    noProxy: noProxy ?? "",
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
    ...tls,
  });
  const nameOf = (key: string): string => `s3://${bucket}/${key}`;

  /** Sends one request and reads its answer with `read`. Throws `Refusal` for an error answer. */
  async function send<T>(call: Call, read: (body: Dispatcher.ResponseData["body"]) => Promise<T>): Promise<T> {
    const { method, key, query = {}, body } = call;
    const search = encodedQuery(query);
    const url = new URL(`${encodedPath(`/${bucket}/${key}`)}${search === "" ? "" : `?${search}`}`, endpoint);
    const headers = signedHeaders({ method, url, headers: {}, bodyHash: body?.sha256 ?? NOTHING }, credentials, now());
    const answer = await request(url, {
      method,
      headers: { ...headers, ...(body && { "content-length": String(body.bytes) }) },
      body: body?.open() ?? null,
      dispatcher,
      signal,
    });
    if (answer.statusCode < 300) return read(answer.body);
    const text = await textOf(answer.body);
    throw new Refusal(answer.statusCode, /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1] ?? "");
  }

  /** Sends a request, and retries it after temporary failures. Every request is safe to repeat. */
  async function repeated<T>(call: Call, read: (body: Dispatcher.ResponseData["body"]) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(call, read);
      } catch (error) {
        signal.throwIfAborted();
        if (!mayPass(error)) throw sentence(error, nameOf(call.key), endpoint);
        if (attempt >= ATTEMPTS_MAX) {
          throw new OperatorError(
            `${nameOf(call.key)} cannot be reached after ${attempt} attempts (${reasonOf(error)}); try again later, or check AWS_ENDPOINT_URL`,
            { cause: error },
          );
        }
        const longest = Math.min(pauseMs * 2 ** (attempt - 1), PAUSE_MS_MAX);
        await sleep(longest * (0.5 + random() / 2), undefined, { signal });
      }
    }
  }

  return {
    async list(prefix) {
      const objects: StoredObject[] = [];
      for (let token: string | undefined; ; ) {
        const query = {
          "list-type": "2",
          "encoding-type": "url",
          prefix,
          ...(token && { "continuation-token": token }),
        };
        const page = readObjectPage(await repeated({ method: "GET", key: "", query }, textOf));
        objects.push(...page.objects);
        token = page.next;
        if (token === undefined) return objects;
      }
    },
    async putFile(key, file, bytes, sha256) {
      await repeated({ method: "PUT", key, body: { open: () => createReadStream(file), bytes, sha256 } }, dropped);
    },
    async putText(key, text) {
      const body = { open: () => text, bytes: Buffer.byteLength(text), sha256: sha256Hex(text) };
      await repeated({ method: "PUT", key, body }, dropped);
    },
    async getFile(key, file) {
      try {
        await repeated({ method: "GET", key }, (body) =>
          pipeline(body, createWriteStream(file, { mode: 0o600 }), { signal }),
        );
        return true;
      } catch (error) {
        if (error instanceof OperatorError && error.cause instanceof Refusal && error.cause.code === "NoSuchKey") {
          return false;
        }
        throw error;
      }
    },
    async remove(key) {
      await repeated({ method: "DELETE", key }, dropped);
    },
    close: () => dispatcher.close(),
  };
}

async function textOf(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += (piece as Buffer).byteLength;
    if (bytes > TEXT_BYTES_MAX) throw new Error("the answer is too long");
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString();
}

async function dropped(body: Dispatcher.ResponseData["body"]): Promise<void> {
  await textOf(body);
}

/** Statuses of temporary error answers, such as overload. */
const PASSING_STATUS = /^(?:408|425|429|5\d\d)$/;
/** Error codes of connections that failed or timed out. */
const PASSING_CODE = /^(?:E(?:CONN|HOST|NET|TIMEDOUT|PIPE|AI_AGAIN)|UND_ERR_)/;

function mayPass(error: unknown): boolean {
  if (error instanceof Refusal) return PASSING_STATUS.test(String(error.status)) || error.code === "RequestTimeout";
  if (error instanceof errors.InvalidArgumentError) return false;
  const { code = "" } = error as NodeJS.ErrnoException;
  return PASSING_CODE.test(code) || (error instanceof AggregateError && error.errors.some(mayPass));
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code !== undefined && !(error instanceof Refusal) ? code : message;
}

/**
 * Returns an operator error for an error answer, or if the host of the endpoint does not exist. Returns every other
 * error, such as a full disk, unchanged.
 */
function sentence(error: unknown, name: string, endpoint: string): unknown {
  if (!(error instanceof Refusal)) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTFOUND") return error;
    return new OperatorError(`there is no host ${new URL(endpoint).host}; correct AWS_ENDPOINT_URL`, { cause: error });
  }
  const { status, code } = error;
  if (code === "NoSuchBucket") {
    return new OperatorError(`${name}: there is no such bucket; create it, or correct its name`, { cause: error });
  }
  if (status === 401 || status === 403) {
    const remedy = "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, the key's permissions and the clock";
    return new OperatorError(`${name} is refused (${code || status}); ${remedy}`, { cause: error });
  }
  return new OperatorError(`${name} cannot be used (${status} ${code})`, { cause: error });
}
