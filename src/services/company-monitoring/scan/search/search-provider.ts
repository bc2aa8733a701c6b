import type { MonitoringProvider } from "../../records.js";
import type { ScanTiming } from "../advanced.js";
import type { Finding } from "../finding.js";
import type { ScannedCompany } from "../provider.js";
import type { ReasonCode } from "../reason-code.js";

/** A text that a search found, with the finding that it yields for each company named in it. */
export interface ResultText {
  /** The parts that are searched for companies. */
  readonly parts: readonly { readonly text: string; readonly kind: "title" | "text" }[];
  readonly finding: Omit<Finding, "attribution" | "matchedBy">;
}

/** The period to search, epoch ms. */
export interface SearchedTime {
  readonly start: number;
  readonly end: number;
}

/** The answer to one search for several companies. */
export type SearchAnswer =
  | {
      readonly state: "failed";
      readonly reasonCode: ReasonCode;
      /**
       * The provider rejected the service's account (see `accountRefusals`), so every other search would fail as well.
       */
      readonly isRefused: boolean;
    }
  | {
      readonly state: "read";
      readonly texts: readonly ResultText[];
      /** There were more results than the answer contains. */
      readonly isCapped: boolean;
      /** The reason why the answer is not complete; undefined for a complete answer. */
      readonly lacks?: ReasonCode;
      /** Time of the answer, epoch ms. */
      readonly readAt: number;
    };

/** A paid search for publications about companies. Each query uses one call of the provider's budget. */
export interface SearchProvider extends ScanTiming {
  readonly provider: MonitoringProvider;
  /** The period that a first search covers. */
  readonly firstMs: number;
  /** Maximum time that a search can look back. */
  readonly reachMs: number;
  /** Time until the search has indexed a new publication. */
  readonly lagMs: number;
  /** True if a single query can cover these companies. */
  fitsTogether(companies: readonly ScannedCompany[]): boolean;
  ask(companies: readonly ScannedCompany[], time: SearchedTime): Promise<SearchAnswer>;
}

/** Failures that concern the service's account at the provider (a refused key, a rate limit or a spent budget). */
export const accountRefusals: ReadonlySet<ReasonCode> = new Set(["rate_limited", "authentication_failed"]);
