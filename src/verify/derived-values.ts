import type { Kysely } from "kysely";
import type { RegisteredOperation } from "../contract/operation.js";
import type { AnyDataset } from "../contract/product.js";
import type { ReadSetting } from "../contract/setting.js";
import type { Database } from "../database/schema.js";
import type { PartRecords } from "../snapshots/bodies/body.js";
import type { Generation } from "../snapshots/generation.js";
import type { SnapshotStore } from "../snapshots/store.js";
import { answerChecks, datasetChecks } from "./all-checks.js";
import { type AnswerCheck, type DatasetCheck, Skipped } from "./check.js";
import { type CheckRun, checkTally, type DerivedReport, type Recomputation } from "./check-tally.js";
import { changesCheck, descriptionCheck, type GenerationRecords, subjectOf } from "./generation-checks.js";
import {
  type HeldGeneration,
  heldGeneration,
  ingredientsOf,
  type OtherGenerations,
  otherGenerations,
} from "./held-generations.js";
import { recomputedAnswer } from "./recomputed-answer.js";

/** Recomputes the derived values of stored generations, one after another. */
export interface DerivedValues {
  /**
   * Yields a text for each value of a generation that differs from the value computed from the rows. Must be called
   * with the generations of a dataset in order, because each one is compared with the previous one.
   */
  faultsOf(generation: Generation, records: PartRecords): AsyncGenerator<string, void>;
  report(): DerivedReport;
}

export interface DerivedValuesParts {
  readonly datasets: readonly AnyDataset[];
  readonly operations: readonly RegisteredOperation[];
  readonly settingOf: ReadSetting;
  readonly db: Kysely<Database>;
  readonly store: SnapshotStore;
  /** Default: all. */
  readonly checks?: { readonly answers: readonly AnswerCheck[]; readonly datasets: readonly DatasetCheck[] };
}

export function derivedValues(parts: DerivedValuesParts): DerivedValues {
  const checks = parts.checks ?? { answers: answerChecks, datasets: datasetChecks };
  const datasets = new Map(parts.datasets.map((dataset) => [dataset.name, dataset]));
  const operations = new Map(parts.operations.map((own) => [`${own.service}/${own.operation.rpc}`, own]));
  const tally = checkTally();
  const others = otherGenerations(parts, datasets);
  let previous: GenerationRecords | undefined;

  /** The checks of the operations that read the dataset. */
  function* answerRuns(held: HeldGeneration): Generator<CheckRun> {
    for (const check of checks.answers) {
      const { operation: subject } = check;
      const operation = operations.get(subject);
      if (!operation || !readsOf(operation).includes(held.dataset)) continue;
      for (const query of check.queries?.(held.stored) ?? [""]) {
        const place = query === "" ? subject : `${subject}?${query}`;
        const answer = { operation, check, held, query };
        yield { check, subject, place, recompute: () => recomputedAnswer(parts.settingOf, others, answer) };
      }
    }
  }

  return {
    async *faultsOf(generation, records) {
      const dataset = datasets.get(generation.dataset);
      if (!dataset) return tally.skipped(generation.dataset, "this version has no such dataset");
      const held = heldGeneration(dataset, generation, records);
      yield* tally.faultsOf(descriptionCheck(held, records));
      const [before, own] = [previous, { generation, records }];
      previous = own;
      yield* tally.faultsOf(changesCheck(parts.db, dataset, before, own));
      const subject = subjectOf(dataset);
      for (const check of checks.datasets.filter((own) => own.dataset === subject)) {
        const recompute = () => recomputedBuild(check, held, others);
        yield* tally.faultsOf({ check, subject, place: subject, recompute });
      }
      for (const run of answerRuns(held)) yield* tally.faultsOf(run);
    },
    report: tally.report,
  };
}

function readsOf({ operation }: RegisteredOperation): readonly AnyDataset[] {
  return Object.values(operation.reads as Readonly<Record<string, AnyDataset>>);
}

/** Recomputes the values derived when the generation was built. */
async function recomputedBuild(
  check: DatasetCheck,
  { generation, stored }: HeldGeneration,
  others: OtherGenerations,
): Promise<Recomputation> {
  const ingredients = await ingredientsOf(others, generation, check.ingredients ?? []);
  if (ingredients instanceof Skipped) return ingredients;
  const expected = check.recompute(stored, (name) => ingredients.get(name));
  return expected instanceof Skipped ? expected : { expected, served: stored.parts };
}
