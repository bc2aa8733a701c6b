import type { Kysely } from "kysely";
import type { Database, DatasetRunRow, SnapshotRow } from "../../database/schema.js";
import { ClockPace, type LoopTurns, type Steps } from "../../kit/loop-turns.js";
import type { ChangedRows } from "../changes/row-changes.js";
import type { Generation } from "../generation.js";
import { generationOf } from "../rows.js";
import { AvailabilityTally, type DayAvailability } from "./availability.js";
import { recordedRun } from "./run-history.js";

/** A period, epoch ms, both ends included. */
export interface HistoryRange {
  readonly from: number;
  readonly to: number;
}

/** The position of an entry in the history, which is sorted by time, then rank, then number, highest first. */
export type Place = readonly [at: number, rank: number, number: number];

/** A kept generation. */
export interface GenerationEntry {
  readonly kind: "generation";
  readonly place: Place;
  readonly generation: Generation;
  /** The changes from the previous generation; undefined if they are unknown or there is no previous generation. */
  readonly changes: ChangedRows | undefined;
}

/** A kept run that neither published nor confirmed anything. */
export interface FailedRunEntry {
  readonly kind: "failed-run";
  readonly place: Place;
  readonly run: number;
  readonly outcome: string;
  /** The error of the run; undefined if its status is damaged or was not recorded. */
  readonly error: string | null | undefined;
  /** The generation served at that time; 0 for none. */
  readonly generation: number;
}

export type HistoryEntry = GenerationEntry | FailedRunEntry;

/** The history of datasets, as kept in the store. */
export interface DatasetHistory {
  /** The first `max` entries within a range, newest first. Begins after the position `after`, if it is given. */
  entries(dataset: string, selection: WantedEntries): Promise<readonly HistoryEntry[]>;
  /** The positions of the first `max` generations within a range, selected and ordered like `entries`. */
  generations(dataset: string, selection: WantedEntries): Promise<readonly Place[]>;
  /** The availability of each UTC day of a range that begins at the start of a day. */
  availability(dataset: string, range: HistoryRange, staleAfterMs: number): Promise<readonly DayAvailability[]>;
}

interface WantedEntries {
  readonly range: HistoryRange;
  readonly after: Place | undefined;
  readonly max: number;
}

const RANK = { generation: 2, failed: 1, unconfigured: 0 } as const;
/** Number of runs per read. A read takes a few milliseconds and, on SQLite, blocks the event loop during that time. */
const RUNS_AT_ONCE = 2_000;

