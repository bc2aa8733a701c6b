import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";

/** Addresses that an account may have asked for confirmation on one day, UTC. */
export const ASKED_PER_DAY_MAX = 20;
/** An address is asked at most once in this time, whichever accounts name it. */
export const ASKED_EVERY_MS = 24 * HOUR_MS;
/** Days that an account may have to wait because other accounts named the same address. */
export const ASK_WAIT_MS_MAX = 3 * DAY_MS;
/** Time for which the link of a confirmation works. */
export const CONFIRMED_WITHIN_MS = 7 * DAY_MS;
/** Time after which a mail that was not accepted is given up. */
export const MAILED_WITHIN_MS = 3 * DAY_MS;
/** Mails that wait for one address of an account. Further firings wait in the log. */
export const WAITING_MAX = 500;
