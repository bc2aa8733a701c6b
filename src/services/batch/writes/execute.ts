import { Type } from "typebox";
import { batchRunner } from "../../../contract/batch.js";
import type { Violation } from "../../../contract/failures.js";
import { isLonger } from "../../../contract/query-field.js";
import { write } from "../../../contract/write.js";

const OPERATIONS_MAX = 20;
const ID_CHARS_MAX = 64;
/** Maximum length of an id in a request, including surrounding spaces, which are not part of the id. */
const ID_TEXT_CHARS_MAX = 128;
const PATH_CHARS_MAX = 2_048;

const BatchOperation = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        maxLength: ID_TEXT_CHARS_MAX,
        description:
          "Id of the result, at most 64 characters, not counting surrounding spaces. Default: the position of the operation in the request, counted from 0",
      }),
    ),
    path: Type.String({ maxLength: PATH_CHARS_MAX, description: "A GET path with its query" }),
  },
  { title: "BatchOperation", description: "One read of a batch." },
);

const BatchOperationResult = Type.Object(
  {
    id: Type.String({
      description: "Id of the operation. If the operation has no id, its position in the request, counted from 0",
    }),
    status: Type.Integer({ description: "Status of the operation's answer; 0 if there is no answer" }),
    state: Type.Optional(
      Type.String({ description: "`X-Vigil-State` of the operation's answer; absent for an error" }),
    ),
    generation: Type.Optional(
      Type.String({
        description: "`X-Vigil-Generation` of the operation's answer; absent if it reads no dataset",
      }),
    ),
    notice: Type.Optional(
      Type.String({ description: "`X-Vigil-Notice` of the operation's answer; absent without a notice" }),
    ),
    body: Type.Optional(Type.Unknown({ description: "The operation's answer or error" })),
    error: Type.String({
      description:
        "Empty, or one of: invalid_path, nested_batch, timeout, fetch_failed, response_too_large, invalid_json",
    }),
  },
  { title: "BatchOperationResult", description: "Result of one read of a batch." },
);

/** Runs up to 20 reads in one call. Each read goes through the whole pipeline as a call by the batch's caller. */
export const execute = write({
  rpc: "execute",
  summary: "Up to 20 GET operations in one call",
  description:
    "Runs the reads in parallel. Each read uses the credentials of this call. Answers 200 even if all reads fail. Each read counts against the limits of the caller. A result above 1 MB is `response_too_large`.",
  access: { scope: "read" },
  // This limit counts batches; the reads of a batch are counted individually against the limits of the caller.
  limit: { name: "batch-execute", callsMax: 30 },
  repeats: "replayed",
  isRead: true,
  isTransaction: false,
  uses: { runner: batchRunner },
  request: Type.Object(
    {
      operations: Type.Array(BatchOperation, {
        minItems: 1,
        maxItems: OPERATIONS_MAX,
        description: "Reads to run in parallel, 1 to 20",
      }),
    },
    { title: "ExecuteBatchRequest" },
  ),
  example: {
    operations: [
      { id: "co2", path: "/api/climate/v1/get-co2-monitoring?jmespath=monitoring.currentPpm" },
      { id: "year", path: "/api/displacement/v1/get-displacement-summary?jmespath=summary.year" },
    ],
  },
  response: Type.Object(
    {
      results: Type.Array(BatchOperationResult, {
        description: "One result for each operation, in the order of the request",
      }),
      succeeded: Type.Integer({ description: "Number of results with a status of 200 to 299 and an empty `error`" }),
      failed: Type.Integer({ description: "Number of all other results" }),
    },
    { title: "ExecuteBatchResponse" },
  ),
  violations: ({ operations }) => idViolations(operations),
  async run({ operations }, { ports }) {
    const items = operations.map(({ id, path }, index) => ({ id: id?.trim() || String(index), path }));
    const results = await ports.runner.run(items);
    const succeeded = results.filter(({ isSuccess }) => isSuccess).length;
    const texts = results.map(({ text }) => text).join(",");
    return { text: `{"results":[${texts}],"succeeded":${succeeded},"failed":${results.length - succeeded}}` };
  },
});

function idViolations(operations: readonly { readonly id?: string }[]): readonly Violation[] {
  const seen = new Set<string>();
  return operations.flatMap(({ id }, index): Violation[] => {
    const field = `operations[${index}].id`;
    const name = id?.trim() || String(index);
    if (isLonger(name, ID_CHARS_MAX)) return [{ field, description: `must have at most ${ID_CHARS_MAX} characters` }];
    if (seen.has(name)) return [{ field, description: `must be unique, got "${name}" twice` }];
    seen.add(name);
    return [];
  });
}
