import type { Kysely, Transaction } from "kysely";
import type { PartStatus } from "../../contract/snapshot.js";
import { packedText, plainText } from "../../database/packed-text.js";
import type { Database, DatasetRunRow } from "../../database/schema.js";
import { mapValues } from "../../kit/map-values.js";
import type { DatasetStatus } from "../generation.js";
import type { StoredPartStatus } from "../provenance.js";

/** A finished run of a dataset, with its results. */
export interface RecordedRun {
  readonly dataset: string;
  /** 1, 2, 3, … in the order of the runs; retention removed the runs whose numbers are missing. */
  readonly run: number;
  /** Epoch ms. */
  readonly at: number;
  /** Newest generation after the run; 0 if there was none yet. */
  readonly generation: number;
  /**
   * The result and the states of the parts. Undefined if they cannot be read, or if an earlier version made the run and
   * did not record them.
   */
  readonly status: DatasetStatus | undefined;
}

/** The run that determines the state of a dataset at an instant. */
export interface RunAt {
  /** The latest kept run at or before the instant; undefined if there is none. */
  readonly run: RecordedRun | undefined;
  /** True if runs between `run` and the instant may have been removed. */
  readonly isThinned: boolean;
  /** Time of the oldest kept run, epoch ms; undefined if there is none. */
  readonly keptFrom: number | undefined;
}

/** Records a run in the transaction that stores its result. The caller has locked the dataset. */
export async function appendRun(
  transaction: Transaction<Database>,
  { dataset, ...status }: DatasetStatus,
  generation: number,
): Promise<void> {
  const last = await transaction
    .selectFrom("dataset_run")
    .select("run")
    .where("dataset", "=", dataset)
    .orderBy("run", "desc")
    .limit(1)
    .executeTakeFirst();
  await transaction
    .insertInto("dataset_run")
    .values({
      dataset,
      run: Number(last?.run ?? 0) + 1,
      at: status.attemptedAt,
      generation,
      outcome: status.outcome,
      checked_at: status.checkedAt,
      status: packedText(JSON.stringify({ ...status, parts: mapValues(status.parts, shownStatus) })),
    })
    .execute();
}

/** Returns the state of a part without the members that only the next run needs. */
function shownStatus({ state, confirmedAt, error, passedOver, lacking }: StoredPartStatus): PartStatus {
  return {
    state,
    confirmedAt,
    error,
    ...(passedOver !== undefined && { passedOver }),
    ...(lacking !== undefined && { lacking }),
  };
}

/** Finds the run that determines the state of a dataset at an instant. Reads a few rows through an index. */
export async function runAt(db: Kysely<Database>, dataset: string, at: number): Promise<RunAt> {
  const runs = db.selectFrom("dataset_run").where("dataset", "=", dataset);
  const [row, next, oldest] = await Promise.all([
    runs.selectAll().where("at", "<=", at).orderBy("at", "desc").orderBy("run", "desc").limit(1).executeTakeFirst(),
    runs.select("run").where("at", ">", at).orderBy("at").orderBy("run").limit(1).executeTakeFirst(),
    runs.select(["at", "run"]).orderBy("at").orderBy("run").limit(1).executeTakeFirst(),
  ]);
  const run = row && recordedRun(row);
  // Runs are numbered from 1, so a higher first number shows that runs were removed.
  const isThinned = next !== undefined && Number(next.run) > (run?.run ?? 0) + 1;
  return { run, isThinned, keptFrom: oldest?.at };
}

export function recordedRun({ dataset, run, at, generation, status }: DatasetRunRow): RecordedRun {
  return { dataset, run, at, generation, status: statusIn(dataset, status) };
}

/** Parses a stored status; undefined if it is damaged or from an earlier version. */
function statusIn(dataset: string, stored: string): DatasetStatus | undefined {
  if (stored === "") return undefined;
  try {
    // The cast is safe, because `appendRun` wrote the column.
    return { dataset, ...(JSON.parse(plainText(stored)) as Omit<DatasetStatus, "dataset">) };
  } catch {
    return undefined;
  }
}
