import type { AnyDataset } from "../../contract/product.js";
import type { RevisedRows, Revision } from "../../contract/revisions.js";
import { ClockPace, type LoopTurns } from "../../kit/loop-turns.js";
import type { PartRecords } from "../bodies/body.js";
import { type ChangedRows, identitiesOf, type RowChange, rowChangeSteps } from "./row-changes.js";

/** The inputs for comparing a build with the previous generation. */
export interface Comparison {
  readonly dataset: AnyDataset;
  /** A stored generation whose records are in memory. If it is the previous generation, the store need not be read. */
  readonly before: { readonly contentHash: string; readonly records: PartRecords } | undefined;
}

/** The differences between a build and the previous generation. */
export interface GenerationChanges {
  readonly counts: ChangedRows;
  /**
   * The changed and removed rows as they were before, and the keys of the added rows. Undefined if there are too many
   * of these rows, or if the dataset does not keep its former rows.
   */
  readonly revised: Revision["parts"] | undefined;
}

/**
 * Maximum number of former and added rows recorded for one generation. A generation with more is treated as a new
 * series, for example one with a new base year.
 */
const FORMER_ROWS_MAX = 2_000;

/** Compares a build with the previous generation, in short steps that let the event loop do other work in between. */
export async function generationChanges(
  before: PartRecords,
  after: PartRecords,
  dataset: AnyDataset | undefined,
  turns: LoopTurns,
): Promise<GenerationChanges> {
  const former = dataset?.keepsFormerRows ? new FormerRows() : undefined;
  const pace = new ClockPace();
  const identities = dataset ? identitiesOf(dataset) : {};
  const steps = rowChangeSteps({ before, after, identities }, pace, (change) => former?.keep(change));
  const counts = await turns.run(steps, pace);
  return { counts, revised: former?.parts };
}

/** Collects the former rows of a comparison. */
class FormerRows {
  private readonly collected = new Map<string, { added: string[]; former: Record<string, unknown> }>();
  private count = 0;

  keep({ part, kind, key, before }: RowChange): void {
    this.count += 1;
    if (this.count > FORMER_ROWS_MAX) return;
    let rows = this.collected.get(part);
    if (!rows) {
      rows = { added: [], former: {} };
      this.collected.set(part, rows);
    }
    if (kind === "added") rows.added.push(key);
    else rows.former[key] = before;
  }

  get parts(): Readonly<Record<string, RevisedRows>> | undefined {
    return this.count > FORMER_ROWS_MAX ? undefined : Object.fromEntries(this.collected);
  }
}
