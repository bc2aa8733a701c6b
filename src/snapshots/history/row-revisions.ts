import type { Kysely, Transaction } from "kysely";
import type { Revision } from "../../contract/revisions.js";
import { packedText } from "../../database/packed-text.js";
import type { Database } from "../../database/schema.js";
import type { Generation } from "../generation.js";

/** A generation of a dataset, with its time. */
type Place = Pick<Generation, "dataset" | "generation" | "builtAt">;

/** Stored in place of former rows, to mark the generation at which the record of a dataset starts. */
const BEGIN = "";

/**
 * Records the former rows that a generation replaced, in the transaction that stores the generation. If the rows are
 * unknown or too many, the record starts over with this generation.
 */
export async function appendRevision(
  transaction: Transaction<Database>,
  next: Place,
  before: Place | undefined,
  revised: Revision["parts"] | undefined,
): Promise<void> {
  const isContinued = before !== undefined && revised !== undefined;
  // If an earlier version of the service stored the previous generation, the dataset may have no record yet. The record
  // then starts at the previous generation.
  if (isContinued && !(await hasRecord(transaction, next.dataset))) await insert(transaction, before, BEGIN);
  await insert(transaction, next, isContinued ? packedText(JSON.stringify(revised)) : BEGIN);
}

async function hasRecord(db: Kysely<Database>, dataset: string): Promise<boolean> {
  const rows = db.selectFrom("row_revision").select("generation").where("dataset", "=", dataset).limit(1);
  return (await rows.executeTakeFirst()) !== undefined;
}

async function insert(
  transaction: Transaction<Database>,
  { dataset, generation, builtAt }: Place,
  rows: string,
): Promise<void> {
  await transaction.insertInto("row_revision").values({ dataset, generation, at: builtAt, rows }).execute();
}
