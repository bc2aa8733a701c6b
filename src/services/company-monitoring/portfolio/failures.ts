import { type Failure, failure } from "../../../contract/failures.js";
import { CLAIMS_MAX, COMPANIES_MAX } from "../rules/limits.js";

/** The failures of the portfolio. Their codes are stable. */

export function companyNotFound(): Failure {
  return failure("itemNotFound", { what: "company", code: "NOT_FOUND" });
}

export function claimNotFound(): Failure {
  return failure("itemNotFound", { what: "claim of this company", code: "CLAIM_NOT_FOUND" });
}

export function replayConflict(): Failure {
  return failure("conflict", {
    code: "REPLAY_CONFLICT",
    sentence: "This clientRequestId was used before for another company; use a new one",
  });
}

export function customerReferenceConflict(): Failure {
  return failure("conflict", {
    code: "CUSTOMER_REFERENCE_CONFLICT",
    sentence: "Another company of the account has this customer reference",
  });
}

export function removedIsTerminal(): Failure {
  return failure("conflict", {
    code: "REMOVED_COMPANY_IS_TERMINAL",
    sentence: "A removed company stays removed; create it again to monitor it",
  });
}

export function companyLimitReached(): Failure {
  return failure("limitReached", {
    code: "COMPANY_LIMIT_REACHED",
    sentence: `An account monitors at most ${COMPANIES_MAX} companies; remove one first`,
  });
}

export function claimLimitReached(): Failure {
  return failure("limitReached", {
    code: "CLAIM_LIMIT_REACHED",
    sentence: `A company has at most ${CLAIMS_MAX} claims; remove some first`,
  });
}
