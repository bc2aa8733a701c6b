import type { Principal } from "../contract/access/principal.js";
import type { BatchItem, BatchItemResult, BatchRunner } from "../contract/batch.js";
import { type Clock, SECOND_MS } from "../kit/clock.js";
import type { Answer, Call } from "./exchange.js";
import type { Pipeline } from "./pipeline.js";
import type { PortCall } from "./ports.js";

const ITEM_BYTES_MAX = 1_048_576;
/** Time allowed for an item in addition to its operation's wait for inputs. */
const ITEM_MS_MAX = 10 * SECOND_MS;

export interface BatchParts {
  /** The pipeline that runs the batch. */
  readonly pipeline: () => Pipeline;
  readonly clock: Clock;
  /** The longest time that the operation at this path waits for its inputs, ms; 0 if it does not wait. */
  readonly waitMsMax: (path: string) => number;
  readonly onFault: (error: unknown) => void;
}

/** Runs the reads of a batch through the whole pipeline, in parallel, as the caller of the batch. */
export function batchRunnerOf(parts: BatchParts, { exchange: { call, principal } }: PortCall): BatchRunner {
  return {
    async run(items) {
      // A disconnected caller needs no answer. The caller's signal also cancels work that only this caller needs.
      call.signal?.throwIfAborted();
      const results = await Promise.all(items.map((item) => result(parts, item, call, principal)));
      // If the caller has disconnected in the meantime, this throws, so that the answer is not stored.
      call.signal?.throwIfAborted();
      return results;
    },
  };
}

function result(
  parts: BatchParts,
  { id, path }: BatchItem,
  call: Call,
  principal: Principal | undefined,
): BatchItemResult | Promise<BatchItemResult> {
  const target = targetOf(path);
  if ("error" in target) return failed(id, 0, target.error);
  const item = new ItemCall(call, path, principal);
  const answer = parts.pipeline()(item);
  if (!(answer instanceof Promise)) return written(id, answer);
  return inTime(parts, target.operationPath, answer, item).then(
    (settled) => (settled ? written(id, settled) : failed(id, 0, "timeout")),
    (error: unknown) => {
      parts.onFault(error);
      return failed(id, 0, "fetch_failed");
    },
  );
}

const OPERATION_PATH = /^(\/api\/([a-z0-9-]+)\/v\d+\/[a-z0-9-]+)\/?$/;
/** Characters that a request line cannot contain. */
const CONTROL = /\p{Cc}/u;

/**
 * Parses the path and query of an item. The rules are those for the target of a request line. Returns the path of the
 * operation, or the reason to refuse the item.
 */
function targetOf(target: string): { readonly operationPath: string } | { readonly error: string } {
  const queryAt = target.indexOf("?");
  const [, operationPath, service] = OPERATION_PATH.exec(queryAt < 0 ? target : target.slice(0, queryAt)) ?? [];
  if (operationPath === undefined || CONTROL.test(target)) return { error: "invalid_path" };
  return service === "batch" ? { error: "nested_batch" } : { operationPath };
}

const FORWARDED = new Set([
  "accept-language",
  "authorization",
  "user-agent",
  "x-forwarded-for",
  "x-vigil-min-generation",
]);

/** A call by the batch's caller. Its signal is created at first use, because a cached answer needs none. */
class ItemCall implements Call {
  readonly method = "GET";
  readonly target: string;
  readonly batchedFor: Principal | undefined;
  private readonly batch: Call;
  private timeout: AbortController | undefined = undefined;
  private either: AbortSignal | undefined = undefined;

  constructor(batch: Call, target: string, batchedFor: Principal | undefined) {
    this.batch = batch;
    this.target = target;
    this.batchedFor = batchedFor;
  }

  get remoteAddress(): string {
    return this.batch.remoteAddress;
  }

  header(name: string): string | undefined {
    return FORWARDED.has(name) ? this.batch.header(name) : undefined;
  }

  hasHeader(name: string): boolean {
    return FORWARDED.has(name) && this.batch.hasHeader(name);
  }

  async body(): Promise<Buffer> {
    return Buffer.alloc(0);
  }

  get signal(): AbortSignal {
    if (this.either) return this.either;
    const { signal } = this.ownTimeout();
    this.either = this.batch.signal ? AbortSignal.any([this.batch.signal, signal]) : signal;
    return this.either;
  }

  /** Cancels work that only this item needs. */
  cancel(reason: Error): void {
    this.ownTimeout().abort(reason);
  }

  private ownTimeout(): AbortController {
    this.timeout ??= new AbortController();
    return this.timeout;
  }
}

/** Waits for the answer. On a timeout, returns undefined and cancels work that only this item needs. */
async function inTime(
  { clock, waitMsMax }: BatchParts,
  operationPath: string,
  answer: Promise<Answer>,
  item: ItemCall,
): Promise<Answer | undefined> {
  const done = new AbortController();
  const late = clock.sleep(ITEM_MS_MAX + waitMsMax(operationPath), done.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    done.abort();
    item.cancel(new Error("the time limit of a batch item has passed"));
  }
}

function written(id: string, { status, headers, body, prepared }: Answer): BatchItemResult {
  const bytes = body === undefined ? 0 : Buffer.byteLength(body);
  if (bytes > ITEM_BYTES_MAX) return failed(id, status, "response_too_large", headers);
  if (bytes === 0 || !headers["Content-Type"]?.startsWith("application/json"))
    return failed(id, status, "invalid_json", headers);
  const head = JSON.stringify({ id, status, ...standingIn(headers) }).slice(0, -1);
  const text = `${head},"body":${prepared?.text ?? String(body)},"error":""}`;
  return { text, isSuccess: status >= 200 && status < 300 };
}

function failed(id: string, status: number, error: string, headers: Answer["headers"] = {}): BatchItemResult {
  return { text: JSON.stringify({ id, status, ...standingIn(headers), error }), isSuccess: false };
}

/** The headers about the state of an answer's data, as members of the item's result. */
function standingIn(headers: Answer["headers"]): Readonly<Record<string, string | undefined>> {
  return {
    state: headers["X-Vigil-State"],
    generation: headers["X-Vigil-Generation"],
    notice: headers["X-Vigil-Notice"],
  };
}
