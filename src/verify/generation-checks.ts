import type { Kysely } from "kysely";
import type { AnyDataset } from "../contract/product.js";
import type { Database } from "../database/schema.js";
import type { PartRecords } from "../snapshots/bodies/body.js";
import { identitiesOf } from "../snapshots/changes/row-changes.js";
import type { Generation } from "../snapshots/generation.js";
import { changedRows } from "./changed-rows.js";
import { Skipped } from "./check.js";
import type { CheckRun, Recomputation } from "./check-tally.js";
import { newestOf } from "./checks/newest.js";
import type { HeldGeneration } from "./held-generations.js";

/** A generation with its stored records. */
export interface GenerationRecords {
  readonly generation: Generation;
  readonly records: PartRecords;
}

const everyGeneration = { subject: "every generation", place: "" };
const description = { what: "record counts and the newest observation" };
const changes = { what: "rows added, changed and removed since the previous generation" };

/** The name of the dataset's family or, if it has no family, of the dataset itself. */
export function subjectOf({ name, family }: AnyDataset): string {
  return family?.name ?? name;
}

/** Checks the record counts and the newest observation that are stored with a generation. */
export function descriptionCheck({ dataset, generation, stored }: HeldGeneration, records: PartRecords): CheckRun {
  const newest = newestOf[subjectOf(dataset)];
  return {
    ...everyGeneration,
    check: description,
    async recompute() {
      const recordCounts = Object.fromEntries(Object.entries(records).map(([part, rows]) => [part, rows.length]));
      const expected = { recordCounts, ...(newest && { newestAt: newest(stored) }) };
      return { expected, served: generation };
    },
  };
}

/**
 * Checks the counts of changed rows in the served history of a dataset. `before` is the generation that was checked
 * before `own`, and may belong to another dataset.
 */
export function changesCheck(
  db: Kysely<Database>,
  dataset: AnyDataset,
  before: GenerationRecords | undefined,
  own: GenerationRecords,
): CheckRun {
  return { ...everyGeneration, check: changes, recompute: () => recomputedChanges(db, dataset, before, own) };
}

/**
 * Recomputes the counts of changed rows. Returns undefined for the first generation and for one whose changes are
 * unknown, and `Skipped` if the previous generation is gone.
 */
async function recomputedChanges(
  db: Kysely<Database>,
  dataset: AnyDataset,
  before: GenerationRecords | undefined,
  { generation, records }: GenerationRecords,
): Promise<Recomputation | undefined> {
  const row = await db
    .selectFrom("snapshot")
    .select("changes")
    .where("dataset", "=", dataset.name)
    .where("generation", "=", generation.generation)
    .executeTakeFirst();
  if (typeof row?.changes !== "string") return undefined;
  const { dataset: name, generation: number } = before?.generation ?? {};
  if (!before || name !== dataset.name || number !== generation.generation - 1) {
    return new Skipped("the previous generation is gone");
  }
  return { expected: changedRows(before.records, records, identitiesOf(dataset)), served: JSON.parse(row.changes) };
}
