import type { ScannedCompany } from "../scan/provider.js";
import type { ReasonCode } from "../scan/reason-code.js";
import type { RegisterRecord } from "./resolve-identity.js";

/**
 * The records that a register has under the numbers and names of a company, or the reason why they could not be read.
 */
export type RegisterAnswer =
  | { readonly state: "read"; readonly records: readonly RegisterRecord[]; readonly readAt: number }
  | { readonly state: "failed"; readonly reasonCode: ReasonCode };

/** A public register of companies. */
export interface CompanyRegister {
  readonly name: RegisterRecord["register"];
  appliesTo(company: ScannedCompany): boolean;
  /** Returns undefined if the answer needs a dataset, and no build of this dataset has been attempted yet. */
  lookUp(company: ScannedCompany): Promise<RegisterAnswer | undefined>;
}
