import { type Port, port } from "../../contract/port.js";
import type { Company } from "./portfolio/company.js";
import type { CompanyCoverage } from "./records.js";

/** The counters of an account. */
export interface PortfolioCounts {
  /** Companies that are not removed. */
  readonly companyCount: number;
  readonly generation: number;
}

/** The caller's companies, to read. */
export interface CompanyDirectory {
  /** False while the operator has switched company monitoring off. */
  readonly isEnabled: boolean;
  counts(): Promise<PortfolioCounts>;
  /** Undefined for a company that is unknown, removed or of another account. */
  coverage(companyId: string): Promise<CompanyCoverage | undefined>;
}

export const companyDirectory: Port<CompanyDirectory> = port("company directory");

/** The client's own name for a request that creates a company. */
export interface RequestKey {
  readonly kind: "create" | "import";
  readonly requestId: string;
  /** Row of an import; 0 for a create. */
  readonly ordinal: number;
}

/** A request that created a company. */
export interface EarlierRequest {
  readonly fingerprint: string;
  readonly companyId: string;
}

/** A new company with the request that creates it, if the client named that. */
export interface NewCompany {
  readonly company: Company;
  readonly request: (RequestKey & { readonly fingerprint: string }) | undefined;
}

/** The account while this write holds it: no other write of the account runs until the transaction ends. */
export interface PortfolioTurn {
  /** Time of this write, epoch ms. */
  readonly now: number;
  /** Companies that are not removed. */
  companyCount(): number;
  /** The current version, also of a removed company; undefined for one that is unknown or of another account. */
  find(companyId: string): Promise<Company | undefined>;
  /** The company with this customer reference. A removed company has none. */
  findByReference(customerReference: string): Promise<Company | undefined>;
  findRequest(key: RequestKey): Promise<EarlierRequest | undefined>;
  newCompanyId(): string;
  newClaimId(): string;
  /** Adds a company and queues its first scan. */
  add(added: NewCompany): Promise<void>;
  /** Replaces the current version of a company, and queues or cancels its scan. */
  replace(before: Company, after: Company): Promise<void>;
}

/** The caller's companies, to write. */
export interface Portfolio {
  /** Waits until no other write of the account runs. Call it first, inside a transaction. */
  turn(): Promise<PortfolioTurn>;
}

export const portfolio: Port<Portfolio> = port("portfolio");
