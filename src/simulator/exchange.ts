import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../kit/clock.js";
import { answerUnder } from "./broken-answer.js";
import type { Fault, FaultBook } from "./faults.js";
import type { RecordedFolder } from "./recorded.js";
import { replyTo, send, sendCut, textReply } from "./reply.js";
import { readBody } from "./request-body.js";
import type { RequestLog } from "./request-log.js";
import type { MatchedRoute, RouteTable } from "./route-table.js";
import type { SimulatedAnswer, SimulatedRequest } from "./upstream.js";

export interface ExchangeParts {
  readonly clock: Clock;
  readonly seed: number;
  readonly table: RouteTable;
  /** If set, all answers come from recordings; none is simulated. */
  readonly recorded: RecordedFolder | undefined;
  readonly faults: FaultBook;
  readonly log: RequestLog;
}

/**
 * Answers one request to an upstream, with the fault in force, if there is one. Resolves once the answer has been
 * passed to `response`, or once it is certain that the fault or the client prevents an answer.
 */
export async function exchange(
  parts: ExchangeParts,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const match = parts.table.find(url);
  const target = {
    upstream: match?.upstream.name ?? url.host,
    host: url.host,
    pathAndQuery: url.pathname + url.search,
  };
  const fault = parts.faults.take(target);
  const method = request.method ?? "GET";
  const answered = parts.log.arrived({ at: parts.clock.now(), method, url: url.href, fault: fault?.kind ?? null });

  if (fault?.kind === "hang") return;
  if (fault?.kind === "down") return void response.socket?.destroy();
  if (fault?.kind === "delay" && !(await sleptThrough(parts.clock, fault.ms, response))) return;

  const body = await readBody(request);
  if (body === undefined) {
    answered(413);
    return send(response, textReply(413, "the body is too long"), parts.clock.now());
  }
  const healthy = await healthyAnswer(parts, match, { url, headers: request.headers, body });
  const answer = answerUnder(fault, healthy, match?.route.variants);
  const reply = replyTo(concernsBody(fault) ? {} : request.headers, answer);
  answered(reply.status);
  if (fault?.kind === "cut") sendCut(response, reply, parts.clock.now(), fault);
  else send(response, reply, parts.clock.now());
}

/** True if an answer with this fault must never become a 304, because the client would then not see the fault. */
function concernsBody(fault: Fault | undefined): boolean {
  return fault !== undefined && fault.kind !== "delay" && fault.kind !== "status";
}

async function healthyAnswer(
  { recorded, clock, seed }: ExchangeParts,
  match: MatchedRoute | undefined,
  request: Pick<SimulatedRequest, "url" | "headers" | "body">,
): Promise<SimulatedAnswer> {
  const answer =
    recorded === undefined ? match?.route.handle({ ...request, clock, seed }) : await recorded.answer(request.url);
  return (
    answer ?? { status: 404, contentType: "text/html; charset=UTF-8", body: "<!DOCTYPE html><title>404</title>\n" }
  );
}

/** Sleeps, and returns false if the client or the simulator closes the connection in the meantime. */
async function sleptThrough(clock: Clock, ms: number, response: ServerResponse): Promise<boolean> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  try {
    await clock.sleep(ms, gone.signal);
    return true;
  } catch (error) {
    if (gone.signal.aborted) return false;
    throw error;
  }
}
