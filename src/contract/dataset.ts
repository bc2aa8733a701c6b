import type { TSchema } from "typebox";
import type { ClockPace, Steps } from "../kit/loop-turns.js";
import type { ContentAge } from "./content-age.js";
import type { RowTally } from "./row-tally.js";
import type { ReadSetting, Setting } from "./setting.js";
import type { AnySource, Source } from "./source.js";

/** The inputs of a build besides its records: the time, epoch ms, and the dataset's settings. */
export interface DatasetContext {
  readonly now: number;
  readonly settingOf: ReadSetting;
}

/** The inputs of a plan: the stored records of the part, and the memory of its earlier runs. */
export interface PlanContext<Stored, Memory = undefined> extends DatasetContext {
  readonly kept: readonly Stored[];
  readonly memory: Memory;
}

/** The inputs of a merge; `memory` is the memory with which the run started. */
export interface MergeContext<Memory = undefined> extends DatasetContext {
  readonly memory: Memory;
  /** Counts the kept and fresh records that are not among the merged ones. */
  readonly tally: RowTally;
}

/**
 * The facts that a part remembers between runs, such as the files that it has read. They are stored beside its records.
 */
export interface PartMemory<Memory = unknown, Progress = unknown> {
  /** The schema of the stored memory; a stored memory that does not match it is discarded. */
  readonly schema: TSchema;
  readonly initial: Memory;
  /**
   * `records`: the memory describes the stored records. It is updated only when a run stores records, and is discarded
   * with them. `requests`: the memory describes the requests sent. It is updated after every run, successful or not.
   */
  readonly describes: "records" | "requests";
  /** Returns the memory after a run; pure. */
  after(memory: Memory, progress: readonly Progress[], context: DatasetContext): Memory;
}

/**
 * The stored records, converted to this version's shape. An earlier version may have stored the memory of the part, or
 * a note on missing records, among the records. The memory is then in `memory`, and the note in `lacking`.
 */
export interface Opened<Stored, Memory = undefined> {
  readonly records: readonly Stored[];
  /** A sentence on the records that are missing. */
  readonly lacking?: string;
  readonly memory?: Memory;
}

/**
 * One independently read piece of a dataset. A piece that cannot be read keeps its records, so that one failed upstream
 * never empties the dataset.
 */
export interface Part<Stored, Plan = never, Memory = undefined> {
  /** In order of preference. Unconfigured sources are skipped; if a source fails, the next one is tried. */
  readonly sources: readonly AnySource[];
  /**
   * Returns the plan of the next read, from which the sources derive their requests. Undefined if no request is due or
   * the stored records are complete.
   */
  plan(context: PlanContext<Stored, Memory>): Plan | undefined;
  readonly memory?: PartMemory<Memory>;
  /** Returns the records to store, in order; pure. Default: the fresh records replace the kept ones. */
  merge?(kept: readonly Stored[], fresh: readonly Stored[], context: MergeContext<Memory>): readonly Stored[];
  /**
   * Converts the stored records at the start of a run, so that a build that keeps them stores the converted ones; pure.
   * For marks that hold for a single build. Default: no conversion.
   */
  carriedOver?(stored: readonly Stored[]): readonly Stored[];
  /** Converts records that an earlier version stored in another shape. Default: no conversion. */
  opened?(stored: readonly unknown[]): Opened<Stored, Memory>;
  /**
   * Selects the records to store, for example only those of the last two hours; pure. `tally` counts the others.
   * Default: all of them.
   */
  select?(records: readonly Stored[], now: number, tally: RowTally): readonly Stored[];
  /**
   * True if the answers received before a failure are kept. Used for a part with `merge` that fills over several runs.
   */
  readonly fillsUp?: boolean;
  /**
   * The members that identify a record of this part in every generation. Records that differ in one of them are
   * different records. Default: `id`. Empty for a part with a single record.
   */
  readonly identity?: readonly string[];
  /**
   * True if the dataset can be published before this part was ever read. While no source of the part is configured, the
   * part is `off`: it stores no records and does not count as missing.
   */
  readonly optional?: boolean;
  /**
   * While the reads of an optional part fail, its records are served for this long after their last confirmation. Then
   * they are dropped, and the part is missing. Default: no limit.
   */
  readonly keptMaxMs?: number;
}

/** A part of unspecified types, for datasets. */
export type AnyPart = Part<unknown, unknown, unknown>;
export type Parts = Readonly<Record<string, AnyPart>>;

/** The stored records of each part. */
export type RecordsOf<P extends Parts> = {
  readonly [K in keyof P]: P[K] extends Part<infer Stored, infer _Plan, infer _Memory> ? readonly Stored[] : never;
};

