import { createHash } from "node:crypto";
import { hasDegradedMarker } from "../../contract/cache-policy.js";
import { failure } from "../../contract/failures.js";
import { countingTally, type RowTally, silentTally } from "../../contract/row-tally.js";
import type { ReadSetting } from "../../contract/setting.js";
import { MINUTE_MS } from "../../kit/clock.js";
import { ClockPace, type LoopTurns } from "../../kit/loop-turns.js";
import type { SnapshotRegistry } from "../../snapshots/registry.js";
import type { Answer } from "../exchange.js";
import type { ExplainedQuery } from "../explained-query.js";
import { jsonBodySteps } from "../json-body.js";
import { type Cursors, paginator } from "../paging.js";
import { type Representation, representation, tagOf } from "../representation.js";
import { explanationOf, type LoadedOf } from "./explanation.js";
import { allOf, contentOf, type Ingredients } from "./ingredients.js";
import type { Question } from "./question.js";

/** Prepared answers by their CORS headers and by encoding or ETag. */
export type SentAnswers = WeakMap<object, Map<string, Answer>>;

/** An answer that any caller may receive, with its validity. */
export interface ReadyAnswer {
  readonly body: Representation;
  /** Generations and states of all inputs. Another stamp means another answer. */
  readonly stamp: string;
  /** Time until which the answer is valid, epoch ms. */
  readonly validUntil: number;
  /** True if the body itself reports missing data. */
  readonly hasMarker: boolean;
  readonly sent: SentAnswers;
}

/** Applies a projection: its bytes, or the sentence of the documented failure. Rejects when `signal` is aborted. */
export type Project = (
  expression: string,
  root: unknown,
  worker: string,
  signal: AbortSignal,
) => Promise<{ readonly body: Buffer } | { readonly error: string; readonly originalKeys: readonly string[] }>;

export interface ReadyAnswerParts {
  readonly project: Project;
  readonly cursors: Cursors;
  readonly settingOf: ReadSetting;
  /** Part of every ETag: another version may answer differently from the same snapshots. */
  readonly version: string;
  /** True if the data is simulated. */
  readonly simulated: boolean;
  /** The event loop turns in which long answers are serialised. */
  readonly turns: LoopTurns;
  readonly registry: SnapshotRegistry;
}

/** Time for which an explanation is kept, because the reasons in it may change with time. */
const EXPLAINED_MS = MINUTE_MS;

/**
 * Runs the operation and serialises its answer. The work of a projection is charged to `worker`, an account or an
 * address. Rejects when `signal` is aborted.
 */
export async function readyAnswer(
  parts: ReadyAnswerParts,
  ingredients: Ingredients,
  stamp: string,
  worker: string,
  signal: AbortSignal,
): Promise<ReadyAnswer> {
  const { question, snapshots, observations, now } = ingredients;
  const { query, key } = question;
  const { operation } = question.registered;
  const validUntil: number = operation.validUntil?.(query.values, snapshots, now) ?? Number.POSITIVE_INFINITY;
  const { explained } = query;
  const value = explained ? await explainedRun(parts, ingredients, explained) : run(parts, ingredients, silentTally);
  const body = await (query.jmespath === undefined
    ? wholeBody(parts, value)
    : projectedBody(parts, query.jmespath, value, worker, signal));
  const hasMarker = hasDegradedMarker(value);
  const tag =
    isWhole(ingredients) && !hasMarker
      ? tagOf([parts.version, key, contentOf(operation, snapshots), momentOf(question, validUntil, body)])
      : undefined;
  // An answer without content has its own time and is valid for that time only.
  const isOfNow = hasMarker && operation.validUntil !== undefined;
  const expiry = Math.min(
    validUntil,
    ...(isOfNow ? [now + 1] : []),
    ...(explained ? [now + EXPLAINED_MS] : []),
    ...allOf(observations).map(({ expiresAt }) => expiresAt),
  );
  return { body: representation(body, tag), stamp, validUntil: expiry, hasMarker, sent: new WeakMap() };
}

/** The answer with its explanation as an additional member. */
async function explainedRun(parts: ReadyAnswerParts, ingredients: Ingredients, query: ExplainedQuery): Promise<object> {
  const tally = countingTally(ingredients.question.registered.operation.list?.identity);
  // The answer of every operation that takes `explain` is an object.
  const answer = run(parts, ingredients, tally) as object;
  const loadedOf: LoadedOf = (dataset, generation) => parts.registry.loaded(dataset, generation);
  return { ...answer, explain: await explanationOf(query, ingredients, tally, loadedOf) };
}

function run({ cursors, simulated, settingOf }: ReadyAnswerParts, ingredients: Ingredients, tally: RowTally): unknown {
  const { question, snapshots, observations } = ingredients;
  const { registered, query } = question;
  const { operation } = registered;
  const now = (): number => {
    if (operation.validUntil) return ingredients.now;
    throw new Error(`${operation.rpc} calls now() but declares no validUntil`);
  };
  const paginate = paginator(cursors, registered, query, positionOf(question, snapshots));
  return operation.run(query.values, snapshots, { observations, simulated, settingOf, now, paginate, tally });
}

function positionOf({ position }: Question, snapshots: Ingredients["snapshots"]) {
  const generations = Object.values(snapshots).map((snapshot) => (snapshot.available ? snapshot.generation : 0));
  return { generations, offset: position?.offset ?? 0 };
}

function wholeBody({ turns }: ReadyAnswerParts, value: unknown): Buffer | Promise<Buffer> {
  const pace = new ClockPace();
  return turns.run(jsonBodySteps(value, pace), pace);
}

async function projectedBody(
  { project }: ReadyAnswerParts,
  expression: string,
  value: unknown,
  worker: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const projection = await project(expression, value, worker, signal);
  if ("error" in projection) throw failure("projection", projection);
  return projection.body;
}

/** True if every required snapshot is available and every upstream answered. */
function isWhole({ snapshots, observations }: Ingredients): boolean {
  return (
    allOf(observations).every(({ state }) => state !== "error") &&
    Object.values(snapshots).every(({ available }) => available)
  );
}

/**
 * The part of an ETag besides the snapshots. An upstream's answer has no generation, and an explanation tells of runs
 * without one, so their content is used.
 */
function momentOf({ registered, query }: Question, validUntil: number, body: Buffer): string {
  const isHashed = registered.operation.fetches !== undefined || query.explained !== undefined;
  return isHashed ? createHash("sha256").update(body).digest("base64url") : String(validUntil);
}
