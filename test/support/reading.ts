import type { CredentialValues } from "../../src/contract/auth.js";
import { silentTally } from "../../src/contract/row-tally.js";
import {
  type AnySource,
  type AnyStep,
  type Source,
  SourceFailure,
  type SourceRequest,
} from "../../src/contract/source.js";
import { type Reading, readRows } from "../../src/ingest/read-rows.js";
import { firstRequests, insteadOf, type PlannedRequest, planned } from "../../src/ingest/requests.js";

/** A request in the form in which it is sent. */
type OutgoingRequest = PlannedRequest & SourceRequest;

/** The first requests of a source for a plan, with the key of the source if `credentials` contain one. */
export function requestsOf(
  source: AnySource,
  plan: unknown,
  credentials: CredentialValues = {},
): readonly OutgoingRequest[] {
  const { auth } = source;
  const proof = auth?.kind === "key" && Object.keys(credentials).length > 0 ? auth.proof(credentials) : {};
  return firstRequests(source, plan).map((request) => ({ ...request, ...proof }));
}

/** The first request of a source for a plan. */
export function firstRequest(source: AnySource, plan: unknown, credentials: CredentialValues = {}): OutgoingRequest {
  const [request] = requestsOf(source, plan, credentials);
  if (!request) throw new Error(`${source.id} has no request`);
  return request;
}

/** Plans the request that a step of a source makes for a context. */
export function requestAbout(source: AnySource, name: string, context: unknown): PlannedRequest {
  return planned(stepOf(source, name), context);
}

/** A step of a source by its name. */
export function stepOf({ id, steps }: AnySource, name: string): AnyStep {
  const step = steps[name];
  if (!step) throw new Error(`${id} has no step ${name}`);
  return step;
}

/** A request and its successive replacements, each sent after the previous one was answered with 404. */
export function whileAbsent(request: PlannedRequest | undefined): readonly PlannedRequest[] {
  if (!request) return [];
  const absent = new SourceFailure("unavailable", "answered 404", { status: 404 });
  return [request, ...(insteadOf(request, absent) ?? []).flatMap(whileAbsent)];
}

/** Decodes a body as in production, and reads it with a source. */
export function readBody(source: AnySource, request: PlannedRequest, body: string | Buffer | object): Reading {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return readRows(source, request, bytes, undefined);
}

/** The records that a source serves from these answers. */
export function servedOf<Stored>(
  source: Source<never, Stored>,
  answers: readonly (readonly [
    request: PlannedRequest,
    reading: Pick<Reading, "records"> & Partial<Pick<Reading, "rowsBad">>,
  ])[],
): readonly Stored[] {
  const results = Object.entries(source.steps).map(([name, step]) => {
    const own = answers.filter(([request]) => request.step === step);
    const read = own.map(([{ context }, { records, rowsBad = 0 }]) => ({ context, records, rowsBad }));
    return [name, { answers: read, records: read.flatMap(({ records }) => records) }] as const;
  });
  const combined = source.combine?.(Object.fromEntries(results), silentTally);
  // A source without `combine` serves the records of its steps.
  return combined ?? (results.flatMap(([, { records }]) => records) as readonly Stored[]);
}

/** Runs a read that must fail, and returns its failure. */
export function failureOf(run: () => unknown): SourceFailure {
  try {
    run();
  } catch (error) {
    if (error instanceof SourceFailure) return error;
    throw error;
  }
  throw new Error("the read did not fail");
}
