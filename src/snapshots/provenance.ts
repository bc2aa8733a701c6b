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

/** A part's standing as it is stored between runs. */
export interface StoredPartStatus extends PartStatus {
  readonly validators: Readonly<Record<string, Validators>>;
  /** Of a part that is gathered, by request key. */
  readonly troubles?: Readonly<Record<string, Trouble>>;
  /** Of a part that takes turns: when each request was last made, by its key, epoch ms. */
  readonly asked?: Readonly<Record<string, number>>;
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
  readonly error: string | null;
}
