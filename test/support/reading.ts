import type { CredentialValues } from "../../src/contract/auth.js";
import { type AnySource, SourceFailure, type SourceRequest } from "../../src/contract/source.js";
import { type Reading, readRows } from "../../src/ingest/read-rows.js";

/** The first requests of a source for a plan, with its key where `credentials` hold one. */
export function requestsOf(
  source: AnySource,
  plan: unknown,
  credentials: CredentialValues = {},
): readonly SourceRequest[] {
  const { auth } = source;
  const proof = auth?.kind === "key" && Object.keys(credentials).length > 0 ? auth.proof(credentials) : {};
  return source.requests(plan).map((request) => ({ ...request, ...proof }));
}

/** The first of them. */
export function firstRequest(source: AnySource, plan: unknown, credentials: CredentialValues = {}): SourceRequest {
  const [request] = requestsOf(source, plan, credentials);
  if (!request) throw new Error(`${source.id} asks for nothing`);
  return request;
}

/** What a source reads from a body, decoded as for real. */
export function readBody(source: AnySource, request: SourceRequest, body: string | Buffer | object): Reading {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return readRows(source, request, bytes, undefined);
}

/** The failure with which a reading ends. */
export function failureOf(run: () => unknown): SourceFailure {
  try {
    run();
  } catch (error) {
    if (error instanceof SourceFailure) return error;
    throw error;
  }
  throw new Error("it did not fail");
}
