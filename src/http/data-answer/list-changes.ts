import { LRUCache } from "lru-cache";
import type { RowChange } from "../../contract/list-delta.js";
import type { Page, Rows } from "../../contract/paging.js";
import { type AnyRowList, identityIn, rowsIn } from "../../contract/row-list.js";
import { type ComparedLists, differenceSteps } from "../../kit/list-difference.js";
import { visitSteps } from "../../kit/list-steps.js";
import type { ClockPace, Steps } from "../../kit/loop-turns.js";

/** The changes between two generations of a list for one query, on all of its pages. */
export interface ListChanges {
  /**
   * First the added and changed rows, in the order of the newer list; then the removed rows, in the order of the older
   * list. After these come further changes of kind `removed`, for rows that the newer list lacks and that the caller
   * may or may not have, depending on when it read the older list.
   */
  readonly changes: readonly RowChange[];
  /** Number of rows in the newer list. */
  readonly rowCount: number;
  readonly addedCount: number;
  readonly removedCount: number;
}

/** All rows of a list. */
interface WholeList {
  readonly rows: readonly unknown[];
  /** True if the rows are known to have distinct identities. */
  readonly isUnique: boolean;
}

/**
 * The older and the newer state of a list. Each function is called once and takes as long as an answer with all rows.
 */
export interface ListEnds {
  readonly list: AnyRowList;
  readonly newer: () => WholeList;
  /**
   * The older list in two forms: as it was served when its generations were new and, for a list that depends on the
   * time, as these generations would serve it now. The caller read its copy of the list between these two times.
   */
  readonly older: readonly (() => WholeList)[];
}

/** Finds the changes between the older and the newer state of a list, one slice at a time. */
export function* changeSteps({ list, newer, older }: ListEnds, pace: ClockPace): Steps<ListChanges> {
  const keyOf = (row: unknown): string => identityIn(list, row);
  const [first, later] = older;
  let base = first?.() ?? noRows;
  yield;
  /** Ids of rows that the caller may or may not have, depending on when it read the list. */
  const ambiguous = new Set<string>();
  if (later !== undefined) {
    const current = later();
    yield;
    const { upserts, removed } = yield* differenceSteps(lists(base, current, keyOf), pace);
    for (const { key } of upserts) ambiguous.add(key);
    for (const key of removed) ambiguous.add(key);
    const passing = new Set(upserts.map(({ index }) => index));
    base = { ...current, rows: current.rows.filter((_, index) => !passing.has(index)) };
  }
  const whole = newer();
  yield;
  const { upserts, removed } = yield* differenceSteps(lists(base, whole, keyOf), pace);
  const changes: RowChange[] = [];
  let addedCount = 0;
  yield* visitSteps(upserts, pace, ({ key, index, isNew }) => {
    ambiguous.delete(key);
    if (isNew) addedCount += 1;
    changes.push({ kind: isNew ? "added" : "changed", id: key, index });
  });
  const upsertCount = changes.length;
  yield* visitSteps(removed, pace, (id) => changes.push({ kind: "removed", id }));
  for (const id of ambiguous) changes.push({ kind: "removed", id });
  return { changes, rowCount: whole.rows.length, addedCount, removedCount: changes.length - upsertCount };
}

const noRows: WholeList = { rows: [], isUnique: true };

function lists(older: WholeList, newer: WholeList, keyOf: (row: unknown) => string): ComparedLists<unknown> {
  return { older: older.rows, newer: newer.rows, keyOf, hasUniqueKeys: older.isUnique && newer.isUnique };
}

/**
 * Returns all rows of a list. `run` must run the operation with the `paginate` that is passed to `run`. An operation
 * with pages passes all its rows to `paginate`.
 */
export function wholeList(list: AnyRowList, run: (paginate: <T>(rows: Rows<T>) => Page<T>) => unknown): WholeList {
  let whole: WholeList | undefined;
  const answer = run((rows) => {
    const isUnique = !("groups" in list) && rows.uniqueText === list.identity;
    whole = { rows: rows.slice(0, rows.length), isUnique };
    // The page stays empty, because only the whole list is used here.
    return { rows: [], pagination: { nextCursor: "", totalCount: rows.length } };
  });
  return whole ?? { rows: rowsIn(list, answer), isUnique: false };
}

/** A cache of list changes, which all pages of a list share. Its size in bytes is bounded. */
export interface ListChangesCache {
  /** Returns the cached changes with this key. If none are valid, runs `compare` once for all concurrent callers. */
  get(key: string, now: number, compare: () => Promise<TimedChanges>): Promise<ListChanges>;
}

interface TimedChanges {
  readonly listChanges: ListChanges;
  /** Epoch ms. */
  readonly validUntil: number;
}

interface Entry {
  readonly comparison: Promise<TimedChanges>;
  /** The changes are valid from this time until `validUntil`, epoch ms. */
  readonly comparedAt: number;
  readonly validUntil: number;
}

/** Estimated memory of a change in bytes, without its id. */
const CHANGE_BYTES = 150;
/** Size in bytes that is assumed for an entry before its changes are known. */
const ENTRY_BYTES = 1_000;

export function listChangesCache(bytesMax: number): ListChangesCache {
  const cache = new LRUCache<string, Entry>({ maxSize: bytesMax });
  return {
    async get(key, now, compare) {
      const cached = cache.get(key);
      if (cached && cached.comparedAt <= now && now < cached.validUntil) return (await cached.comparison).listChanges;
      const comparison = compare();
      const flight: Entry = { comparison, comparedAt: now, validUntil: Number.POSITIVE_INFINITY };
      cache.set(key, flight, { size: ENTRY_BYTES });
      const isCurrent = (): boolean => cache.peek(key) === flight;
      try {
        const { listChanges, validUntil } = await comparison;
        // Changes larger than the cache are not kept.
        if (isCurrent()) cache.set(key, { comparison, comparedAt: now, validUntil }, { size: bytesOf(listChanges) });
        return listChanges;
      } catch (error) {
        if (isCurrent()) cache.delete(key);
        throw error;
      }
    },
  };
}

function bytesOf({ changes }: ListChanges): number {
  return changes.reduce((sum, { id }) => sum + CHANGE_BYTES + 2 * id.length, ENTRY_BYTES);
}
