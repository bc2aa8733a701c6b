import { createHash } from "node:crypto";
import { isFeedFormat } from "../../contract/answer-format.js";
import { hasDegradedMarker, worstState } from "../../contract/cache-policy.js";
import { countingTally, type RowTally, silentTally } from "../../contract/row-tally.js";
import { MINUTE_MS } from "../../kit/clock.js";
import type { RevisionReader } from "../../snapshots/history/revision-reader.js";
import type { Answer } from "../exchange.js";
import type { ExplainedQuery } from "../explained-query.js";
import { paginator } from "../paging.js";
import { type Representation, representation, tagOf } from "../representation.js";
import { answerBody, type BodyParts } from "./answer-body.js";
import { type AnswerValue, type DeltaParts, deltaValue } from "./delta.js";
import type { DescribedBody } from "./described-body.js";
import { explanationOf, type LoadedOf } from "./explanation.js";
import type { FeedSituation } from "./feed-body.js";
import { allOf, contentOf, type Ingredients, lastModifiedAt, positionOf } from "./ingredients.js";
import type { Question } from "./question.js";
import { withRevisions } from "./revisions.js";
import { runOperation, validUntilOf } from "./run-operation.js";

/** Prepared answers by their CORS headers, then by their encoding or, for a 304, their ETag. */
export type SentAnswers = WeakMap<object, Map<string, Answer>>;

/** An answer that any caller may receive, with its validity. */
export interface ReadyAnswer {
  readonly body: Representation;
  /** The headers that describe the body, whatever its encoding. */
  readonly bodyHeaders: Answer["headers"];
  readonly nextCursor?: DescribedBody["nextCursor"];
  /** Generations and states of all inputs. An answer with a different stamp is out of date. */
  readonly stamp: string;
  /** Time until which the answer is valid, epoch ms. */
  readonly validUntil: number;
  /**
   * Time until which shared caches may keep the answer, epoch ms. It ignores when on-demand reads expire, because the
   * cache tier of their operation alone limits their answers.
   */
  readonly cacheableUntil: number;
  /** True if the body itself reports missing data. */
  readonly hasMarker: boolean;
  readonly sent: SentAnswers;
}

export interface ReadyAnswerParts extends DeltaParts, BodyParts {
  /**
   * Version of the service. It is part of every ETag, because another version may answer differently from the same
   * snapshots.
   */
  readonly version: string;
  /** Origin at which callers reach this service, such as `https://vigil.example`; used in feeds. */
  readonly origin: string;
  /** Reads earlier versions of rows, for datasets that keep them. */
  readonly revisions: RevisionReader;
}

/** The state of an answer's data, as a feed reports it. */
function situationOf({ origin, simulated }: ReadyAnswerParts, { snapshots, now }: Ingredients): FeedSituation {
  return {
    origin,
    isSimulated: simulated,
    state: worstState(Object.values(snapshots)),
    updatedAt: lastModifiedAt(snapshots) ?? now,
  };
}

/** Time for which an explanation is cached. It is short, because the reasons in an explanation depend on the clock. */
const EXPLAINED_MS = MINUTE_MS;

/**
 * Runs the operation and serialises its answer. The work of a projection is charged to `worker`: an account, a key or a
 * block of IP addresses. Rejects when `signal` is aborted.
 */
