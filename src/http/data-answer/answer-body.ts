import { isFeedFormat } from "../../contract/answer-format.js";
import { failure } from "../../contract/failures.js";
import type { AnyOperation } from "../../contract/operation.js";
import { type RowFormat, rowFormats } from "../../contract/row-format.js";
import type { AnyRowList } from "../../contract/row-list.js";
import { ClockPace, type LoopTurns, type Steps } from "../../kit/loop-turns.js";
import { originalKeys } from "../../kit/original-keys.js";
import { jsonBodySteps } from "../json-body.js";
import { columnSteps, columnsOf } from "../rows/csv-columns.js";
import { csvSteps, geojsonSteps, ndjsonSteps } from "../rows/row-bodies.js";
import type { DescribedBody } from "./described-body.js";
import { type FeedSituation, feedBody } from "./feed-body.js";
import type { Question } from "./question.js";
import { servedIdAt, servedRowSchema, servedRowSteps } from "./served-rows.js";

/**
 * Applies a projection, and charges its work to `worker`. Returns the bytes of the result, or the reason why the
 * projection failed. Rejects when `signal` is aborted.
 */
export type Project = (
  expression: string,
  root: unknown,
  worker: string,
  signal: AbortSignal,
) => Promise<{ readonly body: Buffer } | { readonly error: string; readonly originalKeys: readonly string[] }>;

export interface BodyParts {
  readonly project: Project;
  /** Spreads the writing of long lists over several turns of the event loop. */
  readonly turns: LoopTurns;
}

interface BodyContext {
  /** The state of the data, which a feed reports. */
  readonly situation: FeedSituation;
  /** Identifies the caller that is charged for a projection: an account, a key or an address. */
  readonly worker: string;
  readonly signal: AbortSignal;
}

/**
 * Writes a value, or its projection, in the format that the question requests. Rejects when the signal is aborted; JSON
 * without a projection ignores the signal.
 */
export async function answerBody(
  parts: BodyParts,
  question: Question,
  value: unknown,
  context: BodyContext,
): Promise<DescribedBody> {
  const { format } = question;
  if (format === "json") return { bytes: await jsonBytes(parts, question, value, context), headers: jsonHeaders };
  if (isFeedFormat(format)) return feedBody(parts, { format, question, value }, context);
  return rowsBody(parts, { format, question, value }, context);
}

const jsonHeaders = { "Content-Type": "application/json; charset=utf-8" };

function jsonBytes(
  parts: BodyParts,
  { query: { jmespath } }: Question,
  value: unknown,
  context: BodyContext,
): Buffer | Promise<Buffer> {
  if (jmespath !== undefined) return projectedBytes(parts, jmespath, value, context);
  const pace = new ClockPace();
  return parts.turns.run(jsonBodySteps(value, pace), pace);
}

async function projectedBytes(
  { project }: BodyParts,
  expression: string,
  value: unknown,
  { worker, signal }: BodyContext,
): Promise<Buffer> {
  const projection = await project(expression, value, worker, signal);
  if ("error" in projection) throw failure("projection", projection);
  return projection.body;
}

interface RowsOfAnswer {
  readonly format: RowFormat;
  readonly question: Question;
  readonly value: unknown;
}

interface PageOf {
  readonly nextCursor: string;
  readonly totalCount: number;
}

function pageOf(value: unknown): PageOf | undefined {
  return (value as { readonly pagination?: PageOf }).pagination;
}

