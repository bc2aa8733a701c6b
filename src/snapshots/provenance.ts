import type { PartStatus } from "../contract/snapshot.js";

/** The upstream response behind some records of a generation. */
export interface RequestProvenance {
  readonly source: string;
  /** Without secrets. */
  readonly url: string;
  readonly status: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly fetchedAt: number;
  readonly newestAt: number | null;
  readonly rowsRead: number;
  readonly rowsBad: number;
}

/** The generation of a dataset that a product was built from. */
export interface IngredientProvenance {
  readonly dataset: string;
  readonly generation: number;
  readonly contentHash: string;
}

/** The origin of the records of each part, by request key. */
export type Provenance = Readonly<Record<string, Readonly<Record<string, RequestProvenance>>>>;

/**
 * Validators for a conditional request. They are stored with the software version, because after an upgrade a changed
 * decoder must read the whole answer again.
 */
export interface Validators {
  readonly version: string;
  /** The URL whose answer had these validators. They do not apply to another URL, even with the same request key. */
  readonly url: string;
  readonly etag?: string;
  readonly lastModified?: string;
}

/** For each optional field of a source: the share of rows that lack it, from 0 to 1. */
export interface FieldShares {
  /** Number of rows in the newest run that had rows. */
  readonly rows: number;
  readonly share: Readonly<Record<string, number>>;
  /** The mean share over past runs; newer runs have more weight. */
  readonly usual: Readonly<Record<string, number>>;
}

/** The stored state of a part between runs. */
export interface StoredPartStatus extends PartStatus {
  readonly validators: Readonly<Record<string, Validators>>;
  /** For a part that remembers facts between runs (`PartMemory`): the memory after the newest run. */
  readonly memory?: unknown;
  /** By source: the share of rows that lack each optional field. */
  readonly fields?: Readonly<Record<string, FieldShares>>;
  /** Descriptions of the shares that jumped in the newest run. */
  readonly warnings?: readonly string[];
}

/** One line of the run log: an upstream response, or the reason for its absence. */
export interface SourceRunReport {
  readonly part: string;
  readonly source: string;
  readonly requestKey: string;
  readonly url: string;
  readonly fetchedAt: number;
  /** `ok`, `not-modified`, or the kind of failure. */
  readonly outcome: string;
  readonly status: number | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly newestAt: number | null;
  readonly rowsRead: number | null;
  readonly rowsBad: number | null;
  /** Number of good rows that lack each optional field. Absent if no rows were read. */
  readonly rowsWithout?: Readonly<Record<string, number>>;
  readonly error: string | null;
}
