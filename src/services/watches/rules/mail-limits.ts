import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";

/** Maximum number of addresses for which an account may request confirmation in one day, UTC. */
export const ASKED_PER_DAY_MAX = 20;
/** Minimum time between two confirmation requests to an address, whichever accounts name it. */
export const ASKED_EVERY_MS = 24 * HOUR_MS;
/**
 * Longest time that a confirmation request may have to wait because other accounts have named the same address. If it
 * would have to wait longer, the account's call is refused.
 */
export const ASK_WAIT_MS_MAX = 3 * DAY_MS;
/** Time for which a confirmation link is valid. */
export const CONFIRMED_WITHIN_MS = 7 * DAY_MS;
/** Time after which an email that no server has accepted is abandoned. */
export const MAILED_WITHIN_MS = 3 * DAY_MS;
/** Maximum number of an account's unsent emails to one address. Further firings wait in the log. */
export const WAITING_MAX = 500;