async function rowsBody(parts: BodyParts, answer: RowsOfAnswer, context: BodyContext): Promise<DescribedBody> {
  const { format, question, value } = answer;
  const { operation } = question.registered;
  const { jmespath } = question.query;
  const page = pageOf(value);
  const pace = new ClockPace();
  const table = await (jmespath === undefined
    ? parts.turns.run(listTableSteps(question, value, pace), pace, context.signal)
    : projectedTable(parts, answer, jmespath, context));
  const bytes = await parts.turns.run(bodySteps(format, table, pace), pace, context.signal);
  table.onBytes(bytes.byteLength);
  const total = table.page && `, total=${table.page.totalCount}`;
  return {
    bytes,
    headers: {
      "Content-Type": rowFormats[format].mediaType + rowFormats[format].parameters,
      "Content-Disposition": `inline; filename="${operation.rpc}.${format}"`,
      "X-Vigil-Rows": `count=${table.rows.length}${total ?? ""}`,
    },
    ...(page && page.nextCursor !== "" && { nextCursor: page.nextCursor }),
  };
}

/** The rows of a list or of a projection. Rows of a projection have no schema, no ids and no page. */
interface Table {
  readonly rows: readonly unknown[];
  readonly list: AnyRowList;
  readonly schema?: ReturnType<typeof servedRowSchema>;
  /** The identity of the row at an index; only GeoJSON features need it. */
  readonly idAt?: (index: number) => string | undefined;
  readonly page?: PageOf | undefined;
  /**
   * Called with a lower bound of the body's size while the body is written, and with the exact size at the end. For a
   * projection, throws a failure (400) once the body is too large. The body of a list has no limit.
   */
  readonly onBytes: (bytes: number) => void;
}

function* listTableSteps(
  { registered: { operation }, since, format }: Question,
  value: unknown,
  pace: ClockPace,
): Steps<Table> {
  const list = listOf(operation);
  return {
    rows: yield* servedRowSteps(list, value, pace),
    list,
    schema: servedRowSchema(operation, list, since !== undefined),
    ...(format === "geojson" && { idAt: servedIdAt(list, value) }),
    page: pageOf(value),
    onBytes: () => {},
  };
}

/** Returns the list of an operation. Only operations with a list have row formats. */
function listOf({ rpc, list }: AnyOperation): AnyRowList {
  if (list === undefined) throw new Error(`${rpc} has row formats but declares no list`);
  return list;
}

/** Largest body of a projection, the same in every format. */
const PROJECTED_BYTES_MAX = 262_144;

async function projectedTable(
  parts: BodyParts,
  { format, question, value }: RowsOfAnswer,
  expression: string,
  context: BodyContext,
): Promise<Table> {
  const refused = (error: string) => failure("projection", { error, originalKeys: originalKeys(value) });
  const bytes = await projectedBytes(parts, expression, value, context);
  const rows: unknown = JSON.parse(bytes.toString());
  if (!Array.isArray(rows)) {
    throw refused(`not_rows: the result must be an array for ${format}, got ${kindOf(rows)}`);
  }
  return {
    rows,
    list: listOf(question.registered.operation),
    onBytes(written) {
      if (written <= PROJECTED_BYTES_MAX) return;
      throw refused(`projection_too_large: more than ${PROJECTED_BYTES_MAX} bytes of ${format}`);
    },
  };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function* bodySteps(format: RowFormat, table: Table, pace: ClockPace): Steps<Buffer> {
  const { rows, onBytes } = table;
  switch (format) {
    case "csv":
      return yield* csvSteps(rows, yield* columnsSteps(table, pace), pace, onBytes);
    case "ndjson":
      return yield* ndjsonSteps(rows, pace, onBytes);
    case "geojson":
      return yield* geojsonSteps(rows, featuresOf(table), pace, onBytes);
  }
}

function* columnsSteps({ rows, schema, onBytes }: Table, pace: ClockPace): ReturnType<typeof columnSteps> {
  if (schema) return columnsOf(schema);
  let characters = 0;
  return yield* columnSteps(rows, pace, (more) => {
    characters += more;
    onBytes(characters);
  });
}

function featuresOf({ list: { location }, idAt = noId, page }: Table): Parameters<typeof geojsonSteps>[1] {
  if (location === undefined) throw new Error("rows without coordinates have no features");
  return { idAt, location, members: page ? { pagination: page } : {} };
}

const noId = (): undefined => undefined;
