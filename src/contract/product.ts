import type { Steps } from "../kit/loop-turns.js";
import type { AnyCollection, DatasetContext, MemberOf, Opened, StoredDataset, ViewOf } from "./dataset.js";
import type { RowTally } from "./row-tally.js";
import type { AvailableSnapshot, PartStatus } from "./snapshot.js";
import type { AnySource } from "./source.js";

/** The datasets that a product is built from, by the names that its `build` gives them. */
export type Ingredients = Readonly<Record<string, AnyDataset>>;

/** The newest readable snapshot of each ingredient. */
export type IngredientSnapshots<R> = { readonly [K in keyof R]: AvailableSnapshot<ViewOf<R[K]>> };

/** An optional ingredient that cannot be read. */
export interface AbsentIngredient {
  readonly available: false;
  /** True if its sources lack a setting or are switched off. The ingredient then does not count as missing. */
  readonly isOff: boolean;
  /** The reason, as a sentence for health. */
  readonly reason: string;
}

/** The newest readable snapshot of each optional ingredient. */
export type OptionalSnapshots<O> = {
  readonly [K in keyof O]: AvailableSnapshot<ViewOf<O[K]>> | AbsentIngredient;
};

/** One stored list of a product. */
export interface ProductPart<Stored = unknown> {
  /** Returns the time of a record's observation, epoch ms; undefined for records that observe nothing. */
  observedAt(record: Stored): number | undefined;
  /** The members that identify a record of this part in every generation. Default: `id`. */
  readonly identity?: readonly string[];
  /** Converts records that an earlier version stored in another shape. Default: no conversion. */
  opened?(stored: readonly unknown[]): Opened<Stored>;
}

export type ProductParts = Readonly<Record<string, ProductPart>>;

/** The stored records of each part of a product. */
export type ProductRecords<P extends ProductParts> = {
  readonly [K in keyof P]: P[K] extends ProductPart<infer Stored> ? readonly Stored[] : never;
};

/** The inputs of a build besides its ingredients. */
export interface BuildContext<Records> extends DatasetContext {
  /** The records of the newest generation; empty lists before the first one. */
  readonly kept: Records;
  /** Counts the rows from which the build chooses, and the rows that it does not store. */
  readonly tally: RowTally;
}

/**
 * A dataset built from the snapshots of other datasets. Like a collection, it has generations, states and history. Its
 * provenance names the generations that it was built from, and it is never fresher than they are.
 */
export interface Product<
  R extends Ingredients = Ingredients,
  P extends ProductParts = ProductParts,
  View = unknown,
  O extends Ingredients = Ingredients,
> extends StoredDataset<ProductRecords<P>, View, keyof P & string> {
  readonly kind: "product";
  readonly reads: R;
  /**
   * Ingredients that are optional: while one cannot be read, the product is built without it. An ingredient that is
   * switched off does not count as missing; one that fails makes the product partial, never stale.
   */
  readonly optionalReads?: O;
  readonly parts: P;
  /**
   * The product is also built when an ingredient has a newer generation than in the last build, but no sooner than
   * `spacingMs` after that build. Default: only by the cadence.
   */
  readonly onChange?: { readonly spacingMs: number };
  /** Returns the records to store; pure. A build equal to the last one makes no new generation. */
  build(
    ingredients: IngredientSnapshots<R> & OptionalSnapshots<O>,
    context: BuildContext<ProductRecords<P>>,
  ): ProductRecords<P> | Steps<ProductRecords<P>>;
  /**
   * Returns a summary of a build, as JSON; for products whose answers report the newest build attempt. The summary is
   * stored even if the build is refused. Operations that declare `showsAttempts` receive it in `attempt.account`. A
   * failed run immediately makes a product with `account` stale.
   */
  account?(records: ProductRecords<P>): unknown;
  /**
   * Returns the status of each part, for health and cards. A `kept` or `missing` part makes the product partial.
   * Default: every part is fresh. A product with neither `partStatuses` nor `lacking` is partial while a required
   * ingredient is partial.
   */
  partStatuses?(ingredients: IngredientSnapshots<R> & OptionalSnapshots<O>): { readonly [K in keyof P]: PartStatus };
}

/** A product of unspecified types, for registries. */
export type AnyProduct = Product;

/** A dataset of unspecified types, for registries. */
export type AnyDataset = AnyCollection | AnyProduct;

/** Declares a product, whose ingredients, parts, build and view must have matching types. */
export function product<
  const R extends Ingredients,
  const P extends ProductParts,
  View,
  const O extends Ingredients = Readonly<Record<never, never>>,
>(definition: Omit<Product<R, P, View, O>, "kind">): Product<R, P, View, O> {
  return { ...definition, kind: "product" };
}

/**
 * Declares a part of a product. `observedAt` returns the time of a record's observation; by default, records have no
 * time. `identity` lists the members that identify a record; by default, it is `id`.
 */
export function listOf<Stored>(
  observedAt: ProductPart<Stored>["observedAt"] = () => undefined,
  identity?: readonly MemberOf<Stored>[],
): ProductPart<Stored> {
  return { observedAt, ...(identity && { identity }) };
}

/**
 * Returns true if the two datasets are the same, or if `dataset` is built from `ingredient`, directly or through other
 * datasets.
 */
export function isMadeOf(dataset: AnyDataset, ingredient: AnyDataset): boolean {
  return dataset === ingredient || ingredientsOf(dataset).some((own) => isMadeOf(own, ingredient));
}

/** The ingredients of a dataset, the optional ones last; none for a collection. */
export function ingredientsOf(dataset: AnyDataset): readonly AnyDataset[] {
  return [...requiredIngredientsOf(dataset), ...optionalIngredientsOf(dataset)];
}

/** Returns these datasets, beginning with the first, and all datasets from which they are built, without duplicates. */
export function withIngredients(datasets: readonly AnyDataset[]): readonly AnyDataset[] {
  const all = new Set<AnyDataset>();
  const visit = (dataset: AnyDataset): void => {
    if (all.has(dataset)) return;
    all.add(dataset);
    ingredientsOf(dataset).forEach(visit);
  };
  datasets.forEach(visit);
  return [...all];
}

/** The ingredients without which a dataset is not built. */
export function requiredIngredientsOf(dataset: AnyDataset): readonly AnyDataset[] {
  return dataset.kind === "product" ? Object.values(dataset.reads) : [];
}

/** The ingredients that a dataset can be built without. */
export function optionalIngredientsOf(dataset: AnyDataset): readonly AnyDataset[] {
  return dataset.kind === "product" ? Object.values(dataset.optionalReads ?? {}) : [];
}

/** The sources of a collection, or of everything that a product is built from, without duplicates. */
export function sourcesOf(dataset: AnyDataset): readonly AnySource[] {
  const sources =
    dataset.kind === "product"
      ? ingredientsOf(dataset).flatMap(sourcesOf)
      : Object.values(dataset.parts).flatMap((part) => part.sources);
  return [...new Set(sources)];
}
