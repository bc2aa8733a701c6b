import { LRUCache } from "lru-cache";
import { deprecationHeaders } from "../contract/deprecation.js";
import { Failure, failure } from "../contract/failures.js";
import type { WritePage } from "../contract/write.js";
import { isStoreLost } from "../database/store-error.js";
import { monotonicMs } from "../kit/clock.js";
import { entriesUpTo } from "../kit/entries-up-to.js";
import { type HeadLines, headLines, linesWith } from "../kit/head-lines.js";
import { acceptedFormat } from "./accepted-format.js";
import {
  type AccessParts,
  addressOf,
  checkCookieOrigin,
  checkCredential,
  checkEntitlement,
  checkScope,
  isAboutOwnAccount,
  isStillAllowed,
} from "./access-steps.js";
import { accountReadAnswer } from "./account-reads.js";
import type { Admission } from "./admission.js";
import type { CallLimits, LimitedCall } from "./call-limits.js";
import { type CorsHeaders, corsHeaders, type OriginPolicy } from "./cors.js";
import { type DataAnswerParts, dataAnswer } from "./data-answer/data-answer.js";
import { untilLoaded } from "./data-answer/min-generation.js";
import { inFormat, type Question, questionOf } from "./data-answer/question.js";
import { demoLabel } from "./demo-label.js";
import type { MessageRoute, Route } from "./exchange.js";
import {
  type Answer,
  type Call,
  type Exchange,
  exchangeOf,
  IdentifiedAnswer,
  type Target,
  targetOf,
} from "./exchange.js";
import { type LinkedFeedParts, linkedFeedAnswer } from "./feeds/linked-feed-answer.js";
import type { PortParts } from "./ports.js";
import { readQuery } from "./query.js";
import type { RouteTable } from "./routes.js";
import { asksForSignature, type SignAnswer } from "./signed-answer.js";
import { type StreamAnswerParts, streamAnswer } from "./streams/stream-answer.js";
import { failedPage, questionPage } from "./write-page.js";
import { type WriteParts, writeAnswer } from "./writes.js";

export interface PipelineParts extends DataAnswerParts, AccessParts {
  readonly routes: RouteTable;
  readonly origins: OriginPolicy;
  readonly limits: CallLimits;
  readonly admission: Admission;
  readonly ports: PortParts;
  readonly streams: Omit<StreamAnswerParts, "clock">;
  readonly feeds: Pick<LinkedFeedParts, "origin">;
  readonly writes: WriteParts;
  readonly sign: SignAnswer;
  /** Page of the versioning policy, for answers of deprecated operations. */
  readonly policyUrl: string;
  readonly newRequestId: () => string;
  /** Called for every finished call. */
  readonly onAnswer: (exchange: Exchange, answer: Answer, durationMs: number) => void;
  /** Called for every failure of a call to the path of a write. */
  readonly onDenied: (exchange: Exchange, refused: Failure) => void;
  /**
   * Called for every error that is not a `Failure`, and for the cause of a `Failure` that has one, unless the caller
   * has disconnected.
   */
  readonly onError: (exchange: Exchange, error: unknown) => void;
}

/**
 * A step either answers an exchange or returns undefined, so that the next step runs. It may be asynchronous. Throws
 * `Failure`.
 */
type Step = (exchange: Exchange) => Answer | undefined | Promise<Answer | undefined>;

/**
 * Answers every call: REST calls, batch items and calls from within the process. A ready answer is returned
 * synchronously, without a turn of the event loop. Never throws or rejects.
 */
export type Pipeline = (call: Call) => IdentifiedAnswer | Promise<IdentifiedAnswer>;

/** Creates the pipeline. Its steps have the contract's order, which sets the precedence of errors. */
export function pipeline(parts: PipelineParts): Pipeline {
  const label = demoLabel(parts.simulated);
  const cors = corsHeaders(parts.origins, label);
  const targets = new LRUCache<string, Target>(entriesUpTo(TARGETS_REMEMBERED));
  const work: readonly Step[] = [
    (exchange) => answerWrite(exchange, parts),
    (exchange) => answerMessage(exchange, parts),
    (exchange) => chargeLimits(exchange, parts),
    answerPlatform,
    (exchange) => answerAccountRead(exchange, parts),
    (exchange) => answerStream(exchange, parts),
    (exchange) => answerLinkedFeed(exchange, parts),
    (exchange) => answerOperation(exchange, parts, targets),
  ];
  const steps: readonly Step[] = [
    (exchange) => setCors(exchange, cors),
    answerPreflight,
    (exchange) => checkCredential(exchange, parts),
    checkScope,
    checkEntitlement,
    checkRoute,
    checkCookieOrigin,
    (exchange) => admitted(exchange, parts, () => firstAnswer(work, 0, exchange, parts)),
  ];

  const routeOf = (path: string): Route | undefined => parts.routes.get(path);

  return (call) => {
    const target = targets.get(call.target) ?? targetOf(call.target, routeOf);
    const exchange = exchangeOf(call, requestIdOf(call, parts), target);
    exchange.cors = label;
    const startedMs = monotonicMs();
    const answer = firstAnswer(steps, 0, exchange, parts);
    if (!(answer instanceof Promise)) return withStanding(parts, exchange, startedMs, answer);
    return answer.then((settledAnswer) => withStanding(parts, exchange, startedMs, settledAnswer));
  };
}

