import type { Principal } from "../../contract/access/principal.js";
import { Failure, failure } from "../../contract/failures.js";
import type { Snapshot } from "../../contract/snapshot.js";
import { type Clock, HOUR_MS, MINUTE_MS } from "../../kit/clock.js";
import { type HistoryGap, HistoryGone, type Past } from "../../snapshots/history/past-snapshots.js";
import type { AnswerCache } from "../answer-cache.js";
import type { Exchange } from "../exchange.js";
import { httpDateText } from "../http-date.js";
import { refusedCursor } from "../paging.js";
import { type Ingredients, noObservations, type Snapshots, stampOf } from "./ingredients.js";
import type { Question } from "./question.js";
import { type ReadyAnswer, type ReadyAnswerParts, readyAnswer } from "./ready-answer.js";

/** A question about the past, with `as_of`. */
export type PastQuestion = Question & { readonly query: { readonly frame: { readonly asOf: number } } };

/** An answer about the past, with the ingredients that its headers need. */
export interface PastAnswer extends ReadyAnswer {
  readonly ingredients: Ingredients;
}

export interface PastAnswerParts extends ReadyAnswerParts {
  readonly clock: Clock;
  readonly past: Past;
  readonly pastCache: AnswerCache<PastAnswer>;
  readonly workerOf: (exchange: Exchange) => string;
}

/** Time for which an answer is cached. It is short, because retention may remove the generations behind the answer. */
const KEPT_MS = MINUTE_MS;
/** The inputs of an answer about the past do not change, so its cache entry needs no stamp. */
const NO_STAMP = "";

export function isOfPast(question: Question): question is PastQuestion {
  return question.query.frame.asOf !== undefined;
}

/** The answer as it was served at the instant `as_of`. */
export function pastAnswer(
  parts: PastAnswerParts,
  exchange: Exchange,
  question: PastQuestion,
): PastAnswer | Promise<PastAnswer> {
  const key = `${question.key}\n${question.query.frame.asOf}`;
  const now = parts.clock.now();
  const make = (signal: AbortSignal): Promise<PastAnswer> =>
    newPastAnswer(parts, parts.workerOf(exchange), question, signal);
  return parts.pastCache.get(key, NO_STAMP, now, make, () => exchange.call.signal);
}

async function newPastAnswer(
  parts: PastAnswerParts,
  caller: string,
  question: PastQuestion,
  signal: AbortSignal,
): Promise<PastAnswer> {
  const { asOf: now } = question.query.frame;
  const { snapshots, gaps } = await snapshotsOf(parts, caller, question);
  const past = { gaps, askedAt: parts.clock.now() };
  const ingredients: Ingredients = { question, snapshots, observations: noObservations, now, past };
  const ready = await readyAnswer(parts, ingredients, stampOf(ingredients), caller, signal).catch((error: unknown) => {
    throw withHistory(error, gaps);
  });
  // The headers do not need the views, which would otherwise stay in memory with the cached answer.
  const headerIngredients = { ...ingredients, snapshots: mapSnapshots(snapshots, withoutView) };
  return { ...ready, stamp: NO_STAMP, validUntil: past.askedAt + KEPT_MS, ingredients: headerIngredients };
}

async function snapshotsOf(
  { past, chargePastRead }: PastAnswerParts,
  caller: string,
  { reads, position, query: { frame } }: PastQuestion,
): Promise<{ readonly snapshots: Snapshots; readonly gaps: readonly HistoryGap[] }> {
  const datasets = reads.map(([, dataset]) => dataset);
  const onRead = (): void => chargePastRead(caller);
  const byName = (inOrder: readonly Snapshot<unknown>[]): Snapshots =>
    Object.fromEntries(reads.map(([name], index) => [name, inOrder[index] as Snapshot<unknown>]));
  try {
    if (!position) {
      const { snapshots, gaps } = await past.at(datasets, frame.asOf, onRead);
      return { snapshots: byName(snapshots), gaps };
    }
    const { snapshots: paged, gaps } = await past.paged(datasets, position.generations, frame.asOf, onRead);
    const missing = paged.indexOf(undefined);
    if (missing >= 0) throw unservedThen(reads[missing]?.[1].name ?? "", position.generations[missing] ?? 0, gaps);
    return { snapshots: byName(paged.filter((snapshot) => snapshot !== undefined)), gaps };
  } catch (error) {
    if (error instanceof HistoryGone) throw failure("historyGone", error);
    throw error;
  }
}

function unservedThen(dataset: string, generation: number, gaps: readonly HistoryGap[]): Error {
  const isThinned = gaps.some((gap) => gap.dataset === dataset);
  const why = isThinned
    ? "a generation that no longer exists; omit the cursor to start again"
    : "a generation that was not served at `as_of`";
  return withHistory(refusedCursor(`belongs to generation ${generation} of ${dataset}, ${why}`), gaps);
}

/**
 * Adds the header `X-Vigil-History` to an error if the history has gaps: with a complete history, the request might
 * have had an answer.
 */
function withHistory<E>(error: E, gaps: readonly HistoryGap[]): E | Failure {
  return error instanceof Failure ? error.withHeaders(historyHeaders(gaps)) : error;
}

function mapSnapshots(snapshots: Snapshots, map: (snapshot: Snapshot<unknown>) => Snapshot<unknown>): Snapshots {
  return Object.fromEntries(Object.entries(snapshots).map(([name, snapshot]) => [name, map(snapshot)]));
}

function withoutView(snapshot: Snapshot<unknown>): Snapshot<unknown> {
  return snapshot.available ? { ...snapshot, view: undefined } : snapshot;
}

/**
 * Headers that an answer about the past has in addition to, or in place of, the usual ones (RFC 7089). If the usual
 * `Cache-Control` (`policy`) is `no-store`, because the answer is degraded or because no answer of the operation may be
 * stored, it stays.
 */
export function pastHeaders(
  { question, now: asOf, past }: Ingredients,
  caller: Principal,
  policy: string,
): Readonly<Record<string, string>> {
  if (past === undefined) return {};
  const timemaps = question.reads.map(
    ([, { name }]) => `</api/datasets/history?name=${encodeURIComponent(name)}>; rel="timemap"`,
  );
  return {
    ...(policy !== "no-store" && { "Cache-Control": cacheControlOf(asOf, past.askedAt, caller) }),
    "Memento-Datetime": httpDateText(asOf),
    ...(timemaps.length > 0 && { Link: timemaps.join(", ") }),
    ...historyHeaders(past.gaps),
  };
}

function historyHeaders(gaps: readonly HistoryGap[]): Readonly<Record<string, string>> {
  return gaps.length === 0 ? {} : { "X-Vigil-History": gaps.map(gapText).join(", ") };
}

/** A gap as an entry of a structured dictionary (RFC 9651), such as `us-cpi;thinned;at=@1795440602`. */
function gapText({ dataset, kind, at }: HistoryGap): string {
  return `${dataset};${kind};at=@${Math.floor(at / 1_000)}`;
}

/**
 * Returns the `Cache-Control` of an answer about the past that caches may store. If `as_of` is at least an hour ago, a
 * cache may serve the answer, because new data does not change it. If `as_of` is more recent, caches must revalidate
 * the answer, because it may lack a run that is still being stored.
 */
function cacheControlOf(asOf: number, askedAt: number, caller: Principal): string {
  const scope = caller.kind === "anonymous" ? "public" : "private";
  return askedAt - asOf < HOUR_MS ? `${scope}, no-cache` : `${scope}, max-age=${HOUR_MS / 1_000}`;
}
