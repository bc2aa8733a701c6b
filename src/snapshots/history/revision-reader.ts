import type { Kysely } from "kysely";
import type { Revision, Revisions } from "../../contract/revisions.js";
import { plainText } from "../../database/packed-text.js";
import type { Database } from "../../database/schema.js";
import { ClockPace, type LoopTurns, type Steps } from "../../kit/loop-turns.js";

/** Reads the former rows of datasets that keep them: the rows that later generations changed or removed. */
export interface RevisionReader {
  /**
   * Returns the record of former rows up to a generation. Costs one small read of the store for each new generation of
   * a dataset.
   */
  upTo(dataset: string, generation: { readonly generation: number; readonly builtAt: number }): Promise<Revisions>;
}

/** A recorded generation. Without `parts`, it marks the start of the record. */
interface Recorded {
  readonly generation: number;
  readonly at: number;
  readonly parts: Revision["parts"] | undefined;
}

/** The record of one dataset in memory, oldest first. */
interface Held {
  readonly recorded: readonly Recorded[];
  /** The record has been read up to this generation. */
  readonly upTo: number;
}

/**
 * Maximum number of former rows of one dataset in memory; each row takes a few hundred bytes, and a few microseconds
 * per answer. If there are more rows, the record starts later.
 */
const ROWS_MAX = 5_000;
/** Number of generations per read. */
const READ_AT_ONCE = 50;

export function revisionReader(db: Kysely<Database>, turns: LoopTurns, rowsMax = ROWS_MAX): RevisionReader {
  // This map stays small: it has one entry for each declared dataset that keeps its former rows.
  const held = new Map<string, Promise<Held>>();

  /** Reads the recorded generations after `after` up to `upTo`, newest first, as many as the memory limit allows. */
  async function readAfter(dataset: string, after: number, upTo: number): Promise<readonly Recorded[]> {
    const newestFirst: Recorded[] = [];
    let [before, rows] = [upTo + 1, 0];
    for (;;) {
      const chunk = await db
        .selectFrom("row_revision")
        .select(["generation", "at", "rows"])
        .where("dataset", "=", dataset)
        .where("generation", ">", after)
        .where("generation", "<", before)
        .orderBy("generation", "desc")
        .limit(READ_AT_ONCE)
        .execute();
      const pace = new ClockPace();
      for (const recorded of await turns.run(recordedSteps(chunk, pace), pace)) {
        rows += rowCount(recorded);
        newestFirst.push(recorded);
      }
      before = chunk.at(-1)?.generation ?? before;
      if (chunk.length < READ_AT_ONCE || rows > rowsMax) return newestFirst;
    }
  }

  async function extended(dataset: string, before: Held | undefined, upTo: number): Promise<Held> {
    if (before && before.upTo >= upTo) return before;
    const fresh = await readAfter(dataset, before?.upTo ?? 0, upTo);
    return { recorded: bounded([...(before?.recorded ?? []), ...fresh.toReversed()], rowsMax), upTo };
  }

  return {
    async upTo(dataset, { generation, builtAt }) {
      const previous = held.get(dataset);
      const loading = (previous ?? Promise.resolve(undefined))
        .catch(() => undefined)
        .then((before) => extended(dataset, before, generation));
      held.set(dataset, loading);
      const { recorded } = await loading;
      return revisionsIn(
        recorded.filter((revision) => revision.generation <= generation),
        { generation, at: builtAt },
      );
    },
  };
}

interface StoredRevision {
  readonly generation: number;
  readonly at: number;
  readonly rows: string;
}

function* recordedSteps(stored: readonly StoredRevision[], pace: ClockPace): Steps<readonly Recorded[]> {
  const all: Recorded[] = [];
  for (const { generation, at, rows } of stored) {
    all.push({ generation, at, parts: partsIn(rows) });
    if (pace.isOver) yield;
  }
  return all;
}

/** Parses stored former rows. Returns undefined if the record starts with this generation or the text is damaged. */
function partsIn(rows: string): Revision["parts"] | undefined {
  if (rows === "") return undefined;
  try {
    // The cast is safe, because `appendRevision` wrote the column.
    return JSON.parse(plainText(rows)) as Revision["parts"];
  } catch {
    return undefined;
  }
}

/** Returns the size of a recorded generation in memory, in rows; at least 1. */
function rowCount({ parts = {} }: Recorded): number {
  return Object.values(parts).reduce((sum, { added, former }) => sum + added.length + Object.keys(former).length, 1);
}

/**
 * Returns the latest recorded generations within the limit. If the limit is exceeded, the newest generation that does
 * not fit is kept without its rows, as the start of the record.
 */
function bounded(recorded: readonly Recorded[], rowsMax: number): readonly Recorded[] {
  let rows = 0;
  for (let index = recorded.length - 1; index >= 0; index -= 1) {
    const oldest = recorded[index] as Recorded;
    rows += rowCount(oldest);
    if (rows > rowsMax) return [{ ...oldest, parts: undefined }, ...recorded.slice(index + 1)];
  }
  return recorded;
}

/**
 * Returns the revisions after the latest start of the record. If no start is in memory, returns no revisions, and the
 * record starts at `own`, the generation that the caller reads.
 */
function revisionsIn(recorded: readonly Recorded[], own: Revisions["begin"]): Revisions {
  const index = recorded.findLastIndex(({ parts }) => parts === undefined);
  const begin = recorded[index];
  if (!begin) return { begin: own, revisions: [] };
  const revisions = recorded
    .slice(index + 1)
    .flatMap(({ generation, at, parts }) => (parts ? [{ generation, at, parts }] : []));
  return { begin: { generation: begin.generation, at: begin.at }, revisions };
}
