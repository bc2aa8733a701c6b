import { randomUUID } from "node:crypto";
import { type AbsentIngredient, type AnyProduct, ingredientsOf, requiredIngredientsOf } from "../contract/product.js";
import { countingTally } from "../contract/row-tally.js";
import type { AvailableSnapshot, PartStatus } from "../contract/snapshot.js";
import { SourceFailure } from "../contract/source.js";
import { SECOND_MS } from "../kit/clock.js";
import { ClockPace, isSteps, LoopTurns } from "../kit/loop-turns.js";
import { mapValues } from "../kit/map-values.js";
import type { PartRecords } from "../snapshots/bodies/body.js";
import { accountOf, type BuildAccount, WHOLE } from "../snapshots/builds/build-account.js";
import type { OpenedIngredient } from "../snapshots/builds/ingredients.js";
import type { Comparison } from "../snapshots/changes/generation-changes.js";
import type { DatasetStatus, Generation } from "../snapshots/generation.js";
import { newestReadable } from "../snapshots/newest-readable.js";
import { openedParts, recordsOf } from "../snapshots/opened.js";
import type { StoredPartStatus } from "../snapshots/provenance.js";
import { internalFailure } from "./part-failure.js";
import { gateRefusal, type Refusal, viewRefusal } from "./refusal.js";
import { type RunOptions, type RunResult, type RunTools, wasCancelled } from "./run.js";
import { isContinued, nextRunAt } from "./schedule.js";

/** Delay of the product's next run if an ingredient's latest run was cut short and will be continued within seconds. */
const BUILT_AGAIN_AFTER_MS = 30 * SECOND_MS;

/**
 * Builds a product from the newest readable generation of each ingredient, and publishes the build if no check refuses
 * it. A failed run changes only the status.
 */
export async function runProduct(tools: RunTools, product: AnyProduct, options: RunOptions): Promise<RunResult> {
  const before = await stored(tools, product);
  const snapshots = await tools.ingredients.open(product, tools.clock.now());
  const built = await build(tools, product, snapshots, { kept: before.kept, options });
  if (wasCancelled(options.signal)) throw options.signal.reason;
  const refusal =
    "sentence" in built
      ? built
      : ((options.gated === false ? undefined : gateRefusal(product, built.records)) ??
        (await viewRefusal(product, built.records)));
  const account = "sentence" in built ? undefined : product.account?.(built.records);
  const standing = statusAfter(tools, product, snapshots, before, refusal);
  const status = account === undefined ? standing : { ...standing, account };
  const run = { runId: randomUUID(), status, reports: [] };
  if (refusal || "sentence" in built) {
    await tools.store.recordRun(run);
    return { outcome: status.outcome, status, generation: before.generation, reports: [] };
  }
  const { records, account: rows } = built;
  const ingredients = [...snapshots].flatMap(([dataset, { snapshot, isOff }]) =>
    snapshot.available && !(isOff && isOptional(product, dataset))
      ? [{ dataset, generation: snapshot.generation, contentHash: snapshot.contentHash }]
      : [],
  );
  const comparison = { dataset: product, before: before.stored };
  const content = {
    records,
    newestAt: product.newestAt(records),
    provenance: {},
    account: rows,
    ingredients,
    comparison,
  };
  const generation = await tools.store.publish(product.name, content, run, status.attemptedAt);
  const outcome = generation.generation === before.generation?.generation ? "unchanged" : "published";
  return { outcome, status: { ...status, outcome }, generation, reports: [] };
}

interface Before {
  readonly generation: Generation | undefined;
  readonly status: DatasetStatus | undefined;
  /** True if the run of an ingredient will be continued within seconds. */
  readonly isProvisional: boolean;
  /** The records of the newest readable generation, in their stored form. */
  readonly stored: Comparison["before"];
  /** The records of that generation by part, opened for the build. */
  readonly kept: PartRecords;
}

async function stored({ store }: RunTools, product: AnyProduct): Promise<Before> {
  const [generation, statuses] = await Promise.all([store.newest(product.name), store.statuses()]);
  const readable = generation && (await newestReadable(store, generation));
  const ingredients = new Set(ingredientsOf(product).map(({ name }) => name));
  const records = readable ? recordsOf(openedParts(product, readable.records)) : {};
  return {
    generation,
    stored: readable && { contentHash: readable.generation.contentHash, records: readable.records },
    status: statuses.find(({ dataset }) => dataset === product.name),
    isProvisional: statuses.some((status) => isContinued(status) && ingredients.has(status.dataset)),
    kept: mapValues(product.parts, (_part, name) => records[name] ?? []),
  };
}

type IngredientsByName = ReadonlyMap<string, OpenedIngredient>;