export async function readyAnswer(
  parts: ReadyAnswerParts,
  gathered: Ingredients,
  stamp: string,
  worker: string,
  signal: AbortSignal,
): Promise<ReadyAnswer> {
  const ingredients = await withRevisions(parts.revisions, gathered);
  const { question, observations, now } = ingredients;
  const { query, key } = question;
  const { operation } = question.registered;
  const { explained } = query;
  const { value, validUntil, content } = await (explained
    ? explainedValue(parts, ingredients, explained, worker)
    : answerValue(parts, ingredients, silentTally, worker));
  const {
    bytes,
    headers: bodyHeaders,
    ...about
  } = await answerBody(parts, question, value, {
    worker,
    signal,
    situation: situationOf(parts, ingredients),
  });
  const hasMarker = hasDegradedMarker(value);
  const tag =
    isWhole(ingredients) && !hasMarker
      ? tagOf([parts.version, key, content, ...unstoredInputs(parts, question, validUntil, bytes)])
      : undefined;
  // If the operation depends on the time (it declares `validUntil`), an answer that reports missing data may contain
  // the current time, so it is valid for that instant only.
  const isOfNow = hasMarker && operation.validUntil !== undefined;
  const cacheableUntil = explained ? Math.min(validUntil, now + EXPLAINED_MS) : validUntil;
  const expiry = Math.min(
    cacheableUntil,
    ...(isOfNow ? [now + 1] : []),
    ...allOf(observations).map(({ expiresAt }) => expiresAt),
  );
  const body = representation(bytes, tag);
  return { body, bodyHeaders, ...about, stamp, validUntil: expiry, cacheableUntil, hasMarker, sent: new WeakMap() };
}

/** The value with its explanation as an additional member. */
async function explainedValue(
  parts: ReadyAnswerParts,
  ingredients: Ingredients,
  query: ExplainedQuery,
  worker: string,
): Promise<AnswerValue> {
  const tally = countingTally(ingredients.question.registered.operation.list?.identity);
  const answer = await answerValue(parts, ingredients, tally, worker);
  const loadedOf: LoadedOf = (dataset, generation) => parts.registry.loaded(dataset, generation);
  const explain = await explanationOf(query, ingredients, tally, loadedOf);
  // The cast is safe, because the answer of every operation that takes `explain` is an object.
  return { ...answer, value: { ...(answer.value as object), explain } };
}

/**
 * Returns the changes since the generations in `since_generation`. Returns the whole answer if the parameter is missing
 * or the changes are unknown.
 */
async function answerValue(
  parts: ReadyAnswerParts,
  ingredients: Ingredients,
  tally: RowTally,
  caller: string,
): Promise<AnswerValue> {
  const { since } = ingredients.question;
  const delta = since && (await deltaValue(parts, ingredients, since, { caller, tally }));
  return delta ?? wholeValue(parts, ingredients, tally);
}

function wholeValue(parts: ReadyAnswerParts, ingredients: Ingredients, tally: RowTally): AnswerValue {
  const { question, snapshots } = ingredients;
  const { registered, query } = question;
  const paginate = paginator(parts.cursors, registered, query, positionOf(question, snapshots));
  return {
    value: runOperation(parts, ingredients, { paginate, tally }),
    validUntil: validUntilOf(ingredients),
    content: contentOf(registered.operation, snapshots),
  };
}

/** True if every snapshot is available and no read of an upstream failed. */
function isWhole({ snapshots, observations }: Ingredients): boolean {
  return (
    allOf(observations).every(({ state }) => state !== "error") &&
    Object.values(snapshots).every(({ available }) => available)
  );
}

/**
 * The parts of an ETag that the snapshots do not determine. Usually, these are the time until which the answer is valid
 * and the values of the operation's settings. For three kinds of answers, a hash of the body takes their place: answers
 * with data read from an upstream for the request, because that data has no generation; explanations, because they also
 * depend on failed runs; and feeds, because they report the state of their data.
 */
function unstoredInputs(
  { settingOf }: ReadyAnswerParts,
  { registered, query, format }: Question,
  validUntil: number,
  body: Buffer,
): readonly string[] {
  const { fetches, settings = [] } = registered.operation;
  const isHashed = fetches !== undefined || query.explained !== undefined || isFeedFormat(format);
  if (isHashed) return [createHash("sha256").update(body).digest("base64url")];
  return [String(validUntil), ...settings.map((setting) => JSON.stringify([setting.name, settingOf(setting)]))];
}
