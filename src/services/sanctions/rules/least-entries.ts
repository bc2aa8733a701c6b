import type { ListKey } from "../records.js";
import type { Least } from "./whole-list.js";

/**
 * The fewest entries of each list: about a twentieth of what it held in 2026. A smaller list is a wrong or an emptied
 * document. The numbers are low because other rules find a list that was cut short: XML that is cut does not parse,
 * OFAC's aliases and addresses name entries that a cut list lacks, and a list may not lose more than a tenth in one build.
 */
export const leastEntries = {
  sdn: { all: 750, individual: 310, entity: 365, vessel: 50, aircraft: 16 },
  consolidated: { all: 20 },
  sema: { all: 280 },
  un: { all: 40, individual: 30 },
} as const satisfies Readonly<Record<ListKey, Least>>;
