import { type Port, port } from "../../contract/port.js";
import type { ImpactFeedSource } from "./changes/impact-feed.js";
import type { Company } from "./portfolio/company.js";
import type { CompanyCoverage } from "./records.js";

/** The counters of an account. */
export interface PortfolioCounts {
  /** Number of companies that are not removed. */
  readonly companyCount: number;
  /** Snapshot generation: the number of changes to the portfolio. */
  readonly generation: number;
}

/** Read access to the caller's companies. */
export interface CompanyDirectory {
  /** False while the operator has switched company monitoring off. */
  readonly isEnabled: boolean;
  /** True if scans search the web. */
  readonly searchesWeb: boolean;
  /** True if scans search posts on X. */
  readonly searchesPosts: boolean;
  counts(): Promise<PortfolioCounts>;
  /** Undefined if the company is unknown, was removed or belongs to another account. */
  coverage(companyId: string): Promise<CompanyCoverage | undefined>;
}

export const companyDirectory: Port<CompanyDirectory> = port("company directory");

/** Identifies a request that creates companies. The client chose the id. */
export interface RequestKey {
  readonly kind: "create" | "import";
  readonly requestId: string;
}

/** A request, or one row of a request, that created a company. */
export interface EarlierRequest {
  readonly fingerprint: string;
  readonly companyId: string;
}

/**
 * A new company. `request` identifies the request that creates the company, and the row of that request; undefined if
 * the client gave the request no id.
 */
export interface NewCompany {
  readonly company: Company;
  readonly request: (RequestKey & { readonly ordinal: number; readonly fingerprint: string }) | undefined;
}

/** The account, locked by this write: no other write of the account runs until the transaction ends. */
export interface PortfolioTurn {
  /** Time of this write, epoch ms. */
  readonly now: number;
  /** Returns the number of companies that are not removed. */
  companyCount(): number;
  /**
   * Returns the current version of a company, removed or not; undefined if it is unknown or belongs to another account.
   */
  find(companyId: string): Promise<Company | undefined>;
  /** Like `find`, for several companies by their ids. */
  findAll(companyIds: readonly string[]): Promise<ReadonlyMap<string, Company>>;
  /** Returns the companies with these customer references, by reference. A removed company has no reference. */
  findByReferences(customerReferences: readonly string[]): Promise<ReadonlyMap<string, Company>>;
  /**
   * Returns, by ordinal, the rows of a request that have created a company. The ordinal is the row number of an import,
   * or 0 for a create.
   */
  findRequest(key: RequestKey): Promise<ReadonlyMap<number, EarlierRequest>>;
  newCompanyId(): string;
  newClaimId(): string;
  /**
   * Adds companies in this order and queues their first scans. Each company is a write of its own that advances the
   * generation by one.
   */
  add(added: readonly NewCompany[]): Promise<void>;
  /** Replaces the current version of a company, and queues or cancels its scan. */
  replace(before: Company, after: Company): Promise<void>;
}

/** Write access to the caller's companies. */
export interface Portfolio {
  /** Waits until no other write of the account is running. Must be called first, inside a transaction. */
  turn(): Promise<PortfolioTurn>;
}

export const portfolio: Port<Portfolio> = port("portfolio");

/** The link to the feed of the caller's account. */
export interface ImpactFeedLink {
  /** Revokes the earlier link, if there is one, and returns the path of a new one. */
  replace(): Promise<string>;
}

export const impactFeedLink: Port<ImpactFeedLink> = port("link to the feed of impacts");

/** The feeds of impacts, for holders of their links. */
export interface ImpactFeeds {
  /**
   * Returns the latest changes of impacts; undefined if the token is unknown or revoked, or the account's plan is not
   * in force.
   */
  read(token: string, changesMax: number): Promise<ImpactFeedSource | undefined>;
}

export const impactFeeds: Port<ImpactFeeds> = port("feeds of impacts");
