import type { StoredRows } from "../../../../contract/stored-answers.js";
import { sameJson } from "../../../../kit/same-json.js";
import { boundedValues } from "../firing/bounded-value.js";
import { firedRows } from "../firing/fired-rows.js";
import { generationsOf } from "../firing/generations.js";
import type { FiringContent } from "../firing/new-firing.js";
import { PARTIAL_BASELINES_MAX } from "../limits.js";
import { type Content, isLacking, type Lacking } from "./answer-content.js";
import { contentAt, contentOfPlace } from "./content.js";
import { knownRows } from "./known-rows.js";
import { type AnswerPlace, lastAnswer, standingsOf } from "./memory.js";
import { evaluated, failed, GONE, type MemoryChanges, type Outcome, type Situation, WAITS } from "./outcome.js";
import { rowChanges } from "./row-changes.js";
import { kindOf } from "./value-kind.js";

/** The current content, with the contents of the earlier answers that it is compared with. */
interface Comparison {
  readonly current: Content;
  readonly here: AnswerPlace;
  /** Oldest first: the last complete answer, then degraded ones. */
  readonly earlier: readonly { readonly place: AnswerPlace; readonly content: Content }[];
}

/** Fires for new rows (NEW_ROWS), or for all changes of the rows or of the value (CHANGED). */
export async function evaluateRows(situation: Situation): Promise<Outcome> {
  const { watch, moment, watched } = situation;
  const current = await contentAt(watch, moment, watched);
  if (isLacking(current)) return current === "gone" ? GONE : failed(current.error);
  if (watch.on === "WATCH_ON_NEW_ROWS" && !current.rows) return failed(rowsMissing(situation, current));
  const here: AnswerPlace = { standings: standingsOf(moment.standings), at: moment.at };
  const earlier = await earlierContents(situation);
  if (earlier === "gone") return restarted(situation, current, here);
  if ("error" in earlier) return failed(earlier.error);
  const comparison: Comparison = { current, here, earlier };
  const lists = [...earlier.map(({ content }) => content), current].map(({ rows }) => rows);
  return lists.includes(undefined) ? compareValues(situation, comparison) : await compareRows(situation, comparison);
}

function rowsMissing({ watch }: Situation, { value }: Content): string {
  return watch.condition === undefined
    ? "The call has no list of rows"
    : `The condition must yield an array, but yields ${kindOf(value)}`;
}

async function earlierContents({ watch, memory, watched }: Situation): Promise<Comparison["earlier"] | Lacking> {
  const places = [...(memory.baseline ? [memory.baseline] : []), ...memory.partialBaselines];
  const contents: { readonly place: AnswerPlace; readonly content: Content }[] = [];
  for (const place of places) {
    const content = await contentOfPlace(watch, place, watched);
    if (isLacking(content)) return content;
    contents.push({ place, content });
  }
  return contents;
}

/** Starts over, because the earlier rows can no longer be computed. */
function restarted({ memory, state }: Situation, current: Content, here: AnswerPlace): Outcome {
  const memoryChanges: MemoryChanges =
    state === "ok" ? { baseline: here, partialBaselines: [] } : { baseline: null, partialBaselines: [here] };
  const earlier = lastAnswer(memory);
  const notice: FiringContent = {
    kind: "WATCH_FIRING_KIND_NOTICE",
    ...(earlier && { previousGenerations: generationsOf(earlier) }),
    message:
      "The generations that the watch compares with are no longer kept. The watch starts over with the present answer; changes in between are not reported.",
  };
  return evaluated({ ...memoryChanges, collisions: collisionsOf(current) }, [notice]);
}

/** Fires for changes of rows. Only a complete answer can show that rows are gone. */
async function compareRows(
  { watch, memory, state, watched }: Situation,
  { current, here, earlier }: Comparison,
): Promise<Outcome> {
  const { turns } = watched;
  const [isChanged, isOk] = [watch.on === "WATCH_ON_CHANGED", state === "ok"];
  // The casts are safe, because `evaluateRows` calls this function only if every content has rows.
  const list = current.rows as StoredRows;
  const lists = earlier.map(({ content }) => content.rows as StoredRows);
  const isFirst = lists.length === 0;
  const earlierRows = await knownRows(lists, isChanged, turns);
  const changes = isFirst
    ? []
    : await rowChanges(earlierRows.rows, list, { changed: isChanged, removed: isChanged && isOk }, turns);
  const collisions = collisionsOf(current);
  const memoryChanges: MemoryChanges = isOk
    ? { baseline: here, partialBaselines: [], collisions }
    : { partialBaselines: await partialBaselines(), collisions };
  const previous = lastAnswer(memory);
  return evaluated(
    memoryChanges,
    firedRows(changes, watch.grouping).map((rows) => ({
      kind: "WATCH_FIRING_KIND_FIRED",
      ...(previous && { previousGenerations: generationsOf(previous) }),
      ...rows,
    })),
  );

  async function partialBaselines(): Promise<readonly AnswerPlace[]> {
    const places = [...earlier.map(({ place }) => place), here];
    const { needed } = await knownRows([...lists, list], isChanged, turns);
    const isKept = (place: AnswerPlace, index: number): boolean => place !== memory.baseline && needed.has(index);
    const kept = places.filter(isKept).slice(-PARTIAL_BASELINES_MAX);
    // Without any baseline, the next answer would be treated as the first.
    return kept.length === 0 && memory.baseline === null ? [here] : kept;
  }
}

/** Fires when a value changes. A degraded answer is skipped, because part of its value may be missing. */
function compareValues({ state }: Situation, { current, here, earlier }: Comparison): Outcome {
  if (state !== "ok") return WAITS;
  const memoryChanges: MemoryChanges = { baseline: here, partialBaselines: [], collisions: collisionsOf(current) };
  const previous = earlier.at(-1);
  if (!previous || sameJson(previous.content.value, current.value)) return evaluated(memoryChanges);
  return evaluated(memoryChanges, [
    {
      kind: "WATCH_FIRING_KIND_FIRED",
      previousGenerations: generationsOf(previous.place),
      ...boundedValues(previous.content.value, current.value),
    },
  ]);
}

function collisionsOf({ rows }: Content): number {
  return rows?.collisions ?? 0;
}
