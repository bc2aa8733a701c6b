import { type AnySource, SourceFailure, type StepRequest } from "../contract/source.js";
import type { RequestProvenance, SourceRunReport, Validators } from "../snapshots/provenance.js";
import type { UpstreamAnswer } from "../upstream/answer.js";
import type { Reading } from "./read-rows.js";

/** The part and source that a request is made for. */
export interface RequestPurpose {
  readonly part: string;
  readonly source: AnySource;
}

/**
 * Returns the validators for a conditional request; undefined if none are stored, or if they were stored by another
 * version of this software or for another address.
 */
export function usableValidators(
  { validators }: { readonly validators?: Readonly<Record<string, Validators>> },
  { key, url }: StepRequest,
  version: string,
): Omit<Validators, "version" | "url"> | undefined {
  const stored = validators?.[key];
  return stored?.version === version && stored.url === url ? withoutOrigin(stored) : undefined;
}

function withoutOrigin(validators: Validators): Omit<Validators, "version" | "url"> {
  const { version: _version, url: _url, ...conditions } = validators;
  return conditions;
}

export function validatorsOf(
  { url }: StepRequest,
  { etag, lastModified }: UpstreamAnswer,
  version: string,
): Validators | undefined {
  if (etag === undefined && lastModified === undefined) return undefined;
  return { version, url, ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}

export function provenanceOf(source: AnySource, answer: UpstreamAnswer, reading: Reading): RequestProvenance {
  return {
    source: source.id,
    url: answer.url,
    status: answer.status,
    bytes: answer.bytes.byteLength,
    sha256: answer.sha256,
    fetchedAt: answer.fetchedAt,
    newestAt: reading.newestAt,
    rowsRead: reading.rowsRead,
    rowsBad: reading.rowsBad,
  };
}

export function reportOf(
  { part, source }: RequestPurpose,
  request: StepRequest,
  answer: UpstreamAnswer,
  reading: Reading | undefined,
): SourceRunReport {
  return {
    part,
    source: source.id,
    requestKey: request.key,
    url: answer.url,
    fetchedAt: answer.fetchedAt,
    outcome: reading ? "ok" : "not-modified",
    status: answer.status,
    bytes: reading ? answer.bytes.byteLength : null,
    sha256: reading ? answer.sha256 : null,
    newestAt: reading?.newestAt ?? null,
    rowsRead: reading?.rowsRead ?? null,
    rowsBad: reading?.rowsBad ?? null,
    ...(reading && { rowsWithout: reading.rowsWithout }),
    error: null,
  };
}

export function failureReport(
  { part, source }: RequestPurpose,
  request: StepRequest,
  answer: UpstreamAnswer | undefined,
  error: unknown,
  now: number,
): SourceRunReport {
  const failed = error instanceof SourceFailure ? error : undefined;
  return {
    part,
    source: source.id,
    requestKey: request.key,
    url: request.url,
    fetchedAt: answer?.fetchedAt ?? now,
    outcome: failed?.kind ?? "failed",
    status: answer?.status ?? failed?.status ?? null,
    bytes: answer?.bytes.byteLength ?? null,
    sha256: answer?.sha256 ?? null,
    newestAt: null,
    rowsRead: null,
    rowsBad: null,
    error: failed?.message ?? "the run was cancelled or met an internal error; see the log",
  };
}
