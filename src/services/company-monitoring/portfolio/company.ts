import type { CoverageState, ObservationState } from "../records.js";
import type { Claim } from "../rules/claims.js";
import type { CompanyLifecycle } from "../rules/lifecycle.js";

/** A company as it is stored. */
export interface Company {
  readonly companyId: string;
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly domicileCountry: string;
  readonly customerReference: string | undefined;
  readonly lifecycle: CompanyLifecycle;
  readonly coverage: CoverageState;
  readonly observation: ObservationState;
  /** Time at which coverage or observation last changed, epoch ms; null before the first scan. */
  readonly coverageChangedAt: number | null;
  /** Sorted by type and value. */
  readonly claims: readonly Claim[];
  /** Epoch ms. */
  readonly createdAt: number;
  /** Epoch ms. */
  readonly updatedAt: number;
}
