import { type AnyOnDemand, sourcesOf } from "../../contract/on-demand.js";
import type { RegisteredOperation } from "../../contract/operation.js";
import type { AnyDataset } from "../../contract/product.js";
import type { ReadSetting } from "../../contract/setting.js";
import type { UnavailableSnapshot } from "../../contract/snapshot.js";
import type { AnySource } from "../../contract/source.js";
import { readQuery } from "../../http/query.js";

/** One planned read of a source. */
export interface PlannedQuestion {
  /** The dataset part or on-demand read that the plan belongs to. */
  readonly part: string;
  readonly source: AnySource;
  readonly plan: unknown;
}

interface QuestionParts {
  readonly datasets: readonly AnyDataset[];
  readonly operations: readonly RegisteredOperation[];
  readonly now: number;
  readonly settingOf: ReadSetting;
}

/** Plans the reads for a first build of every dataset, and for the examples of every operation with on-demand reads. */
export function plannedQuestions({ datasets, operations, now, settingOf }: QuestionParts): readonly PlannedQuestion[] {
  const collections = datasets.filter((dataset) => dataset.kind === "collection");
  const ofDatasets = collections.flatMap((dataset) =>
    Object.entries(dataset.parts).flatMap(([name, part]) => {
      const plan = part.plan({ kept: [], memory: part.memory?.initial, now, settingOf });
      return part.sources.map((source) => ({ part: `${dataset.name} ${name}`, source, plan }));
    }),
  );
  const onDemand = operations.flatMap((registered) => {
    const reads = Object.values((registered.operation.fetches ?? {}) as Readonly<Record<string, AnyOnDemand<never>>>);
    return reads.flatMap((read) =>
      plansOf(registered, read, now, settingOf).flatMap((plan) =>
        sourcesOf(read).map((source) => ({ part: read.name, source, plan })),
      ),
    );
  });
  return [...ofDatasets, ...onDemand].filter(
    ({ source, plan }) => plan !== undefined && (source.answers?.(plan) ?? true),
  );
}

/**
 * The plans of a read for the examples of its operation. No snapshots are available here, so a plan that depends on
 * them may be undefined.
 */
function plansOf(
  { operation }: RegisteredOperation,
  read: AnyOnDemand<never>,
  now: number,
  settingOf: ReadSetting,
): readonly unknown[] {
  const snapshots = new Proxy<Record<string, UnavailableSnapshot>>({}, { get: () => nothingStored });
  return operation.examples.flatMap((example) => {
    // The cast is safe, because `readQuery` parses the query with this operation's own fields, so the values have the
    // type that the plans expect.
    const values = readQuery(operation, new URLSearchParams(example).toString(), now).values as never;
    if ("plans" in read) return read.plans(values);
    return "planFrom" in read ? [read.planFrom(values, { snapshots, now, settingOf })] : [read.plan(values)];
  });
}

const nothingStored: UnavailableSnapshot = {
  available: false,
  state: "absent",
  reason: "not built yet",
  attempt: null,
};
