import type { ListKey } from "../records.js";
import type { Least } from "./whole-list.js";

/**
 * Minimum number of entries of each list, about a twentieth of its size in 2026. A smaller list means a wrong or
 * emptied document. The minimums are low because other rules detect a truncated list. Truncated XML does not parse. An
 * OFAC list is refused if its aliases and addresses refer to too many missing entries. No list may lose more than a
 * tenth of its entries in one build.
 */
export const leastEntries = {
  sdn: { all: 750, individual: 310, entity: 365, vessel: 50, aircraft: 16 },
  consolidated: { all: 20 },
  sema: { all: 280 },
  un: { all: 40, individual: 30 },
} as const satisfies Readonly<Record<ListKey, Least>>;
