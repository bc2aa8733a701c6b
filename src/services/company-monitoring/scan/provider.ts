import type { ReadSetting } from "../../../contract/setting.js";
import type { AvailableSnapshot, Snapshot } from "../../../contract/snapshot.js";
import type { ClockPace, Steps } from "../../../kit/loop-turns.js";
import type { CompanyIndex } from "../matching/company-index.js";
import type { MonitoringProvider } from "../records.js";
import type { Claim } from "../rules/claims.js";
import type { ObservedWindow } from "./advanced.js";
import type { Finding } from "./finding.js";

/** A company as providers see it. */
export interface ScannedCompany {
  /** Key of the company, unique over all accounts. */
  readonly companyKey: string;
  readonly accountId: string;
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly domicileCountry: string;
  readonly claims: readonly Claim[];
}

/** The companies of one scan. */
export interface ScanScope {
  readonly companies: readonly ScannedCompany[];
  /**
   * All active companies of the accounts concerned, one index per account. The indexes resolve names that several
   * companies share.
   */
  readonly portfolios: readonly CompanyIndex[];
}

/** A finding with its company. */
export interface CompanyFinding {
  readonly companyKey: string;
  readonly finding: Finding;
}

/** A finding that is stored. */
export interface StoredFinding {
  readonly finding: Finding;
  /** Epoch ms. */
  readonly foundAt: number;
}

export interface ProviderFacts {
  /** Epoch ms. */
  readonly now: number;
  readonly settingOf: ReadSetting;
}

/**
 * A source of findings. It reads a dataset that is collected once for all companies, so scanning a company sends no
 * request. Pure.
 */
export interface ScanProvider<View> {
  readonly provider: MonitoringProvider;
  /** Time between two scans of a company. */
  readonly everyMs: number;
  /** Age at which a window becomes too old. */
  readonly freshMs: number;
  /** False if its sources are switched off or lack a key. */
  isConfigured(snapshot: Snapshot<View>): boolean;
  appliesTo(company: ScannedCompany): boolean;
  /** Returns the window that the snapshot covers; undefined if no build of its dataset has been attempted. */
  windowOf(snapshot: Snapshot<View>, facts: ProviderFacts): ObservedWindow | undefined;
  /** Finds evidence on any of the companies, in slices. */
  findSteps(scope: ScanScope, view: View, facts: ProviderFacts, pace: ClockPace): Steps<readonly CompanyFinding[]>;
  /**
   * Derives further findings on a company from its stored findings, oldest first, and from the findings of this scan.
   * Called in every scan, even if the content of the dataset has not changed.
   */
  followUps?(
    stored: readonly StoredFinding[],
    newFindings: readonly Finding[],
    snapshot: AvailableSnapshot<View>,
  ): readonly Finding[];
}
