import type { MonitoringProvider } from "../../records.js";
import type { ScanTiming } from "../advanced.js";
import type { Finding } from "../finding.js";
import type { ScannedCompany } from "../provider.js";
import type { ReasonCode } from "../reason-code.js";

/** A text that a search found, with the finding that it becomes for each company that it names. */
export interface FoundText {
  /** The parts in which companies are looked for. */
  readonly parts: readonly { readonly text: string; readonly kind: "title" | "text" }[];
  readonly finding: Omit<Finding, "attribution" | "matchedBy">;
}

/** The time to search, epoch ms. */
export interface SearchedTime {
  readonly start: number;
  readonly end: number;
}

/** The answer to one search for several companies. */
export type SearchAnswer =
  | {
      readonly state: "failed";
      readonly reasonCode: ReasonCode;
      /** The account was refused, so that every other search would fail as well. */
      readonly isRefused: boolean;
    }
  | {
      readonly state: "read";
      readonly texts: readonly FoundText[];
      /** There were more results than the answer contains. */
      readonly isCapped: boolean;
      /** The reason why the answer is not complete; undefined for a complete one. */
      readonly lacks?: ReasonCode;
      /** Time of the answer, epoch ms. */
      readonly readAt: number;
    };

/** A paid search that is asked for companies, and costs a call for each question. */
export interface SearchProvider extends ScanTiming {
  readonly provider: MonitoringProvider;
  /** The time that a first search covers. */
  readonly firstMs: number;
  /** The furthest that a search reaches back. */
  readonly reachMs: number;
  /** Time until the search has what was published. */
  readonly lagMs: number;
  /** True if one question can be about these companies. */
  fitsTogether(companies: readonly ScannedCompany[]): boolean;
  ask(companies: readonly ScannedCompany[], time: SearchedTime): Promise<SearchAnswer>;
}

/** Failures of the account, not of one question. */
export const accountRefusals: ReadonlySet<ReasonCode> = new Set(["rate_limited", "authentication_failed"]);
