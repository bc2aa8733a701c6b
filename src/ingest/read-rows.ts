import { createHash } from "node:crypto";
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { countingTally, type LeftOutRows, type RowTally } from "../contract/row-tally.js";
import { type AnySource, type AnyStep, BadRow, LeftOut, SourceFailure, type StepRequest } from "../contract/source.js";
import { type Body, decode, SelectedRecords, selectRecords } from "../upstream/decode.js";
import { absentFields } from "./absent-fields.js";
import { type Dated, recordFault } from "./record-faults.js";
import { type PlannedRequest, planned } from "./requests.js";

/** The records of one upstream answer, with the counts and times that were collected while reading it. */
export interface Reading {
  readonly records: readonly unknown[];
  readonly rowsRead: number;
  readonly rowsBad: number;
  /** Counts of the rows that yield no record, including bad rows. */
  readonly leftOut: readonly LeftOutRows[];
  /** For each optional field of the source's rows, the number of good rows without it. */
  readonly rowsWithout: Readonly<Record<string, number>>;
  /** Time of the newest observation, epoch ms. */
  readonly newestAt: number | null;
  /** Further requests that the answer calls for, in this step and in others. */
  readonly more: readonly PlannedRequest[];
  /** A sentence about data missing from the answer; undefined if nothing is missing. */
  readonly lacks: string | undefined;
}

/** Adds the rows left out of one answer to the tally of all answers. */
export function countLeftOut(tally: RowTally, leftOut: readonly LeftOutRows[]): void {
  for (const { rule, count, example } of leftOut) tally.leftOut(rule, example, count);
}

/** Reads an answer's bytes. The service's implementation (`rowReader`) loads the decoders at its first call. */
export type ReadRows = (
  source: AnySource,
  request: PlannedRequest,
  bytes: Buffer,
  contentType: string | undefined,
) => Promise<Reading>;

/** Checks an answer's bytes, and reduces a large packed table to the records that the request asks for. */
export async function preparedBody(request: PlannedRequest, bytes: Buffer): Promise<Body> {
  checkIntegrity(bytes, request);
  return selectRecords(bytes, request.step.format, request.where);
}

/**
 * Maximum share of bad rows. Above it, the format of the document is considered changed; up to it, only the bad rows
 * are skipped.
 */
const BAD_RATIO_MAX = 0.5;

const validators = new WeakMap<TSchema, Validator>();

/**
 * Reads the records of a document. Bad rows are counted and skipped. Throws `SourceFailure` if more than
 * `BAD_RATIO_MAX` of the rows are bad, or if the document cannot be read. Without `now`, future observations are
 * accepted.
 */
export function readRows(
  source: AnySource,
  request: PlannedRequest,
  body: Body,
  contentType: string | undefined,
  now = Number.POSITIVE_INFINITY,
): Reading {
  const records: unknown[] = [];
  let rowsRead = 0;
  let rowsBad = 0;
  const tally = countingTally();
  let newestAt: number | null = null;
  const { step, context, url, where } = request;
  const dated: Dated = { ...source, observedAt: observationOf(source, step) };
  const absent = absentFields(step.row);
  if (!(body instanceof SelectedRecords)) checkIntegrity(body, request);
  const document = decode(body, step.format, { contentType, url, ...(where && { where }) });
  for (const row of step.rows(document, context)) {
    rowsRead += 1;
    const record = recordOf(dated, row, request, now);
    if (record === BAD) {
      rowsBad += 1;
      tally.leftOut("bad row", row);
      continue;
    }
    absent.count(row);
    if (record instanceof LeftOut) {
      tally.leftOut(record.rule, row);
      continue;
    }
    records.push(record);
    newestAt = newest(newestAt, dated.observedAt(record));
  }
  if (rowsBad > rowsRead * BAD_RATIO_MAX) {
    throw new SourceFailure("changed", `${rowsBad} of ${rowsRead} rows of ${request.key} do not have the known shape`);
  }
  return {
    records,
    rowsRead,
    rowsBad,
    leftOut: tally.leftOutRows,
    rowsWithout: absent.rowsWithout,
    newestAt,
    more: [
      ...(step.more?.(document, context) ?? []).map((further) => planned(step, further)),
      ...(step.next?.(records, context) ?? []).map((further) => planned(further.step, further.context)),
    ],
    lacks: step.lacks?.(document, context),
  };
}

/**
 * Returns the function that dates a step's records: the step's own function or, if the step has none, the source's
 * function. If the source has `combine`, the source's function dates only combined records, so the records of a step
 * without a function of its own get no date.
 */
function observationOf(source: AnySource, step: AnyStep): (record: unknown) => number | undefined {
  if (step.observedAt) return (record) => step.observedAt?.(record);
  return source.combine ? () => undefined : (record) => source.observedAt(record);
}

function checkIntegrity(bytes: Buffer, { key, integrity }: StepRequest): void {
  if (integrity === undefined) return;
  const md5 = createHash("md5").update(bytes).digest("hex");
  if (bytes.byteLength === integrity.bytes && md5 === integrity.md5) return;
  const received = `${bytes.byteLength} bytes with MD5 ${md5}`;
  throw new SourceFailure("unavailable", `${key} has ${received}; expected ${integrity.bytes} with ${integrity.md5}`);
}

function newest(newestAt: number | null, observed: number | undefined): number | null {
  return observed === undefined ? newestAt : Math.max(newestAt ?? Number.NEGATIVE_INFINITY, observed);
}

const BAD = Symbol("bad row");

function recordOf(dated: Dated, row: unknown, { step, context }: PlannedRequest, now: number): unknown {
  if (!validatorOf(step.row).Check(row)) return BAD;
  try {
    const record = step.record(row, context);
    if (record instanceof LeftOut) return record;
    return recordFault(dated, record, now) === undefined ? record : BAD;
  } catch (error) {
    if (error instanceof BadRow) return BAD;
    throw error;
  }
}

function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator;
}
