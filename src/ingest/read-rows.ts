import { createHash } from "node:crypto";
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { type AnySource, BadRow, SourceFailure, type SourceRequest } from "../contract/source.js";
import { decode } from "../upstream/decode.js";
import { absentFields } from "./absent-fields.js";
import { recordFault } from "./record-faults.js";

/** The records of one upstream answer and what was seen on the way. */
export interface Reading {
  readonly records: readonly unknown[];
  readonly rowsRead: number;
  readonly rowsBad: number;
  /** Good rows without each optional field of the source's rows. */
  readonly rowsWithout: Readonly<Record<string, number>>;
  /** Newest observation, epoch ms. */
  readonly newestAt: number | null;
  /** Further requests that the answer calls for. */
  readonly more: readonly SourceRequest[];
}

/** Reads an answer's bytes; a port, because large ones are read in a worker. */
export type ReadRows = (
  source: AnySource,
  request: SourceRequest,
  bytes: Buffer,
  contentType: string | undefined,
) => Promise<Reading>;

/** Above this share of bad rows it is the document that changed, not single rows that are wrong. */
const BAD_RATIO_MAX = 0.5;

const validators = new WeakMap<TSchema, Validator>();

/**
 * The records in a document. Bad rows are counted and skipped; throws `SourceFailure` when nothing makes sense. Without
 * `now` no observation counts as one of the future.
 */
export function readRows(
  source: AnySource,
  request: SourceRequest,
  bytes: Buffer,
  contentType: string | undefined,
  now = Number.POSITIVE_INFINITY,
): Reading {
  const records: unknown[] = [];
  let rowsRead = 0;
  let rowsBad = 0;
  let newestAt: number | null = null;
  const absent = absentFields(source.row);
  checkIntegrity(bytes, request);
  const document = decode(bytes, request.format, { contentType, url: request.url });
  for (const row of source.rows(document, request)) {
    rowsRead += 1;
    const record = recordOf(source, row, request, now);
    if (record === BAD) {
      rowsBad += 1;
      continue;
    }
    absent.count(row);
    if (record === undefined) continue;
    records.push(record);
    newestAt = newest(newestAt, source.observedAt(record));
  }
  if (rowsBad > rowsRead * BAD_RATIO_MAX) {
    throw new SourceFailure("changed", `${rowsBad} of ${rowsRead} rows of ${request.key} do not have the known shape`);
  }
  return {
    records,
    rowsRead,
    rowsBad,
    rowsWithout: absent.rowsWithout,
    newestAt,
    more: source.more?.(document, request) ?? [],
  };
}

function checkIntegrity(bytes: Buffer, { key, integrity }: SourceRequest): void {
  if (integrity === undefined) return;
  const md5 = createHash("md5").update(bytes).digest("hex");
  if (bytes.byteLength === integrity.bytes && md5 === integrity.md5) return;
  const found = `${bytes.byteLength} bytes with MD5 ${md5}`;
  throw new SourceFailure("unavailable", `${key} has ${found}; expected ${integrity.bytes} with ${integrity.md5}`);
}

function newest(known: number | null, observed: number | undefined): number | null {
  return observed === undefined ? known : Math.max(known ?? Number.NEGATIVE_INFINITY, observed);
}

const BAD = Symbol("bad row");

function recordOf(source: AnySource, row: unknown, request: SourceRequest, now: number): unknown {
  if (!validatorOf(source.row).Check(row)) return BAD;
  try {
    const record = source.record(row, request);
    return record !== undefined && recordFault(source, record, now) !== undefined ? BAD : record;
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
