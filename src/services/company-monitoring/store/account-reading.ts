import type { StoreCall, StoreParts } from "../../../database/service-store.js";
import type { CompanyReading } from "../changes/company-reading.js";
import { accountOf } from "./account-of.js";
import { boundaryAt, changesAfter, isListable } from "./change-log.js";
import { eventOf, listedCompanies, listedImpacts } from "./listings.js";
import { companiesIn } from "./tables.js";

/** Opens the lists, events and change log of the caller's account. */
export function accountReading({ clock }: Pick<StoreParts, "clock">, call: StoreCall): CompanyReading {
  const db = companiesIn(call.db);
  const accountId = accountOf(call);
  return {
    boundary: () => boundaryAt(db, accountId, clock.now()),
    isListable: (boundary) => isListable(db, accountId, boundary),
    companies: (filters, page) => listedCompanies(db, accountId, filters, page),
    impacts: (filters, page) => listedImpacts(db, accountId, filters, page),
    changesAfter: (position, changesMax) => changesAfter(db, accountId, position, changesMax),
    event: (impactId, evidenceMax) => eventOf(db, accountId, impactId, evidenceMax),
  };
}
