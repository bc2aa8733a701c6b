import { isFeedFormat } from "../../contract/answer-format.js";
import { SECOND_MS } from "../../kit/clock.js";
import type { AnswerCache } from "../answer-cache.js";
import type { Answer, Exchange } from "../exchange.js";
import { httpDate } from "../http-date.js";
import { encodingFor, matchingEtag } from "../representation.js";
import { notModified, wholeAnswer } from "./heads.js";
import { type IngredientParts, type Ingredients, ingredientsOf, lastModifiedAt, stampOf } from "./ingredients.js";
import { isOfPast, type PastAnswerParts, type PastQuestion, pastAnswer } from "./past-answer.js";
import type { Question } from "./question.js";
import { type ReadyAnswer, type ReadyAnswerParts, readyAnswer } from "./ready-answer.js";

export interface DataAnswerParts extends IngredientParts, ReadyAnswerParts, PastAnswerParts {
  readonly cache: AnswerCache;
  /**
   * Identifies the caller that is charged for projections and for reads of the past: by its account, by its key if the
   * account is the operator's, or by its address if it has no account.
   */
  readonly workerOf: (exchange: Exchange) => string;
  readonly onFault: (error: unknown) => void;
}

/** Answers a question from the cache, or by running its operation once for all concurrent callers. */
export function dataAnswer(parts: DataAnswerParts, exchange: Exchange, question: Question): Answer | Promise<Answer> {
  if (isOfPast(question)) return answerOfPast(parts, exchange, question);
  const ingredients = ingredientsOf(parts, question);
  if (!(ingredients instanceof Promise)) return answerFrom(parts, exchange, ingredients);
  return ingredients.then((gathered) => answerFrom(parts, exchange, gathered));
}

function answerOfPast(parts: DataAnswerParts, exchange: Exchange, question: PastQuestion): Answer | Promise<Answer> {
  const answer = pastAnswer(parts, exchange, question);
  if (!(answer instanceof Promise)) return reply(parts, exchange, answer.ingredients, answer);
  return answer.then((ready) => reply(parts, exchange, ready.ingredients, ready));
}

/** The cached answer that was made from these ingredients, or a new one. */
function answerFrom(parts: DataAnswerParts, exchange: Exchange, ingredients: Ingredients): Answer | Promise<Answer> {
  const stamp = stampOf(ingredients);
  const make = (signal: AbortSignal): Promise<ReadyAnswer> =>
    readyAnswer(parts, ingredients, stamp, parts.workerOf(exchange), signal);
  const gone = (): AbortSignal | undefined => exchange.call.signal;
  const ready = parts.cache.get(ingredients.question.key, stamp, ingredients.now, make, gone);
  if (!(ready instanceof Promise)) return reply(parts, exchange, ingredients, ready);
  return ready.then((answer) => reply(parts, exchange, ingredients, answer));
}

/** Returns a 304 to a caller that has the answer, else the answer in the caller's preferred encoding. */
function reply(
  parts: DataAnswerParts,
  exchange: Exchange,
  ingredients: Ingredients,
  ready: ReadyAnswer,
): Answer | Promise<Answer> {
  const etag = heldEtag(exchange, ingredients, ready);
  if (etag !== undefined) return notModified(exchange, ingredients, ready, etag);
  const encoding = encodingFor(ready.body, exchange.call.header("accept-encoding"), parts.onFault);
  if (!(encoding instanceof Promise)) return wholeAnswer(exchange, ingredients, ready, encoding);
  return encoding.then((packed) => wholeAnswer(exchange, ingredients, ready, packed));
}

/** Returns the ETag of the caller's copy if that copy is still current, else undefined. */
function heldEtag({ call }: Exchange, ingredients: Ingredients, ready: ReadyAnswer): string | undefined {
  const ifNoneMatch = call.header("if-none-match");
  if (ifNoneMatch !== undefined) return matchingEtag(ifNoneMatch, ready.body);
  const ifModifiedSince = call.header("if-modified-since");
  if (ifModifiedSince === undefined || !isDated(ingredients, ready)) return undefined;
  const sinceAt = httpDate(ifModifiedSince);
  const modifiedAt = lastModifiedAt(ingredients.snapshots);
  if (sinceAt === undefined || modifiedAt === undefined) return undefined;
  return Math.floor(modifiedAt / SECOND_MS) * SECOND_MS <= sinceAt ? ready.body.etag : undefined;
}

/**
 * True for an answer that changes only when its snapshots are built. Their build time is then the date of the answer.
 * False for an operation with settings, because the time at which a setting changed is unknown.
 */
function isDated({ question }: Ingredients, { body, validUntil }: ReadyAnswer): boolean {
  const { fetches, showsAttempts, settings = [] } = question.registered.operation;
  if (fetches || showsAttempts || settings.length > 0) return false;
  if (question.query.explained || isFeedFormat(question.format)) return false;
  return body.tag !== undefined && validUntil === Number.POSITIVE_INFINITY;
}
