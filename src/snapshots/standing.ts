import type { AnyDataset } from "../contract/product.js";
import { optionalIngredientsOf, requiredIngredientsOf } from "../contract/product.js";
import type { PartStatus, Snapshot, SnapshotAttempt } from "../contract/snapshot.js";
import { type DatasetStatus, type Generation, HELD } from "./generation.js";
import { lackingIn } from "./lacking.js";
import type { Loaded } from "./loaded.js";
import { agesAt } from "./part-ages.js";

/** The content of a dataset in memory and the outcome of its newest run. */
export interface Held {
  readonly dataset: AnyDataset;
  readonly loaded: Loaded | undefined;
  /** The stored generation that could not be loaded, and the reason. `loaded` is then an earlier generation, if any. */
  readonly broken: { readonly generation: Pick<Generation, "generation">; readonly reason: string } | undefined;
  readonly status: DatasetStatus | undefined;
}

/** A snapshot, and the time until which it is valid if no new content arrives, epoch ms. */
export interface Standing {
  readonly snapshot: Snapshot<unknown>;
  readonly until: number;
  /** True if the newest run found every source of the dataset switched off or without its settings. */
  readonly isOff: boolean;
}

/** Computes the snapshot of a dataset at `now`. `ofIngredient` returns the snapshot of an ingredient. */
export function standing(
  held: Held,
  now: number,
  ofIngredient: (dataset: AnyDataset, now: number) => Standing,
): Standing {
  const { dataset, loaded, status, broken } = held;
  const attempt = attemptOf(status);
  const isOff = status?.outcome === "unconfigured";
  const unavailable = (state: "absent" | "unreadable", reason: string): Standing => ({
    snapshot: { available: false, state, reason, attempt },
    until: Number.POSITIVE_INFINITY,
    isOff,
  });
  if (broken && !loaded) return unavailable("unreadable", broken.reason);
  if (!loaded) return unavailable("absent", status?.error ?? "not built yet");
  if (loaded.pending !== undefined) return unavailable("absent", loaded.pending);
  const { generation } = loaded;
  const required = requiredIngredientsOf(dataset);
  const ingredients = required.map((ingredient) => ofIngredient(ingredient, now));
  const optional = optionalIngredientsOf(dataset).map(
    (ingredient) => [ingredient.name, ofIngredient(ingredient, now)] as const,
  );
  const staleIngredients = required.flatMap(({ name }, index) => (isFreshEnough(ingredients[index]) ? [] : [name]));
  const checkedAt = checkedAtOf(status?.checkedAt ?? generation.builtAt, ingredients);
  const staleAt = staleFrom(dataset, checkedAt, generation.newestAt);
  const ages = agesAt(dataset, loaded.newest, now);
  const parts: Readonly<Record<string, PartStatus>> = status?.parts ?? {};
  const lacking =
    loaded.lacking ?? lackingIn(parts) ?? lackingOfOptional(optional) ?? lackingOfIngredients(dataset, ingredients);
  const whole =
    lacking === undefined &&
    ages.aged.length === 0 &&
    Object.values(parts).every(({ state }) => state === "fresh" || state === "off");
  const hasFailed = attempt !== null && attempt.ended !== "ok";
  const isStale =
    broken !== undefined ||
    now >= staleAt ||
    ages.isAllAged ||
    (hasFailed && isStaleAfterFailure(dataset)) ||
    staleIngredients.length > 0;
  return {
    snapshot: {
      available: true,
      state: isStale ? "stale" : whole ? "ok" : "partial",
      view: loaded.view,
      generation: generation.generation,
      contentHash: generation.contentHash,
      builtAt: generation.builtAt,
      checkedAt,
      newestAt: generation.newestAt,
      nextBuildAt: status?.nextAt ?? null,
      attempt,
      parts,
      ...(ages.aged.length > 0 && { aged: ages.aged }),
      ...(lacking !== undefined && { lacking }),
      ...(staleIngredients.length > 0 && { staleIngredients }),
      ...(broken && { newerUnreadable: { generation: broken.generation.generation, reason: broken.reason } }),
    },
    until: Math.min(
      ages.nextAt,
      isStale ? Number.POSITIVE_INFINITY : staleAt,
      ...ingredients.map(({ until }) => until),
      ...optional.map(([, { until }]) => until),
    ),
    isOff,
  };
}

/** True for a product that becomes stale as soon as a build fails, because its answers report the latest attempt. */
export function isStaleAfterFailure(dataset: AnyDataset): boolean {
  return dataset.kind === "product" && dataset.account !== undefined;
}

function isFreshEnough(standing: Standing | undefined): boolean {
  return standing?.snapshot.available === true && standing.snapshot.state !== "stale";
}

/** Returns the check time of a dataset; for a product, never later than that of any required ingredient. */
function checkedAtOf(own: number, ingredients: readonly Standing[]): number {
  return Math.min(own, ...ingredients.map(({ snapshot }) => (snapshot.available ? snapshot.checkedAt : own)));
}

/** Names the partial ingredients of a product that does not assess its own completeness. */
function lackingOfIngredients(dataset: AnyDataset, ingredients: readonly Standing[]): string | undefined {
  if (dataset.kind !== "product" || dataset.lacking || dataset.partStatuses) return undefined;
  const names = requiredIngredientsOf(dataset).map(({ name }) => name);
  const partial = names.filter((_, index) => {
    const snapshot = ingredients[index]?.snapshot;
    return snapshot?.available === true && snapshot.state === "partial";
  });
  return partial.length === 0 ? undefined : `${partial.join(", ")}: partial`;
}

/**
 * Names the optional ingredients that are unavailable or stale, or whose newest build failed. Ingredients that are
 * switched off, or were never tried, are not named.
 */
function lackingOfOptional(optional: readonly (readonly [string, Standing])[]): string | undefined {
  const sentences = optional.flatMap(([name, { snapshot, isOff }]) => {
    if (isOff) return [];
    if (!snapshot.available) {
      const isUntried = snapshot.state === "absent" && snapshot.attempt === null;
      return isUntried ? [] : [`${name}: ${snapshot.state}, ${snapshot.reason}`];
    }
    if (snapshot.state === "stale") return [`${name}: stale`];
    const hasFailed = snapshot.attempt !== null && snapshot.attempt.ended !== "ok";
    return hasFailed ? [`${name}: its newest build failed`] : [];
  });
  return sentences.length === 0 ? undefined : sentences.join("; ");
}

function attemptOf(status: DatasetStatus | undefined): SnapshotAttempt | null {
  if (!status) return null;
  const { attemptedAt: at, outcome, error, account } = status;
  const stored = account !== undefined && { account };
  if (outcome === "published" || outcome === "unchanged") return { at, ended: "ok", ...stored };
  return { at, ended: error?.startsWith(HELD) ? "held" : "failed", ...stored };
}

/** Returns the time from which a dataset is stale, because its last check or its newest content is too old. */
function staleFrom(dataset: AnyDataset, checkedAt: number, newestAt: number | null): number {
  const unconfirmedAt = checkedAt + dataset.staleAfterMs;
  if (newestAt === null || dataset.contentAgeMaxMs === undefined) return unconfirmedAt;
  return Math.min(unconfirmedAt, newestAt + dataset.contentAgeMaxMs);
}
