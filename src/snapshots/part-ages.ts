import { type AgeLimit, type ContentAge, isAgeLimit } from "../contract/content-age.js";
import type { AnyDataset } from "../contract/product.js";
import type { AgedPart } from "../contract/snapshot.js";
import type { AnySource } from "../contract/source.js";
import { visitSteps } from "../kit/list-steps.js";
import type { ClockPace, Steps } from "../kit/loop-turns.js";
import type { PartRecords } from "./bodies/body.js";

/** The newest observation of each part, epoch ms; null if no record of the part has a time. */
export type NewestByPart = Readonly<Record<string, number | null>>;

/** Finds the newest observation of each part that has an age limit. */
export function* newestByPart(dataset: AnyDataset, records: PartRecords, pace: ClockPace): Steps<NewestByPart> {
  const newest: Record<string, number | null> = {};
  for (const [name] of limitsOf(dataset)) {
    const dated = datedBy(dataset, name);
    let newestAt: number | null = null;
    yield* visitSteps(records[name] ?? [], pace, (record) => {
      const at = dated?.observedAt(record);
      if (at !== undefined && (newestAt === null || at > newestAt)) newestAt = at;
    });
    newest[name] = newestAt;
  }
  return newest;
}

/**
 * Returns an object that can date the records of a part: the part itself in a product, otherwise its first source. All
 * sources of a part yield the same type of record.
 */
function datedBy(dataset: AnyDataset, part: string): Pick<AnySource, "observedAt"> | undefined {
  return dataset.kind === "product" ? dataset.parts[part] : dataset.parts[part]?.sources[0];
}

/** The ages of a dataset's parts at one time. */
export interface PartAges {
  /** Parts over their age limit, the most overdue first. */
  readonly aged: readonly AgedPart[];
  /** True if some parts have both a limit and observations, and all of these parts are over their limits. */
  readonly isAllAged: boolean;
  /** Epoch ms at which the next part exceeds its limit; infinite if no further part can. */
  readonly nextAt: number;
}

export function agesAt(dataset: AnyDataset, newest: NewestByPart, now: number): PartAges {
  const dated = limitsOf(dataset).flatMap(([part, limit]) => {
    const newestAt = newest[part] ?? null;
    if (newestAt === null) return [];
    return [{ part, newestAt, maxMs: limit.maxMs, agedAt: newestAt + (limit.coversMs ?? 0) + limit.maxMs }];
  });
  const aged = dated.filter(({ agedAt }) => now >= agedAt).sort((a, b) => a.agedAt - b.agedAt);
  return {
    aged: aged.map(({ part, newestAt, maxMs }) => ({ part, newestAt, maxMs })),
    isAllAged: aged.length > 0 && aged.length === dated.length,
    nextAt: Math.min(...dated.map(({ agedAt }) => agedAt).filter((agedAt) => agedAt > now)),
  };
}

function limitsOf({ partAges = {} }: AnyDataset): readonly (readonly [part: string, limit: AgeLimit])[] {
  const ages: readonly (readonly [string, ContentAge])[] = Object.entries(partAges);
  return ages.flatMap(([part, age]) => (isAgeLimit(age) ? [[part, age] as const] : []));
}