/** Adds the caller's rate limit headers to an answer. */
function withStanding(
  parts: PipelineParts,
  exchange: Exchange,
  startedMs: number,
  answer: Answer,
): IdentifiedAnswer | Promise<IdentifiedAnswer> {
  const { charged } = exchange;
  // A 304 does not count against the daily allowance.
  const refunded = answer.status === 304 ? charged?.refundDay?.() : undefined;
  const standing = refunded ?? charged?.lines ?? standingOf(parts, exchange);
  if (!(standing instanceof Promise)) return finished(parts, exchange, startedMs, answer, standing);
  return standing
    .catch(() => charged?.lines ?? "")
    .then((lines) => finished(parts, exchange, startedMs, answer, lines));
}

function finished(
  parts: PipelineParts,
  exchange: Exchange,
  startedMs: number,
  answer: Answer,
  standing: HeadLines,
): IdentifiedAnswer {
  const { status, headers } = answer;
  const own = status >= 400 ? without(standing, headers) : isShared(headers) ? policyIn(standing) : standing;
  const identified = new IdentifiedAnswer(
    answer,
    exchange.requestId,
    withDeprecation(own, exchange.route, parts.policyUrl),
    exchange.isShed,
  );
  parts.onAnswer(exchange, answer, monotonicMs() - startedMs);
  return identified;
}

/** The rate limit headers of a call that was not charged, such as a call that was refused before its charge. */
function standingOf(parts: PipelineParts, refused: Exchange): HeadLines | Promise<HeadLines> {
  return isLimited(refused) ? parts.limits.standing(limitedCall(refused, parts)) : "";
}

/**
 * Returns `standing` without the headers that a refusal sets itself. The refusal's values are served, because they
 * describe the limit that was exceeded.
 */
function without(standing: HeadLines, own: Answer["headers"]): HeadLines {
  // Most refusals set none of these headers, and parsing the lines costs more than this check.
  const mayOverlap = Object.keys(own).some((name) => standing.includes(`${name}: `));
  return mayOverlap ? linesWith(standing, (name) => !(name in own)) : standing;
}

/** True for an answer that a shared cache may hand to other callers. */
function isShared(headers: Answer["headers"]): boolean {
  return headers["Cache-Control"]?.startsWith("public") === true;
}

const policyNames = new Set(["RateLimit-Policy", "RateLimit-Limit", "X-RateLimit-Limit"]);

/**
 * The rate limit headers without the caller's counts, because a shared cache would hand the counts to other callers.
 */
function policyIn(standing: HeadLines): HeadLines {
  return linesWith(standing, (name) => policyNames.has(name));
}

/** Adds the deprecation headers to every answer of a deprecated operation, errors included. */
function withDeprecation(lines: HeadLines, route: Route | undefined, policyUrl: string): HeadLines {
  const deprecation = route?.kind === "operation" ? route.registered.operation.deprecation : undefined;
  return deprecation ? lines + headLines(deprecationHeaders(deprecation, policyUrl)) : lines;
}

/** Returns true for calls under `/api/`, and for calls to writes at other paths. Preflights are not limited. */
function isLimited({ path, route, call }: Exchange): boolean {
  return call.method !== "OPTIONS" && (path.startsWith("/api/") || route?.kind === "write");
}

/** Maximum size of a protocol message (MCP) in bytes. The body of a write has the same maximum. */
const MESSAGE_BYTES_MAX = 262_144;
/** Maximum number of remembered request targets of operations. */
const TARGETS_REMEMBERED = 2_000;
const REMEMBERED_LENGTH_MAX = 2_048;

/** Runs the steps from `from` on and returns the first answer. */
function firstAnswer(
  steps: readonly Step[],
  from: number,
  exchange: Exchange,
  parts: PipelineParts,
): Answer | Promise<Answer> {
  try {
    for (let at = from; at < steps.length; at += 1) {
      const answer = steps[at]?.(exchange);
      if (answer instanceof Promise) {
        return answer.then(
          (stepAnswer) => stepAnswer ?? firstAnswer(steps, at + 1, exchange, parts),
          (error: unknown) => refusedAnswer(error, exchange, parts),
        );
      }
      if (answer) return answer;
    }
    throw new Error(`no step answered ${exchange.path}`);
  } catch (error) {
    return refusedAnswer(error, exchange, parts);
  }
}

