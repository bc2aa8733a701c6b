import { isAgeLimit } from "../../contract/content-age.js";
import type { AnyDataset } from "../../contract/product.js";
import type { SnapshotRegistry } from "../../snapshots/registry.js";
import type { PartAge } from "./answers/members.js";

/**
 * The time of a part's newest observation, its age limit, and whether the observation is too old, as shown in health
 * and in the dataset's card. Empty for a part that declares neither an age limit nor the reason for having none.
 */
export function partAge(registry: SnapshotRegistry, dataset: AnyDataset, name: string, now: number): PartAge {
  const age = dataset.partAges?.[name];
  if (age === undefined) return {};
  if (!isAgeLimit(age)) return { contentAgeMaxSeconds: null, agelessBecause: age.agelessBecause };
  const snapshot = registry.get(dataset);
  const newestAt = registry.newestByPart(dataset)[name] ?? null;
  return {
    newestAt,
    newestAgeSeconds: newestAt === null ? null : Math.round((now - newestAt) / 1_000),
    contentAgeMaxSeconds: age.maxMs / 1_000,
    isOverAge: snapshot.available && (snapshot.aged ?? []).some(({ part }) => part === name),
  };
}

/**
 * The age limit of a whole dataset. This is its own limit or, without one, the limit that all its parts share; null if
 * there is neither.
 */
export function contentAgeMaxSeconds({ contentAgeMaxMs, partAges = {} }: AnyDataset): number | null {
  if (contentAgeMaxMs !== undefined) return contentAgeMaxMs / 1_000;
  const limits = new Set(Object.values(partAges).map((age) => (isAgeLimit(age) ? age.maxMs : null)));
  const [limit] = limits;
  return limits.size !== 1 || limit == null ? null : limit / 1_000;
}
