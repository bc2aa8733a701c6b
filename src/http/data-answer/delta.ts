import { failure } from "../../contract/failures.js";
import type { ListDelta, RowChange } from "../../contract/list-delta.js";
import type { Page, Rows } from "../../contract/paging.js";
import { type AnyRowList, rowsIn, withRows } from "../../contract/row-list.js";
import { countingTally, type RowTally, silentTally } from "../../contract/row-tally.js";
import type { Snapshot } from "../../contract/snapshot.js";
import { ClockPace, type LoopTurns } from "../../kit/loop-turns.js";
import type { SnapshotRegistry } from "../../snapshots/registry.js";
import { type Cursors, listContext, pageOf } from "../paging.js";
import {
  contentOf,
  generationsOf,
  type Ingredients,
  noObservations,
  nothingServed,
  positionOf,
  type Snapshots,
} from "./ingredients.js";
import { changeSteps, type ListChanges, type ListChangesCache, wholeList } from "./list-changes.js";
import { generationsText } from "./question.js";
import { type RunParts, runOperation, validUntilOf } from "./run-operation.js";
import { type NewestStored, refuseUnserved } from "./unserved-generations.js";

export interface DeltaParts extends RunParts {
  readonly registry: SnapshotRegistry;
  readonly cursors: Cursors;
  /** Compares long lists in slices, over several turns of the event loop. */
  readonly turns: LoopTurns;
  readonly listChanges: ListChangesCache;
  readonly newestStored: NewestStored;
  /** Charges a caller for one generation read from the store. Throws the 429 if the caller has read too many. */
  readonly chargePastRead: (caller: string) => void;
}

interface DeltaContext {
  /** The account, key or address that is charged for reads from the store. */
  readonly caller: string;
  /** Counts the rows of the newer list. */
  readonly tally: RowTally;
}

/** The value of an answer, its expiry, and the version of its content. */
export interface AnswerValue {
  readonly value: unknown;
  /** Epoch ms. */
  readonly validUntil: number;
  /** Version of the content: equal versions produce equal bytes for the same query. */
  readonly content: string;
}

/**
 * The answer with only those rows of its list that changed after the generations `since`, and their kinds of change.
 * Undefined if a dataset is not available, because the changes are then unknown.
 */
export async function deltaValue(
  parts: DeltaParts,
  newer: Ingredients,
  since: readonly number[],
  { caller, tally }: DeltaContext,
): Promise<AnswerValue | undefined> {
  const { question, snapshots, now } = newer;
  const { operation } = question.registered;
  const { list } = operation;
  if (list === undefined) throw new Error(`${operation.rpc} takes since_generation but declares no list`);
  if (!Object.values(snapshots).every(({ available }) => available)) return undefined;
  await refuseUnserved(parts.newestStored, newer, since);
  const older = await olderIngredients(parts, newer, since, caller);
  const validUntil = Math.min(validUntilOf(newer), validUntilOf({ ...older, now }));
  const content = `${contentOf(operation, older.snapshots)} ${contentOf(operation, snapshots)}`;
  // Explained answers have a key of their own, because the rows of some lists then contain explanations.
  const key = `${listContext(question.registered, question.query)}\n${content}\n${tally.isCounting}`;
  const compare = async () => ({ listChanges: await changesBetween(parts, list, older, newer), validUntil });
  const listChanges = await parts.listChanges.get(key, now, compare);
  return { value: withChanges(parts, newer, { list, since, listChanges, tally }), validUntil, content };
}

/**
 * The ingredients of an answer at the time when the last of the generations `since` was built. Throws the 410 for a
 * generation that is no longer kept.
 */
async function olderIngredients(
  { registry, chargePastRead }: DeltaParts,
  { question, snapshots, now }: Ingredients,
  since: readonly number[],
  caller: string,
): Promise<Ingredients> {
  const onRead = (): void => chargePastRead(caller);
  const entries = question.reads.map(async ([name, dataset], index): Promise<[string, Snapshot<unknown>]> => {
    const generation = since[index] ?? 0;
    if (generation === 0) return [name, nothingServed()];
    const newest = snapshots[name] as Snapshot<unknown>;
    const snapshot = await registry.at(dataset, generation, { newest, onRead });
    if (!snapshot) throw failure("generationGone", { dataset: dataset.name, generation });
    return [name, snapshot];
  });
  const older: Snapshots = Object.fromEntries(await Promise.all(entries));
  const builtAt = Object.values(older).flatMap((snapshot) => (snapshot.available ? [snapshot.builtAt] : []));
  const firstAt = builtAt.length === 0 ? now : Math.min(now, Math.max(...builtAt));
  return { question, snapshots: older, observations: noObservations, now: firstAt };
}

async function changesBetween(
  parts: DeltaParts,
  list: AnyRowList,
  older: Ingredients,
  newer: Ingredients,
): Promise<ListChanges> {
  const listOf = (ingredients: Ingredients) => () =>
    wholeList(list, (paginate) => {
      const tally = newer.question.query.explained ? countingTally() : silentTally;
      return runOperation(parts, ingredients, { paginate, tally });
    });
  const later = { ...older, now: newer.now };
  const isTimeless = newer.now < validUntilOf(older);
  const ends = {
    list,
    newer: listOf(newer),
    older: isTimeless ? [listOf(older)] : [listOf(older), listOf(later)],
  };
  const pace = new ClockPace();
  return parts.turns.run(changeSteps(ends, pace), pace);
}

interface ChangedList {
  readonly list: AnyRowList;
  readonly since: readonly number[];
  readonly listChanges: ListChanges;
  readonly tally: RowTally;
}

/** The answer with only the changed rows of its list. If the list has no pages, the answer has all changes. */
function withChanges(parts: DeltaParts, newer: Ingredients, { list, since, listChanges, tally }: ChangedList): unknown {
  const { question, snapshots } = newer;
  const { changes, rowCount, addedCount, removedCount } = listChanges;
  const { registered, query } = question;
  let page: readonly RowChange[] | undefined;
  const paginate = <T>(rows: Rows<T>): Page<T> => {
    const place = pageOf(parts.cursors, registered, query, positionOf(question, snapshots), changes.length);
    page = changes.slice(place.from, place.to);
    return { rows: rowsOf(page, rows), pagination: place.pagination };
  };
  const answer = runOperation(parts, newer, { paginate, tally });
  const delta: ListDelta = {
    since: generationsText(question.reads, since),
    to: generationsOf(question, snapshots),
    rowCount,
    addedCount,
    changedCount: changes.length - addedCount - removedCount,
    removedCount,
    changes: [...(page ?? changes)],
  };
  const changedRows = page ? (answer as object) : withRows(list, answer, rowsOf(changes, rowsIn(list, answer)));
  return { ...changedRows, delta };
}

/** The rows of the newer list that were added or changed. */
function rowsOf<T>(changes: readonly RowChange[], rows: Rows<T>): T[] {
  return changes.flatMap(({ index }) => (index === undefined ? [] : rows.slice(index, index + 1)));
}
