import type { TSchema } from "typebox";
import type { ClockPace, Steps } from "../kit/loop-turns.js";
import type { ContentAge } from "./content-age.js";
import type { ReadSetting, Setting } from "./setting.js";
import type { AnySource, Source } from "./source.js";

/** The inputs of a build that are easily forgotten: the clock, epoch ms, and the dataset's own settings. */
export interface RunGiven {
  readonly now: number;
  readonly settingOf: ReadSetting;
}

export interface PlanGiven<Stored, Memory = undefined> extends RunGiven {
  readonly kept: readonly Stored[];
  readonly memory: Memory;
}

/** The memory of a part between runs, stored beside its records, such as the files that were read. */
export interface PartMemory<Memory = unknown, Progress = unknown> {
  /** The stored form; a memory of another form is forgotten. */
  readonly schema: TSchema;
  readonly initial: Memory;
  /**
   * `records`: it describes the stored records, changes only where those of a run are stored, and is forgotten with them.
   * `requests`: it describes what was asked, and is kept whatever came of that.
   */
  readonly describes: "records" | "requests";
  /** The memory after a run; pure. */
  after(memory: Memory, progress: readonly Progress[], given: RunGiven): Memory;
}

/** Stored records in the shape of this version, and what was stored among them. */
export interface Opened<Stored, Memory = undefined> {
  readonly records: readonly Stored[];
  /** The gap behind them, in words. */
  readonly lacking?: string;
  readonly memory?: Memory;
}

/**
 * One independently read piece of a dataset. Its records are kept when it cannot be read, so that one failed upstream
 * never empties the rest.
 */
export interface Part<Stored, Plan = never, Memory = undefined> {
  /** In order of preference: unconfigured ones are passed over, and the next is tried when one fails. */
  readonly sources: readonly AnySource[];
  /** The plan of a read, given the stored records; undefined when the stored records are complete for good. */
  plan(given: PlanGiven<Stored, Memory>): Plan | undefined;
  readonly memory?: PartMemory<Memory>;
  /** The records to store; by default the fresh ones replace the kept ones. Must be pure and ordered. */
  merge?(kept: readonly Stored[], fresh: readonly Stored[], given: RunGiven): readonly Stored[];
  /** Reads records that an earlier version stored in another shape. Default: they are read as they stand. */
  opened?(stored: readonly unknown[]): Opened<Stored, Memory>;
  /** Selects the records to store, for example only those of the last two hours; pure. Default: all of them. */
  select?(records: readonly Stored[], now: number): readonly Stored[];
  /**
   * An account of the newest reading, as JSON. It is kept also where the build is not published, and operations that declare
   * `showsAttempts` see it in `attempt.accounts`.
   */
  account?(records: readonly Stored[]): unknown;
  /** True where the answers before a failed one count: a part with `merge` that fills over several runs. */
  readonly fillsUp?: boolean;
  /**
   * True where the dataset can be published without this part ever having been read. One that nobody has configured is
   * then off: nothing of it is stored, and it is not missing.
   */
  readonly optional?: boolean;
  /** Time for which kept records of an optional part replace failed reads; then the part is missing. Default: no limit. */
  readonly keptMaxMs?: number;
}

/** A part as its dataset holds it. */
export type AnyPart = Part<unknown, unknown, unknown>;
export type Parts = Readonly<Record<string, AnyPart>>;

/** The stored records of each part. */
export type RecordsOf<P extends Parts> = {
  readonly [K in keyof P]: P[K] extends Part<infer Stored, infer _Plan, infer _Memory> ? readonly Stored[] : never;
};

/** Datasets that differ only in what they are asked for. */
export interface DatasetFamily {
  /** Their names, with the parts that differ in angle brackets. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** A stored collection: what it is made of, how often, when it may be published, and its form in memory. */
export interface Dataset<P extends Parts = Parts, View = unknown> {
  readonly name: string;
  readonly title: string;
  /** Description of its content, for its card. */
  readonly description: string;
  /** Time between two builds. */
  readonly cadenceMs: number;
  /** Age of the last confirmation from which it is stale. */
  readonly staleAfterMs: number;
  /** Age of the newest observation of all parts from which it is stale, whatever the upstream answers. */
  readonly contentAgeMaxMs?: number;
  /** The same for each part: an old part makes the dataset partial, and stale where no part with a limit is young. */
  readonly partAges?: { readonly [K in keyof P]: ContentAge };
  /** Delay of the next run after a failed one. Default: a minute at first, with backoff. */
  readonly retryMs?: number;
  /** Built only while somebody has asked for it within this time. Default: always. */
  readonly whileAskedForMs?: number;
  /** True where a failed run makes what is served stale at once, because answers tell of the newest attempt. */
  readonly isStaleOnFailure?: true;
  /** Generations are kept whole no longer than this, where the operator keeps them longer. */
  readonly historyWholeMs?: number;
  /** Set where the dataset is one of many of a kind, which the documents describe once. */
  readonly family?: DatasetFamily;
  /** Known gaps and oddities of the data. */
  readonly gaps: readonly string[];
  /** Settings of the dataset that an operator can change. */
  readonly settings?: readonly Setting<unknown>[];
  readonly parts: P;
  /** The rule of `gate`, in words for its card. */
  readonly gateRule: string;
  /** Returns the reason why this build must not be published, or undefined. */
  gate(records: RecordsOf<P>): string | undefined;
  /** Returns the gap of a published build in words; the build is partial then. */
  lacking?(records: RecordsOf<P>): string | undefined;
  /**
   * Returns the reason why a stored build is not served yet, or undefined: for collections that fill over several runs. It is
   * asked where requests are answered, so that it only counts.
   */
  pending?(records: RecordsOf<P>): string | undefined;
  /**
   * The in-memory form that operations read; pure, built once per generation. It is built where requests are answered: a
   * view of more than some thousand records is made in steps, by a generator that looks at `pace` as it goes.
   */
  view(records: RecordsOf<P>, pace: ClockPace): View | Steps<View>;
  /** Newest observation, epoch ms; null when there is none. */
  newestAt(records: RecordsOf<P>): number | null;
}

/** A dataset as registries hold it: its parts and view are known only to the operations that read it. */
export type AnyDataset = Dataset;

/** The view type of a dataset. */
export type ViewOf<D> = D extends Dataset<infer _Parts, infer View> ? View : never;

/** Declares a dataset; the types tie parts, gate and view together. */
export function dataset<const P extends Parts, View>(definition: Dataset<P, View>): Dataset<P, View> {
  return definition;
}

/** Declares a part whose sources all yield the same record for the same plan, and tell the same progress. */
export function part<Stored, Plan, Memory = undefined, Progress = unknown>(
  definition: Omit<Part<Stored, Plan, Memory>, "sources" | "memory"> & {
    readonly sources: readonly Source<Plan, Stored, Progress>[];
    readonly memory?: PartMemory<Memory, Progress>;
  },
): Part<Stored, Plan, Memory> {
  return definition;
}
