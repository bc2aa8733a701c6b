import type { Budgets } from "../contract/budget.js";
import type { CountingTally } from "../contract/row-tally.js";
import type { ReadSetting } from "../contract/setting.js";
import type { AnySource, AnyStep, RequestOutcome, SourceFailure } from "../contract/source.js";
import type { Clock } from "../kit/clock.js";
import type { Turn } from "../kit/turnstile.js";
import type { RequestProvenance, SourceRunReport, Validators } from "../snapshots/provenance.js";
import type { UpstreamClient } from "../upstream/answer.js";
import type { ReadRows } from "./read-rows.js";
import type { Tokens } from "./tokens.js";

/** The dependencies of reading a source, the same for all sources. */
export interface ReadingTools {
  readonly clock: Clock;
  readonly client: UpstreamClient;
  /** The budgets that sources name. */
  readonly budgets: Budgets;
  readonly readRows: ReadRows;
  readonly tokens: Tokens;
  /** Admits one large answer at a time, from its request until its rows are read. */
  readonly largeAnswers: Turn;
  /** The settings that sources may name as credentials. */
  readonly credentials: Readonly<Record<string, string | undefined>>;
  /** The settings that datasets declare. */
  readonly settingOf: ReadSetting;
  /** True to switch off sources whose licence forbids commercial use or redistribution. */
  readonly openLicencesOnly: boolean;
  /** Version of this software. Answers read by another version are requested again in full. */
  readonly version: string;
}

export interface SourceQuestion {
  readonly part: string;
  readonly source: AnySource;
  readonly plan: unknown;
  /** The validators by request key; absent if a "not modified" answer could not be used. */
  readonly validators?: Readonly<Record<string, Validators>>;
  /** True if the answers received before a failed request are kept. */
  readonly fillsUp?: boolean;
  /**
   * Maximum number of requests; set only for the trial requests of `vigil doctor`. If the plan starts with more
   * requests than this, only the first few and the last one, which asks for the newest data, are sent. If the plan
   * starts with fewer, the requests that answers call for are also sent, up to the maximum.
   */
  readonly requestsMax?: number;
  readonly signal?: AbortSignal;
  readonly onReport?: (report: SourceRunReport) => void;
  /** Called with the outcome of every request that was sent. */
  readonly onOutcome?: (outcome: StepOutcome) => void;
}

/** The outcome of a request of a step. */
export interface StepOutcome extends RequestOutcome {
  readonly step: AnyStep;
}

export interface SourceReading {
  readonly records: readonly unknown[];
  /** Number of rows in the answers. */
  readonly rowsRead: number;
  /** Counts of rows that have no record of their own, and of records that come from no row. */
  readonly tally: CountingTally;
  /** Sentences about data missing from the answers. */
  readonly lacks: readonly string[];
  /** True if an answer was "not modified", so that the kept records of its request are still valid. */
  readonly leansOnKept: boolean;
  readonly provenance: Readonly<Record<string, RequestProvenance>>;
  readonly validators: Readonly<Record<string, Validators>>;
  /**
   * Only for sources with a step that has `gather`: the keys of all requests. The provenance and validators of these
   * requests are kept.
   */
  readonly gatheredKeys?: ReadonlySet<string>;
  /** True if the run reached its time limit before all requests were sent. */
  readonly isCutShort?: boolean;
  /** The error that ended a reading with `fillsUp` early. */
  readonly failure: SourceFailure | undefined;
  /** The error with which the upstream refused the account, if the source was then read without the account. */
  readonly passedOver?: SourceFailure;
}
