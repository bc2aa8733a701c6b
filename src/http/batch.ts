import type { Principal } from "../contract/access/principal.js";
import type { BatchItem, BatchItemResult, BatchRunner } from "../contract/batch.js";
import { type Clock, SECOND_MS } from "../kit/clock.js";
import type { Answer, Call } from "./exchange.js";
import type { Pipeline } from "./pipeline.js";
import type { PortCall } from "./ports.js";

const ITEM_BYTES_MAX = 1_048_576;
/** Time of an item beside what its operation waits for. */
const ITEM_MS_MAX = 10 * SECOND_MS;

export interface BatchParts {
  /** The pipeline that the batch is a part of. */
  readonly pipeline: () => Pipeline;
  readonly clock: Clock;
  /** Longest wait of the operation at a path for its inputs, ms; 0 where there is none. */
  readonly waitMsMax: (path: string) => number;
  readonly onFault: (error: unknown) => void;
}

/** Runs the reads of a batch through the whole pipeline, side by side, with the caller of the batch. */
export function batchRunnerOf(parts: BatchParts, { exchange: { call, principal } }: PortCall): BatchRunner {
  return {
    async run(items) {
      // A caller that is gone has nobody to answer; what runs for it alone is cancelled by its signal.
      call.signal?.throwIfAborted();
      const results = await Promise.all(items.map((item) => result(parts, item, call, principal)));
      // Nor is the answer worth keeping that a caller who left made of them.
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
  const timeout = new AbortController();
  const answer = parts.pipeline()(itemCall(call, path, principal, timeout.signal));
  if (!(answer instanceof Promise)) return written(id, answer);
  return inTime(parts, target.operationPath, answer, timeout).then(
    (settled) => (settled ? written(id, settled) : failed(id, 0, "timeout")),
    (error: unknown) => {
      parts.onFault(error);
      return failed(id, 0, "fetch_failed");
    },
  );
}

const OPERATION_PATH = /^(\/api\/([a-z0-9-]+)\/v\d+\/[a-z0-9-]+)\/?$/;
/** Characters that no request line can carry. */
const CONTROL = /\p{Cc}/u;

/** The path of the operation that an item names, or why it names none. The text is read as a request line's target is. */
function targetOf(target: string): { readonly operationPath: string } | { readonly error: string } {
  const queryAt = target.indexOf("?");
  const [, operationPath, service] = OPERATION_PATH.exec(queryAt < 0 ? target : target.slice(0, queryAt)) ?? [];
  if (operationPath === undefined || CONTROL.test(target)) return { error: "invalid_path" };
  return service === "batch" ? { error: "nested_batch" } : { operationPath };
}

const FORWARDED = new Set(["accept-language", "authorization", "user-agent", "x-forwarded-for"]);

function itemCall(call: Call, target: string, principal: Principal | undefined, timeout: AbortSignal): Call {
  const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
  return {
    method: "GET",
    target,
    remoteAddress: call.remoteAddress,
    header: (name) => (FORWARDED.has(name) ? call.header(name) : undefined),
    hasHeader: (name) => FORWARDED.has(name) && call.hasHeader(name),
    body: async () => Buffer.alloc(0),
    signal,
    ...(principal && { batchedFor: principal }),
  };
}

/** The answer, or undefined when its time is up; what runs for it alone is then cancelled. */
async function inTime(
  { clock, waitMsMax }: BatchParts,
  operationPath: string,
  answer: Promise<Answer>,
  timeout: AbortController,
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
    timeout.abort(new Error("the time of a batch item is up"));
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

/** The headers of an answer that decide how it is to be trusted, as members of its result. */
function standingIn(headers: Answer["headers"]): Readonly<Record<string, string | undefined>> {
  return {
    state: headers["X-Vigil-State"],
    generation: headers["X-Vigil-Generation"],
    notice: headers["X-Vigil-Notice"],
  };
}
