import type { PartStatus } from "../contract/snapshot.js";

/** The upstream answer that some records of a generation came from. */
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

/** For each part, by request key: where its records came from. */
export type Provenance = Readonly<Record<string, Readonly<Record<string, RequestProvenance>>>>;

/** What a conditional request needs; kept with the software version, because a new decoder must see the bytes again. */
export interface Validators {
  readonly version: string;
  /** The address that they are of; of another one they say nothing, though it may have the same key. */
  readonly url: string;
  readonly etag?: string;
  readonly lastModified?: string;
}

/** A request of a gathered source that gave nothing in the newest run. */
export interface Trouble {
  readonly state: "empty" | "timeout" | "failed";
  /** The run in which it first gave nothing, of those in a row; epoch ms. */
  readonly since: number;
  /** Why, in words; null where its answer was empty. */
  readonly error: string | null;
}

/** The shares of a source's rows without each of its optional fields, from 0 to 1. */
export interface FieldShares {
  /** Rows of the newest run that gave any. */
  readonly rows: number;
  readonly share: Readonly<Record<string, number>>;
  /** The mean of the runs so far, the newer weighing more. */
  readonly usual: Readonly<Record<string, number>>;
}

/** A part's standing as it is stored between runs. */
export interface StoredPartStatus extends PartStatus {
  readonly validators: Readonly<Record<string, Validators>>;
  /** Of a part that is gathered, by request key. */
  readonly troubles?: Readonly<Record<string, Trouble>>;
  /** Of a part that gives an account of its readings: that of the newest run, whatever came of it. */
  readonly account?: unknown;
  /** Of a part that takes turns: when each request was last made, by its key, epoch ms. */
  readonly asked?: Readonly<Record<string, number>>;
  /** By source: the shares of its rows without each optional field. */
  readonly fields?: Readonly<Record<string, FieldShares>>;
  /** Shares that jumped in the newest run, in words. */
  readonly warnings?: readonly string[];
}

/** One line of the run log: an upstream answer, or why there was none. */
export interface SourceRunReport {
  readonly part: string;
  readonly source: string;
  readonly requestKey: string;
  readonly url: string;
  readonly fetchedAt: number;
  /** `ok`, `not-modified`, or the kind of the failure. */
  readonly outcome: string;
  readonly status: number | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly newestAt: number | null;
  readonly rowsRead: number | null;
  readonly rowsBad: number | null;
  /** Good rows without each optional field. Absent where no rows were read. */
  readonly rowsWithout?: Readonly<Record<string, number>>;
  readonly error: string | null;
}