async function build(
  { clock, settingOf }: RunTools,
  product: AnyProduct,
  snapshots: IngredientsByName,
  { kept, options }: { readonly kept: PartRecords; readonly options: RunOptions },
): Promise<{ readonly records: PartRecords; readonly account: BuildAccount } | Refusal> {
  const ingredients = ingredientsIn(product, snapshots);
  if (!ingredients) return absence(product, snapshots);
  const pace = new ClockPace();
  try {
    const tally = countingTally();
    const built = product.build(ingredients, { kept, now: clock.now(), settingOf, tally });
    const records = isSteps(built) ? await new LoopTurns().run(built, pace) : built;
    const stored = Object.values(records).reduce((sum, list) => sum + list.length, 0);
    return { records, account: { [WHOLE]: accountOf(tally, { earlier: 0, read: tally.wholeCount, stored }) } };
  } catch (error) {
    if (!(error instanceof SourceFailure)) {
      options.onFault(error);
      return { kind: "failed", sentence: internalFailure(error).message };
    }
    return { kind: error.kind === "unconfigured" ? "unconfigured" : "failed", sentence: error.message };
  }
}

/** The ingredients of a build, by the names in the product's declaration. */
type IngredientRecord = Readonly<Record<string, AvailableSnapshot<unknown>>>;

/** Returns the ingredients under the names that the build uses; undefined while a required one cannot be read. */
function ingredientsIn(product: AnyProduct, snapshots: IngredientsByName): IngredientRecord | undefined {
  const ingredients: Record<string, AvailableSnapshot<unknown> | AbsentIngredient> = {};
  for (const [key, { name }] of Object.entries(product.reads)) {
    const snapshot = snapshots.get(name)?.snapshot;
    if (!snapshot?.available) return undefined;
    ingredients[key] = snapshot;
  }
  for (const [key, { name }] of Object.entries(product.optionalReads ?? {})) {
    const { snapshot, isOff = false } = snapshots.get(name) ?? {};
    if (snapshot?.available && !isOff) ingredients[key] = snapshot;
    else {
      const reason = snapshot?.available ? "switched off" : (snapshot?.reason ?? "not built yet");
      ingredients[key] = { available: false, isOff, reason };
    }
  }
  // The cast is needed, because optional ingredients have a type of their own in the product's declaration.
  return ingredients as IngredientRecord;
}

function isOptional(product: AnyProduct, name: string): boolean {
  return !requiredIngredientsOf(product).some((ingredient) => ingredient.name === name);
}

/** The refusal of a build whose required ingredients are missing. It names each missing ingredient with the reason. */
function absence(product: AnyProduct, snapshots: IngredientsByName): Refusal {
  const sentences = requiredIngredientsOf(product).flatMap(({ name }) => {
    const snapshot = snapshots.get(name)?.snapshot;
    if (snapshot?.available) return [];
    return [`its ingredient ${name} is ${snapshot?.state ?? "absent"}: ${snapshot?.reason ?? "not built yet"}`];
  });
  return { kind: "failed", sentence: sentences.join("; ") };
}

function statusAfter(
  { clock, random }: RunTools,
  product: AnyProduct,
  snapshots: IngredientsByName,
  { status: before, isProvisional }: Before,
  refusal: Refusal | undefined,
): DatasetStatus {
  const now = clock.now();
  const cadenceMs = isProvisional ? Math.min(BUILT_AGAIN_AFTER_MS, product.cadenceMs) : product.cadenceMs;
  const failuresInRow = refusal ? (before?.failuresInRow ?? 0) + 1 : 0;
  return {
    dataset: product.name,
    attemptedAt: now,
    outcome: refusal?.kind ?? "published",
    error: refusal?.sentence ?? null,
    checkedAt: refusal ? (before?.checkedAt ?? null) : oldestCheck(product, snapshots, now),
    nextAt: nextRunAt({ now, cadenceMs, failuresInRow, random }),
    failuresInRow,
    parts: refusal ? (before?.parts ?? {}) : partsAfter(product, snapshots, now),
    ingredients: Object.fromEntries([...snapshots].map(([name, { newest }]) => [name, newest])),
  };
}

/**
 * The time of the oldest check of the required ingredients, because a product is only as fresh as its oldest
 * ingredient.
 */
function oldestCheck(product: AnyProduct, snapshots: IngredientsByName, now: number): number {
  return Math.min(
    now,
    ...requiredIngredientsOf(product).map(({ name }) => {
      const snapshot = snapshots.get(name)?.snapshot;
      return snapshot?.available ? snapshot.checkedAt : now;
    }),
  );
}

function partsAfter(
  product: AnyProduct,
  snapshots: IngredientsByName,
  now: number,
): Readonly<Record<string, StoredPartStatus>> {
  const fresh: PartStatus = { state: "fresh", confirmedAt: oldestCheck(product, snapshots, now), error: null };
  const ingredients = ingredientsIn(product, snapshots);
  const statuses = ingredients && product.partStatuses?.(ingredients);
  return mapValues(product.parts, (_part, name) => ({ ...(statuses?.[name] ?? fresh), validators: {} }));
}
