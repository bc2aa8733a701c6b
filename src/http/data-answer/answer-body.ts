import { failure } from "../../contract/failures.js";
import { type RowFormat, rowFormats } from "../../contract/row-format.js";
import { ClockPace, type LoopTurns, type Steps } from "../../kit/loop-turns.js";
import { originalKeys } from "../../kit/original-keys.js";
import type { Answer } from "../exchange.js";
import { jsonBodySteps } from "../json-body.js";
import { columnSteps, columnsOf } from "../rows/csv-columns.js";
import { csvSteps, ndjsonSteps } from "../rows/row-bodies.js";
import type { Question } from "./question.js";
import { servedRowSchema, servedRows } from "./served-rows.js";

/** Applies a projection: its bytes, or the sentence of the documented failure. Rejects when `signal` is aborted. */
export type Project = (
  expression: string,
  root: unknown,
  worker: string,
  signal: AbortSignal,
) => Promise<{ readonly body: Buffer } | { readonly error: string; readonly originalKeys: readonly string[] }>;

export interface BodyParts {
  readonly project: Project;
  /** The event loop turns in which long lists are written. */
  readonly turns: LoopTurns;
}

/** A body with what describes it. */
export interface AnswerBody {
  readonly bytes: Buffer;
  readonly headers: Answer["headers"];
  /** Cursor of the next page of a list, if the body itself does not have it. */
  readonly nextCursor?: string;
}

interface BodyContext {
  /** Charged for a projection. */
  readonly worker: string;
  readonly signal: AbortSignal;
}

const jsonHeaders = { "Content-Type": "application/json; charset=utf-8" };

/** Writes a value in the format of its question, after its projection. Rejects when the signal is aborted. */
export async function answerBody(
  parts: BodyParts,
  question: Question,
  value: unknown,
  context: BodyContext,
): Promise<AnswerBody> {
  const { format } = question;
  if (format === "json") return { bytes: await jsonBytes(parts, question, value, context), headers: jsonHeaders };
  const { pagination } = value as { readonly pagination?: PageOf };
  const isProjected = question.query.jmespath !== undefined;
  const table = isProjected
    ? await projectedTable(parts, { format, question, value }, context)
    : listTable(question, value);
  const pace = new ClockPace();
  const bytes = await parts.turns.run(bodySteps(format, table, pace), pace, context.signal);
  if (isProjected) refuseOver(format, value)(bytes.byteLength);
  const total = isProjected || pagination === undefined ? "" : `, total=${pagination.totalCount}`;
  return {
    bytes,
    headers: {
      "Content-Type": rowFormats[format].mediaType + rowFormats[format].parameters,
      "Content-Disposition": `inline; filename="${question.registered.operation.rpc}.${format}"`,
      "X-Vigil-Rows": `count=${table.rows.length}${total}`,
    },
    ...(pagination && pagination.nextCursor !== "" && { nextCursor: pagination.nextCursor }),
  };
}

interface PageOf {
  readonly nextCursor: string;
  readonly totalCount: number;
}

function jsonBytes(
  { project, turns }: BodyParts,
  { query: { jmespath } }: Question,
  value: unknown,
  { worker, signal }: BodyContext,
): Buffer | Promise<Buffer> {
  const pace = new ClockPace();
  return jmespath === undefined
    ? turns.run(jsonBodySteps(value, pace), pace)
    : projectedBytes(project, jmespath, value, { worker, signal });
}

async function projectedBytes(
  project: Project,
  expression: string,
  value: unknown,
  { worker, signal }: BodyContext,
): Promise<Buffer> {
  const projection = await project(expression, value, worker, signal);
  if ("error" in projection) throw failure("projection", projection);
  return projection.body;
}

/** Rows with the schema of a list; without one, their columns are those that they have. */
interface Table {
  readonly rows: readonly unknown[];
  readonly schema: ReturnType<typeof servedRowSchema> | undefined;
  /** Throws for a body with more bytes than a result of a projection may have. */
  readonly onBytes: (bytes: number) => void;
}

function listTable({ registered: { operation }, since }: Question, value: unknown): Table {
  const { list } = operation;
  if (list === undefined) throw new Error(`${operation.rpc} has formats of rows but declares no list`);
  return {
    rows: servedRows(list, value),
    schema: servedRowSchema(operation, list, since !== undefined),
    onBytes: () => {},
  };
}

interface ProjectedRows {
  readonly format: RowFormat;
  readonly question: Question;
  readonly value: unknown;
}

async function projectedTable(
  { project }: BodyParts,
  { format, question: { query }, value }: ProjectedRows,
  context: BodyContext,
): Promise<Table> {
  const bytes = await projectedBytes(project, query.jmespath as string, value, context);
  const rows: unknown = JSON.parse(bytes.toString());
  const onBytes = refuseOver(format, value);
  if (Array.isArray(rows)) return { rows, schema: undefined, onBytes };
  const kind = rows === null ? "null" : typeof rows;
  const error = `not_rows: the result must be an array for ${format}, got ${kind === "object" ? "an object" : kind}`;
  throw failure("projection", { error, originalKeys: originalKeys(value) });
}

/** Largest body of a projection, the same in every format. */
const PROJECTED_BYTES_MAX = 262_144;

function refuseOver(format: RowFormat, value: unknown): (bytes: number) => void {
  return (bytes) => {
    if (bytes <= PROJECTED_BYTES_MAX) return;
    const error = `projection_too_large: more than ${PROJECTED_BYTES_MAX} bytes of ${format}`;
    throw failure("projection", { error, originalKeys: originalKeys(value) });
  };
}

function* bodySteps(format: RowFormat, { rows, schema, onBytes }: Table, pace: ClockPace): Steps<Buffer> {
  switch (format) {
    case "ndjson":
      return yield* ndjsonSteps(rows, pace, onBytes);
    case "csv": {
      let characters = 0;
      const onName = (more: number): void => {
        characters += more;
        onBytes(characters);
      };
      const columns = schema ? columnsOf(schema) : yield* columnSteps(rows, pace, onName);
      return yield* csvSteps(rows, columns, pace, onBytes);
    }
  }
}
