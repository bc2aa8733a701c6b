import { Type } from "typebox";
import type { Principal } from "../contract/access/principal.js";
import type { Violation } from "../contract/failures.js";
import { type Clock, SECOND_MS } from "../kit/clock.js";
import { httpAction } from "./actions.js";
import type { Answer, Call } from "./exchange.js";
import type { Pipeline } from "./pipeline.js";

const OPERATIONS_MAX = 20;
const ID_CHARS_MAX = 64;
/** With the spaces around it, which are not part of it. */
const ID_TEXT_CHARS_MAX = 128;
const PATH_CHARS_MAX = 2_048;
const ITEM_BYTES_MAX = 1_048_576;
/** Time of an item beside what its operation waits for. */
const ITEM_MS_MAX = 10 * SECOND_MS;

const BatchOperation = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        maxLength: ID_TEXT_CHARS_MAX,
        description: "Names the result; at most 64 characters between the spaces around it. Default: its position",
      }),
    ),
    path: Type.String({ maxLength: PATH_CHARS_MAX, description: "A GET path with its query" }),
  },
  { title: "BatchOperation", description: "One read of a batch." },
);

const BatchOperationResult = Type.Object(
  {
    id: Type.String({ description: "Id of the operation, or its position" }),
    status: Type.Integer({ description: "Status of the operation's own answer; 0 when it was not asked" }),
    state: Type.Optional(
      Type.String({ description: "`X-Vigil-State` of the operation's own answer; absent from an error" }),
    ),
    generation: Type.Optional(
      Type.String({
        description: "`X-Vigil-Generation` of the operation's own answer; absent where it reads no dataset",
      }),
    ),
    notice: Type.Optional(
      Type.String({ description: "`X-Vigil-Notice` of the operation's own answer; absent without a notice" }),
    ),
    body: Type.Optional(Type.Unknown({ description: "The operation's answer or error" })),
    error: Type.String({
      description: "Empty, or invalid_path, nested_batch, timeout, fetch_failed, response_too_large, invalid_json",
    }),
  },
  { title: "BatchOperationResult", description: "Result of one read of a batch." },
);

type Item = { readonly id: string; readonly path: string };

export interface BatchParts {
  /** The pipeline that this action is a part of. */
  readonly pipeline: () => Pipeline;
  readonly clock: Clock;
  /** Longest wait of the operation at a path for its inputs, ms; 0 where there is none. */
  readonly waitMsMax: (path: string) => number;
  readonly onFault: (error: unknown) => void;
}

/** Up to 20 reads in one call, each through the whole pipeline with the caller of the batch. */
export function batchAction(parts: BatchParts) {
  return httpAction({
    path: "/api/batch/v1/execute",
    summary: "Up to 20 GET operations in one call",
    description:
      "Runs the reads side by side with the credentials of this call; 200 even when all failed. Each counts against the limits. A result above 1 MB is `response_too_large`.",
    access: { scope: "read" },
    ownLimit: "batch-execute",
    repeats: "replayed",
    isTransaction: false,
    request: Type.Object(
      {
        operations: Type.Array(BatchOperation, {
          minItems: 1,
          maxItems: OPERATIONS_MAX,
          description: "Reads to run side by side, 1 to 20",
        }),
      },
      { title: "ExecuteBatchRequest" },
    ),
    response: Type.Object(
      {
        results: Type.Array(BatchOperationResult, {
          description: "One result for each operation, in the order of the request",
        }),
        succeeded: Type.Integer({ description: "Operations answered with 200 to 299" }),
        failed: Type.Integer({ description: "All other operations" }),
      },
      { title: "ExecuteBatchResponse" },
    ),
    violations: ({ operations }) => idViolations(operations),
    async run({ operations }, { principal, exchange }) {
      const { signal } = exchange.call;
      const items = operations.map(({ id, path }, index): Item => ({ id: id?.trim() || String(index), path }));
      // A caller that is gone has nobody to answer; what runs for it alone is cancelled by its signal.
      signal?.throwIfAborted();
      const results = await Promise.all(items.map((item) => result(parts, item, exchange.call, principal)));
      // Nor is the answer worth keeping that a caller who left made of them.
      signal?.throwIfAborted();
      const succeeded = results.filter(({ isSuccess }) => isSuccess).length;
      const texts = results.map(({ text }) => text).join(",");
      return { text: `{"results":[${texts}],"succeeded":${succeeded},"failed":${results.length - succeeded}}` };
    },
  });
}

function idViolations(operations: readonly { readonly id?: string }[]): readonly Violation[] {
  const seen = new Set<string>();
  return operations.flatMap(({ id }, index): Violation[] => {
    const field = `operations[${index}].id`;
    const name = id?.trim() || String(index);
    if (name.length > ID_CHARS_MAX) return [{ field, description: `must have at most ${ID_CHARS_MAX} characters` }];
    if (seen.has(name)) return [{ field, description: `must be unique, "${name}" was given before` }];
    seen.add(name);
    return [];
  });
}

interface ItemResult {
  readonly text: string;
  readonly isSuccess: boolean;
}

function result(
  parts: BatchParts,
  { id, path }: Item,
  call: Call,
  principal: Principal | undefined,
): ItemResult | Promise<ItemResult> {
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

function written(id: string, { status, headers, body, prepared }: Answer): ItemResult {
  const bytes = body === undefined ? 0 : Buffer.byteLength(body);
  if (bytes > ITEM_BYTES_MAX) return failed(id, status, "response_too_large", headers);
  if (bytes === 0 || !headers["Content-Type"]?.startsWith("application/json"))
    return failed(id, status, "invalid_json", headers);
  const head = JSON.stringify({ id, status, ...standingIn(headers) }).slice(0, -1);
  const text = `${head},"body":${prepared?.text ?? String(body)},"error":""}`;
  return { text, isSuccess: status >= 200 && status < 300 };
}

function failed(id: string, status: number, error: string, headers: Answer["headers"] = {}): ItemResult {
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
