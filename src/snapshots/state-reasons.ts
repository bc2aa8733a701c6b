import type { AnyDataset } from "../contract/product.js";
import type { Snapshot } from "../contract/snapshot.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../kit/clock.js";
import { isStaleAfterFailure } from "./standing.js";

/** Returns the reasons why a snapshot is not `ok` at `now`, one sentence each; empty if it is `ok`. */
export function stateReasons(dataset: AnyDataset, snapshot: Snapshot<unknown>, now: number): readonly string[] {
  if (!snapshot.available) return [snapshot.reason];
  if (snapshot.state === "ok") return [];
  const { checkedAt, newestAt, attempt, aged = [], parts, newerUnreadable, staleIngredients = [] } = snapshot;
  const { staleAfterMs, contentAgeMaxMs } = dataset;
  const isUnconfirmed = now >= checkedAt + staleAfterMs;
  const isOld = contentAgeMaxMs !== undefined && newestAt !== null && now >= newestAt + contentAgeMaxMs;
  const hasFailed = isStaleAfterFailure(dataset) && attempt !== null && attempt.ended !== "ok";
  return [
    ...(newerUnreadable ? [`generation ${newerUnreadable.generation} is unreadable: ${newerUnreadable.reason}`] : []),
    ...staleIngredients.map((name) => `its ingredient ${name} is stale or cannot be read`),
    ...(isUnconfirmed ? [`not confirmed since ${instant(checkedAt)}; the limit is ${span(staleAfterMs)}`] : []),
    ...(isOld ? [tooOld("the dataset", newestAt, contentAgeMaxMs)] : []),
    ...(hasFailed ? ["the newest build failed"] : []),
    ...aged.map((part) => tooOld(part.part, part.newestAt, part.maxMs)),
    ...Object.entries(parts).flatMap(([name, { state, error }]) =>
      state === "kept" || state === "missing" ? [`${name}: ${state}${error === null ? "" : `, ${error}`}`] : [],
    ),
    ...(snapshot.lacking === undefined ? [] : [snapshot.lacking]),
  ];
}

function tooOld(what: string, newestAt: number, maxMs: number): string {
  return `${what}: the newest observation is from ${instant(newestAt)}; the limit is ${span(maxMs)}`;
}

/** Formats an instant: only the date if it is midnight UTC, otherwise date and time to the minute. */
function instant(at: number): string {
  const iso = new Date(at).toISOString();
  return at % DAY_MS === 0 ? iso.slice(0, 10) : `${iso.slice(0, 16)}Z`;
}

function span(ms: number): string {
  if (ms % DAY_MS === 0 && ms >= 2 * DAY_MS) return `${ms / DAY_MS} days`;
  return ms % HOUR_MS === 0 && ms >= 2 * HOUR_MS ? `${ms / HOUR_MS} hours` : `${Math.round(ms / MINUTE_MS)} minutes`;
}
