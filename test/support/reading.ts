import type { AnySource, SourceRequest } from "../../src/contract/source.js";
import { SourceFailure } from "../../src/contract/source.js";
import { type Reading, readRows } from "../../src/ingest/read-rows.js";

/** The first request of a source for a plan. */
export function firstRequest(
  source: AnySource,
  plan: unknown,
  credentials: Record<string, string> = {},
): SourceRequest {
  const [request] = source.requests(plan, credentials) as readonly SourceRequest[];
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
