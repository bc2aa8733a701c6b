import type { OpenLog } from "../../contract/change-log.js";
import { failure } from "../../contract/failures.js";
import { quoted } from "../../contract/query-field.js";
import type { RegisteredStream } from "../../contract/stream.js";
import type { Clock } from "../../kit/clock.js";
import type { Answer, Exchange } from "../exchange.js";
import { readStreamQuery } from "../query.js";
import type { StreamPlace, Streams } from "./streams.js";

export interface StreamAnswerParts {
  readonly streams: Streams;
  readonly logs: readonly OpenLog[];
  readonly clock: Clock;
}

/** Proxies must neither store, change nor buffer a stream. nginx reads the last of these headers. */
const streamHeaders = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
} as const;

/** Answers with the changes in a log after the caller's position, for as long as `isAllowed` is true. */
export async function streamAnswer(
  { streams, logs, clock }: StreamAnswerParts,
  { principal, search, cors, call }: Exchange,
  { stream }: RegisteredStream,
  isAllowed: () => Promise<boolean>,
): Promise<Answer> {
  const accountId = principal?.accountId;
  if (accountId === undefined) throw new Error(`${stream.rpc} was reached without an account`);
  if (call.batchedFor !== undefined) throw refused("path", "must not be a stream, which has no end");
  const { values, notice } = readStreamQuery(stream, search, clock.now());
  const { cursor, ...filters } = values as { readonly cursor: string } & Readonly<Record<string, readonly string[]>>;
  const open = logs.find(({ log }) => log === stream.log);
  if (open === undefined) throw new Error(`the log of ${stream.rpc} is not open`);
  const place = await placeOf(open, accountId, { cursor, lastEventId: call.header("last-event-id") });
  const headers = { ...streamHeaders, ...cors, ...(notice !== undefined && { "X-Vigil-Notice": notice }) };
  if (call.method === "HEAD") return { status: 200, headers, body: undefined };
  const follow = await streams.open({ log: stream.log, accountId, place, filters, isAllowed });
  return { status: 200, headers, body: undefined, follow };
}

/**
 * The position after which the stream begins; undefined if the stream begins at the end of the log. A client that
 * connects again repeats the cursor of its first request, so the id of its last event takes precedence.
 */
async function placeOf(
  { reader }: OpenLog,
  accountId: string,
  { cursor, lastEventId }: { readonly cursor: string; readonly lastEventId: string | undefined },
): Promise<StreamPlace | undefined> {
  if (lastEventId !== undefined) {
    const position = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : undefined;
    if (position === undefined) throw refused("Last-Event-ID", `must be a position, got ${quoted(lastEventId)}`);
    return { position };
  }
  return cursor === "" ? undefined : reader.cursors(accountId).open(cursor);
}

function refused(field: string, description: string): Error {
  return failure("validation", { violations: [{ field, description }] });
}