/** Datasets that differ only in their parameters, such as the language. */
export interface DatasetFamily {
  /** Pattern of their names, with placeholders in angle brackets. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/**
 * The declarations that collections and products share. `Records` contains the stored records of each part by its name;
 * `PartName` is the union of these names.
 */
export interface StoredDataset<Records, View, PartName extends string = string> {
  readonly name: string;
  readonly title: string;
  /** Description of its content, for its card. */
  readonly description: string;
  /**
   * Time from one build to the next, varied at random by up to 10 %. The next build may be sooner, for example after a
   * failure or when an ingredient of a product changes, or later if an upstream requested a longer pause.
   */
  readonly cadenceMs: number;
  /** The dataset is stale once its last confirmation is older than this. */
  readonly staleAfterMs: number;
  /**
   * The dataset is stale once its newest observation (`newestAt`) is older than this, even if the upstreams keep
   * answering.
   */
  readonly contentAgeMaxMs?: number;
  /**
   * The age limit of each part. A part over its limit makes the dataset partial. If all parts that have both a limit
   * and observations are over their limits, the dataset is stale.
   */
  readonly partAges?: { readonly [K in PartName]: ContentAge };
  /** The dataset is built only if it was requested within this time. Default: always. */
  readonly awakeForMs?: number;
  /**
   * Maximum time for which every generation is kept, even if VIGIL_RETENTION_WHOLE_DAYS is longer. Of the older
   * generations, only the last one of each UTC day is kept, up to the age in VIGIL_RETENTION_DAILY_DAYS.
   */
  readonly historyWholeMs?: number;
  /**
   * If true, the rows that a generation changed or removed are kept permanently. Operations can then serve the former
   * values of an observation. Meant for datasets whose generations differ in few rows.
   */
  readonly keepsFormerRows?: true;
  /** The family of a dataset that is one of many similar ones; the documents describe a family once. */
  readonly family?: DatasetFamily;
  /** Known gaps and oddities of the data. */
  readonly gaps: readonly string[];
  /** Settings of the dataset that an operator can change. */
  readonly settings?: readonly Setting<unknown>[];
  /** A sentence on the rule of `gate`, for the dataset's card. */
  readonly gateRule: string;
  /** Returns the reason why this build must not be published, or undefined. */
  gate(records: Records): string | undefined;
  /** Returns a sentence on what a published build lacks, or undefined. A build that lacks something is partial. */
  lacking?(records: Records): string | undefined;
  /**
   * Builds the in-memory form that operations read; pure, called once per generation. It runs on the request thread.
   * For more than a few thousand records, it must therefore return a generator that checks `pace` and yields. `tally`
   * counts the records that are not rows of the view's lists.
   */
  view(records: Records, pace: ClockPace, tally: RowTally): View | Steps<View>;
  /**
   * True if the view holds the stored records themselves, for example as the rows of a long list. Generations in memory
   * then share equal records: an additional generation takes little memory, and the changes between two generations are
   * found without reading equal rows.
   */
  readonly viewHoldsRecords?: true;
  /** Newest observation, epoch ms; null when there is none. */
  newestAt(records: Records): number | null;
}

/** A failing request of a collection. */
export interface Trouble {
  /** Key of the request. */
  readonly request: string;
  readonly state: string;
  /** Start of the current series of failures, epoch ms. */
  readonly since: number;
  /** The reason in words; null if the response was empty. */
  readonly error: string | null;
}

/** A dataset collected from upstreams. */
export interface Collection<P extends Parts = Parts, View = unknown>
  extends StoredDataset<RecordsOf<P>, View, keyof P & string> {
  readonly kind: "collection";
  readonly parts: P;
  /**
   * Returns the reason why a stored build is not served yet, or undefined; for collections that fill over several runs.
   * It runs on the request thread, so it must be cheap, and may only count records.
   */
  pending?(records: RecordsOf<P>): string | undefined;
  /** Returns the failing requests, which the dataset's card lists. For a collection of many independent requests. */
  troubles?(view: View): readonly Trouble[];
}

/** A collection of unspecified types, for registries. */
export type AnyCollection = Collection;

/** The view type of a dataset. */
export type ViewOf<D> = D extends StoredDataset<infer _Records, infer View, infer _PartName> ? View : never;

/** Declares a collection, whose parts, gate and view must have matching types. */
export function dataset<const P extends Parts, View>(
  definition: Omit<Collection<P, View>, "kind">,
): Collection<P, View> {
  return { ...definition, kind: "collection" };
}

/** The members of a record, or of all types in a union of records. */
export type MemberOf<Stored> = Stored extends unknown ? keyof Stored & string : never;

/** Declares a part. All its sources have the same plan, record and progress types. */
export function part<Stored, Plan, Memory = undefined, Progress = unknown>(
  definition: Omit<Part<Stored, Plan, Memory>, "sources" | "memory" | "identity"> & {
    readonly sources: readonly Source<Plan, Stored, Progress>[];
    readonly memory?: PartMemory<Memory, Progress>;
    readonly identity?: readonly MemberOf<Stored>[];
  },
): Part<Stored, Plan, Memory> {
  return definition;
}