export function datasetHistory(db: Kysely<Database>, turns: LoopTurns): DatasetHistory {
  /** Selects the generations of a dataset that are within a range and follow a position in the history. */
  function snapshotsIn(dataset: string, { range, after, max }: WantedEntries) {
    const bound = boundOf(range, after, RANK.generation);
    return db
      .selectFrom("snapshot")
      .where("dataset", "=", dataset)
      .where("built_at", ">=", range.from)
      .where(({ eb, or, and }) =>
        or([eb("built_at", "<", bound.at), and([eb("built_at", "=", bound.at), eb("generation", "<", bound.number)])]),
      )
      .orderBy("built_at", "desc")
      .orderBy("generation", "desc")
      .limit(max);
  }

  function failedRuns(
    dataset: string,
    outcome: "failed" | "unconfigured",
    { range, after, max }: WantedEntries,
  ): Promise<readonly DatasetRunRow[]> {
    const bound = boundOf(range, after, RANK[outcome]);
    return db
      .selectFrom("dataset_run")
      .selectAll()
      .where("dataset", "=", dataset)
      .where("outcome", "=", outcome)
      .where("at", ">=", range.from)
      .where(({ eb, or, and }) =>
        or([eb("at", "<", bound.at), and([eb("at", "=", bound.at), eb("run", "<", bound.number)])]),
      )
      .orderBy("at", "desc")
      .orderBy("run", "desc")
      .limit(max)
      .execute();
  }

  /** Yields the runs that determine the availability within a range, in chunks. */
  async function* runsIn(dataset: string, { from, to }: HistoryRange): AsyncGenerator<readonly StoredRun[], void> {
    const columns = ["run", "at", "outcome", "generation", "checked_at as checkedAt"] as const;
    const runs = db.selectFrom("dataset_run").select(columns).where("dataset", "=", dataset);
    const before = await runs
      .where("at", "<", from)
      .orderBy("at", "desc")
      .orderBy("run", "desc")
      .limit(1)
      .executeTakeFirst();
    if (before) yield [before];
    let last = { at: from, run: 0 };
    for (;;) {
      const { at, run } = last;
      const chunk = await runs
        .where(({ eb, or, and }) => or([eb("at", ">", at), and([eb("at", "=", at), eb("run", ">", run)])]))
        .orderBy("at")
        .orderBy("run")
        .limit(RUNS_AT_ONCE)
        .execute();
      yield chunk;
      const end = chunk.at(-1);
      if (!end || chunk.length < RUNS_AT_ONCE || end.at >= to) return;
      last = end;
    }
  }

  return {
    async entries(dataset, selection) {
      const [snapshots, failed, unconfigured] = await Promise.all([
        snapshotsIn(dataset, selection).selectAll().execute(),
        failedRuns(dataset, "failed", selection),
        failedRuns(dataset, "unconfigured", selection),
      ]);
      const rows = [
        ...snapshots.map((row) => ({ place: placeOfSnapshot(row), row })),
        ...failed.map((row) => ({ place: [row.at, RANK.failed, row.run] as const, row })),
        ...unconfigured.map((row) => ({ place: [row.at, RANK.unconfigured, row.run] as const, row })),
      ];
      const newest = rows.sort((a, b) => comparePlaces(b.place, a.place)).slice(0, selection.max);
      const pace = new ClockPace();
      return turns.run(entrySteps(newest, pace), pace);
    },
    async generations(dataset, selection) {
      const rows = await snapshotsIn(dataset, selection).select(["built_at", "generation"]).execute();
      return rows.map(placeOfSnapshot);
    },
    async availability(dataset, range, staleAfterMs) {
      const tally = new AvailabilityTally({ ...range, staleAfterMs });
      for await (const runs of runsIn(dataset, range)) {
        for (const run of runs) {
          tally.add(run);
          // The first run after the range is added too, because its number shows whether runs before it were removed.
          if (run.at >= range.to) break;
        }
      }
      return tally.result();
    },
  };
}

type StoredRun = Pick<DatasetRunRow, "run" | "at" | "outcome" | "generation"> & { readonly checkedAt: number | null };

function placeOfSnapshot({ built_at, generation }: Pick<SnapshotRow, "built_at" | "generation">): Place {
  return [built_at, RANK.generation, generation];
}

/**
 * Returns the exclusive upper bound for the entries of one rank that are within a range and follow the position `after`
 * in the history. An entry follows a position if its time is earlier. If the times are equal, the lower rank follows.
 * If the ranks are equal too, the lower number follows.
 */
function boundOf({ to }: HistoryRange, after: Place | undefined, rank: number) {
  const [at, rankAfter, number] = after ?? [to + 1, 0, 0];
  if (at > to) return { at: to + 1, number: 0 };
  if (rank === rankAfter) return { at, number };
  return rank < rankAfter ? { at: at + 1, number: 0 } : { at, number: 0 };
}

function comparePlaces(a: Place, b: Place): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

interface StoredEntry {
  readonly place: Place;
  readonly row: SnapshotRow | DatasetRunRow;
}

/** Parses stored entries in steps, because parsing the provenance of one generation can take milliseconds. */
function* entrySteps(stored: readonly StoredEntry[], pace: ClockPace): Steps<readonly HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for (const { place, row } of stored) {
    entries.push("content_hash" in row ? generationEntry(place, row) : failedRunEntry(place, row));
    if (pace.isOver) yield;
  }
  return entries;
}

function generationEntry(place: Place, row: SnapshotRow): GenerationEntry {
  return { kind: "generation", place, generation: generationOf(row), changes: changesIn(row.changes) };
}

function failedRunEntry(place: Place, row: DatasetRunRow): FailedRunEntry {
  const { run, generation, status } = recordedRun(row);
  return { kind: "failed-run", place, run, outcome: row.outcome, error: status?.error, generation };
}

/** Parses stored numbers of changed rows; undefined if they are unknown or damaged. */
function changesIn(stored: string | null): ChangedRows | undefined {
  if (stored === null) return undefined;
  try {
    // The cast is safe, because the store wrote the text.
    return JSON.parse(stored) as ChangedRows;
  } catch {
    return undefined;
  }
}
