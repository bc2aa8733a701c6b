import { LRUCache } from "lru-cache";
import type { Authenticator, Principal } from "../access/authenticator.js";
import { Failure, failure } from "../contract/failures.js";
import { monotonicMs } from "../kit/clock.js";
import { type CorsHeaders, corsHeaders, type OriginPolicy } from "./cors.js";
import { type DataAnswerParts, dataAnswer } from "./data-answer.js";
import { type Answer, type Call, type Exchange, exchangeOf, type IdentifiedAnswer, jsonAnswer } from "./exchange.js";
import { type ReadQuery, readQuery } from "./query.js";
import type { RouteTable } from "./routes.js";

export interface PipelineParts extends DataAnswerParts {
  readonly routes: RouteTable;
  readonly origins: OriginPolicy;
  readonly authenticator: Authenticator;
  /** The non-Pro GET operations answer callers without a credential. */
  readonly publicReads: boolean;
  readonly newRequestId: () => string;
  /** Told of every finished call. */
  readonly onAnswer: (exchange: Exchange, answer: Answer, durationMs: number) => void;
  /** Told of every fault that became a 500. */
  readonly onError: (exchange: Exchange, error: unknown) => void;
}

/** Looks at an exchange and answers it, at once or later, or lets it pass to the next step. Throws `Failure`. */
type Step = (exchange: Exchange) => Answer | Promise<Answer> | undefined;

/**
 * The one way from a call to its answer, for REST, batch items and callers in process alike. What is ready is returned at
 * once, so that nobody waits for a turn of the event loop to get it. Never throws or rejects.
 */
export type Pipeline = (call: Call) => IdentifiedAnswer | Promise<IdentifiedAnswer>;

/** The steps in the contract's order, which decides which error wins. */
export function pipeline(parts: PipelineParts): Pipeline {
  const cors = corsHeaders(parts.origins);
  const queries = new LRUCache<string, ReadQuery>({ max: QUERIES_REMEMBERED });
  const steps: readonly Step[] = [
    (exchange) => setCors(exchange, cors),
    answerPreflight,
    (exchange) => checkCredential(exchange, parts),
    checkScope,
    checkRoute,
    answerPlatform,
    (exchange) => answerOperation(exchange, parts, queries),
  ];

  return (call) => {
    const exchange = exchangeOf(call, requestIdOf(call, parts), (path) => parts.routes.get(path));
    const startedMs = monotonicMs();
    const finished = ({ status, headers, body }: Answer): IdentifiedAnswer => {
      const answer = { status, headers, body, requestId: exchange.requestId };
      parts.onAnswer(exchange, answer, monotonicMs() - startedMs);
      return answer;
    };
    const answer = firstAnswer(steps, exchange, parts);
    return answer instanceof Promise ? answer.then(finished) : finished(answer);
  };
}

/** Request targets whose query need not be read again; targets are bounded in length by the HTTP parser. */
const QUERIES_REMEMBERED = 2_000;
const REMEMBERED_LENGTH_MAX = 2_048;

function firstAnswer(steps: readonly Step[], exchange: Exchange, parts: PipelineParts): Answer | Promise<Answer> {
  try {
    for (const step of steps) {
      const answer = step(exchange);
      if (answer instanceof Promise) return answer.catch((error: unknown) => failureAnswer(error, exchange, parts));
      if (answer) return answer;
    }
    throw new Error(`no step answered ${exchange.path}`);
  } catch (error) {
    return failureAnswer(error, exchange, parts);
  }
}

/** The only place where a request's errors end: the contract's body for its failures, 500 for everything else. */
function failureAnswer(error: unknown, exchange: Exchange, parts: PipelineParts): Answer {
  if (!(error instanceof Failure)) parts.onError(exchange, error);
  else if (error.cause !== undefined) parts.onError(exchange, error.cause);
  const failed = error instanceof Failure ? error : failure("internal", null);
  return jsonAnswer(failed.status, failed.body, { ...exchange.cors, ...failed.headers });
}

function setCors(exchange: Exchange, cors: CorsHeaders): undefined {
  exchange.cors = cors(exchange);
}

function answerPreflight({ call, cors }: Exchange): Answer | undefined {
  return call.method === "OPTIONS" ? { status: 204, headers: cors, body: undefined } : undefined;
}

const anonymous: Principal = { kind: "anonymous", caller: "anonymous", scopes: new Set(["read"]) };

function checkCredential(exchange: Exchange, parts: PipelineParts): undefined {
  const { route, call } = exchange;
  if (route?.kind === "platform" && route.isOpen(exchange)) return;
  // Outside the API there is nothing that a credential would open.
  if (!route && !exchange.path.startsWith("/api")) return;
  const found = parts.authenticator.authenticate((name) => call.header(name));
  if (found instanceof Failure) {
    const sentNothing = found.failure === "keyRequired";
    if (!(sentNothing && parts.publicReads && route?.kind === "operation")) throw found;
    exchange.principal = anonymous;
    return;
  }
  exchange.principal = found;
}

function checkScope({ principal, route }: Exchange): undefined {
  if (principal && route && !principal.scopes.has("read")) throw failure("scopeMissing", { scope: "read" });
}

function checkRoute({ route, call }: Exchange): undefined {
  if (!route) throw failure("notFound", null);
  if (call.method !== "GET" && call.method !== "HEAD") {
    throw failure("methodNotAllowed", { allow: "GET, HEAD, OPTIONS" });
  }
}

async function platformAnswer(exchange: Exchange, answer: Answer | Promise<Answer>): Promise<Answer> {
  const settled = await answer;
  return { ...settled, headers: { ...exchange.cors, ...settled.headers } };
}

function answerPlatform(exchange: Exchange): Promise<Answer> | undefined {
  const { route } = exchange;
  return route?.kind === "platform" ? platformAnswer(exchange, route.answer(exchange)) : undefined;
}

function answerOperation(
  exchange: Exchange,
  parts: PipelineParts,
  queries: LRUCache<string, ReadQuery>,
): Answer | Promise<Answer> | undefined {
  const { route } = exchange;
  if (route?.kind !== "operation") return undefined;
  const { registered } = route;
  const { target } = exchange.call;
  const remembered = queries.get(target);
  if (remembered) return dataAnswer(parts, exchange, registered, remembered);
  const query = readQuery(registered.operation, exchange.search, parts.clock.now());
  if (target.length <= REMEMBERED_LENGTH_MAX) queries.set(target, query);
  return dataAnswer(parts, exchange, registered, query);
}

const CLIENT_REQUEST_ID = /^[\w.-]{1,64}$/;

/** The caller's own id where it is fit for a log, else a new one. */
function requestIdOf(call: Call, parts: PipelineParts): string {
  const given = call.header("x-request-id");
  return given !== undefined && CLIENT_REQUEST_ID.test(given) ? given : parts.newRequestId();
}