/**
 * Turns any error into an answer: a `Failure` into the contract's body for it, a lost store into a 503, anything else
 * into a 500.
 */
function refusedAnswer(error: unknown, exchange: Exchange, parts: PipelineParts): Answer {
  const fault = error instanceof Failure ? error.cause : error;
  // If the caller has disconnected, the error is not reported.
  if (fault !== undefined && exchange.call.signal?.aborted !== true) parts.onError(exchange, fault);
  const failed = error instanceof Failure ? error : unexpectedFailure(error);
  exchange.isShed = failed.failure === "overloaded";
  if (exchange.route?.kind === "write") parts.onDenied(exchange, failed);
  return failedPage(exchange, failed);
}

function unexpectedFailure(error: unknown): Failure {
  return isStoreLost(error)
    ? failure("notReady", { reason: "the store cannot be reached" })
    : failure("internal", null);
}

function setCors(exchange: Exchange, cors: CorsHeaders): undefined {
  exchange.cors = cors(exchange);
}

function answerPreflight({ call, cors }: Exchange): Answer | undefined {
  return call.method === "OPTIONS" ? { status: 204, headers: cors, body: undefined } : undefined;
}

function checkRoute({ route, call }: Exchange): undefined {
  if (!route) throw failure("notFound", null);
  const isWrite = route.kind === "write" || route.kind === "message";
  const isRead = call.method === "GET" || call.method === "HEAD";
  if (isWrite ? call.method === "POST" || (isRead && pageOf({ route, call })) : isRead) return;
  const reads = isWrite && !pageOf({ route, call }) ? [] : ["GET", "HEAD"];
  throw failure("methodNotAllowed", { allow: [...reads, ...(isWrite ? ["POST"] : []), "OPTIONS"].join(", ") });
}

/** The HTML page of a write; undefined for a write without a page, for other routes and within a batch. */
function pageOf({ route, call }: Pick<Exchange, "route" | "call">): WritePage | undefined {
  return route?.kind === "write" && call.batchedFor === undefined ? route.registered.write.page : undefined;
}

/**
 * Sheds a call under overload, before its limits are charged. Platform paths always answer, so that an overload can be
 * observed. A batch is admitted as one call. The calls that an MCP message makes are admitted one by one.
 */
function admitted(
  exchange: Exchange,
  parts: PipelineParts,
  work: () => Answer | Promise<Answer>,
): Answer | Promise<Answer> {
  const { route, call, question } = exchange;
  if (route?.kind === "platform" || route?.kind === "message" || call.batchedFor !== undefined) return work();
  return parts.admission.run({ isCheap: question !== undefined, caller: () => parts.workerOf(exchange) }, work);
}

function chargeLimits(exchange: Exchange, parts: PipelineParts): undefined | Promise<undefined> {
  const { route, principal } = exchange;
  if (!isLimited(exchange) || (!principal && route?.kind === "platform")) return undefined;
  const charged = parts.limits.charge(limitedCall(exchange, parts));
  if (!(charged instanceof Promise)) {
    exchange.charged = charged;
    return undefined;
  }
  return charged.then((settled) => {
    exchange.charged = settled;
    return undefined;
  });
}

function limitedCall(exchange: Exchange, parts: PipelineParts): LimitedCall {
  const { route, principal } = exchange;
  return {
    principal,
    address: addressOf(exchange, parts),
    isOwnAccount: isAboutOwnAccount(route),
    pathLimit: route?.kind === "write" ? route.registered.write.limit : undefined,
    quota: route?.kind === "operation" ? route.registered.operation.dailyQuota : undefined,
  };
}

function answerWrite(exchange: Exchange, parts: PipelineParts): Promise<Answer> | undefined {
  const { route, call } = exchange;
  if (route?.kind !== "write") return undefined;
  const page = call.method === "POST" ? undefined : pageOf(exchange);
  if (page) return writePage(exchange, parts, page);
  return writeAnswer(parts.writes, exchange, route.registered, {
    charge: () => chargeLimits(exchange, parts),
    chargeReplay: () => parts.limits.chargeReplay(limitedCall(exchange, parts)),
    refuse: (error) => refusedAnswer(error, exchange, parts),
  });
}

function answerMessage(exchange: Exchange, parts: PipelineParts): Promise<Answer> | undefined {
  const { route } = exchange;
  return route?.kind === "message" ? messageAnswer(exchange, parts, route) : undefined;
}

/** Answers an MCP message. The calls that the answer needs go through the whole pipeline and are charged there. */
async function messageAnswer(exchange: Exchange, parts: PipelineParts, route: MessageRoute): Promise<Answer> {
  await parts.limits.chargeMessage(limitedCall(exchange, parts));
  const bytes = await exchange.call.body(MESSAGE_BYTES_MAX);
  return platformAnswer(exchange, route.answer(exchange, bytes));
}

async function writePage(exchange: Exchange, parts: PipelineParts, page: WritePage): Promise<Answer> {
  await chargeLimits(exchange, parts);
  return questionPage(exchange, page);
}

async function platformAnswer(exchange: Exchange, answer: Answer | Promise<Answer>): Promise<Answer> {
  const settled = await answer;
  return { ...settled, headers: { ...exchange.cors, ...settled.headers } };
}

function answerPlatform(exchange: Exchange): Promise<Answer> | undefined {
  const { route } = exchange;
  return route?.kind === "platform" ? platformAnswer(exchange, route.answer(exchange)) : undefined;
}

function answerAccountRead(exchange: Exchange, parts: PipelineParts): Promise<Answer> | undefined {
  const { route } = exchange;
  if (route?.kind !== "account-read") return undefined;
  const { project, workerOf, sign } = parts;
  return accountReadAnswer({ ...parts.ports, project, workerOf, sign }, exchange, route.registered);
}

function answerStream(exchange: Exchange, parts: PipelineParts): Promise<Answer> | undefined {
  const { route } = exchange;
  if (route?.kind !== "stream") return undefined;
  const { clock, streams } = parts;
  return streamAnswer({ ...streams, clock }, exchange, route.registered, () => isStillAllowed(exchange, parts));
}

function answerLinkedFeed(exchange: Exchange, parts: PipelineParts): Promise<Answer> | undefined {
  const { route } = exchange;
  if (route?.kind !== "linked-feed") return undefined;
  return linkedFeedAnswer({ ...parts.ports, ...parts.feeds }, exchange, route.registered);
}

function answerOperation(
  exchange: Exchange,
  parts: PipelineParts,
  targets: LRUCache<string, Target>,
): Answer | Promise<Answer> | undefined {
  const { call, path, search, route, question: remembered } = exchange;
  if (route?.kind !== "operation") return undefined;
  if (remembered) return operationAnswer(parts, exchange, remembered);
  const query = readQuery(route.registered.operation, search, parts.clock.now());
  const question = questionOf(parts.cursors, route.registered, query);
  if (call.target.length <= REMEMBERED_LENGTH_MAX) targets.set(call.target, { path, search, route, question });
  return operationAnswer(parts, exchange, question);
}

function operationAnswer(parts: PipelineParts, exchange: Exchange, target: Question): Answer | Promise<Answer> {
  const question = inRequestedFormat(exchange, target);
  const loaded = untilLoaded(parts, exchange, question);
  if (loaded === undefined) return signedAnswer(parts, exchange, question);
  return loaded.then(() => signedAnswer(parts, exchange, question));
}

/** The answer to a question, signed if the caller asks for a signature. */
function signedAnswer(parts: PipelineParts, exchange: Exchange, question: Question): Answer | Promise<Answer> {
  const { signature } = question.query.frame;
  if (!asksForSignature(exchange, signature)) return dataAnswer(parts, exchange, question);
  const answer = dataAnswer(parts, exchange, question);
  if (!(answer instanceof Promise)) return parts.sign(exchange, signature, answer);
  return answer.then((settled) => parts.sign(exchange, signature, settled));
}

/**
 * Returns the question in the format that its parameter `format` names. Without the parameter, the `Accept` header
 * determines the format. In a batch, throws the 400 if the parameter names a format other than JSON.
 */
function inRequestedFormat({ call }: Exchange, question: Question): Question {
  const { format } = question.query.frame;
  if (format === undefined) return inFormat(question, acceptedFormat(call.header("accept"), question.formats));
  if (format === "json" || call.batchedFor === undefined) return question;
  const description = "must be json in a batch, whose answer is JSON";
  throw failure("validation", { violations: [{ field: "format", description }] });
}

const CLIENT_REQUEST_ID = /^[\w.-]{1,64}$/;

/** Returns the request id that the caller sent if it is safe to log, otherwise a new one. */
function requestIdOf(call: Call, parts: PipelineParts): string {
  const requestId = call.header("x-request-id");
  return requestId !== undefined && CLIENT_REQUEST_ID.test(requestId) ? requestId : parts.newRequestId();
}
