import { DAY_MS, SECOND_MS } from "../../../kit/clock.js";

export const NAME_CHARACTERS_MAX = 120;
export const CALL_CHARACTERS_MAX = 2_048;
export const CONDITION_BYTES_MAX = 1_024;
/** Less than the maximum for a condition, because the identity of rows is evaluated inside `map(&(…), @)`. */
export const IDENTITY_BYTES_MAX = 1_000;
export const QUIET_SECONDS_MAX = (7 * DAY_MS) / SECOND_MS;
export const EMAILS_MAX = 5;
export const EMAIL_CHARACTERS_MAX = 254;

/** Consecutive failed evaluations after which a watch is disabled. */
export const FAILURES_MAX = 10;
/** Maximum number of characters of an error in a firing's message and in `lastError`. Longer errors are cut. */
export const MESSAGE_CHARACTERS_MAX = 500;

/** Maximum number of rows in one firing, and of firings per evaluation if the watch groups by row. */
export const FIRED_ROWS_MAX = 20;
/** Maximum size of one value in a firing: bytes of its JSON in UTF-8. Larger values are left out. */
export const VALUE_BYTES_MAX = 4_096;
/** Maximum size of a whole firing: bytes of its JSON in UTF-8. */
export const FIRING_BYTES_MAX = 65_536;
/** Maximum number of characters in a row's identity. Longer identities end in a hash. */
export const IDENTITY_CHARACTERS_MAX = 200;

/**
 * Maximum number of rows whose identities one evaluation of an expression yields. It is limited because the JSON of an
 * evaluation's result may have at most 256 KB.
 */
export const IDENTITY_ROWS_AT_ONCE = 1_000;
/** Maximum number of units of work for the identities of one list. */
export const IDENTITY_UNITS_MAX = 12_000_000;
/** Maximum number of degraded answers remembered until the next complete answer. */
export const PARTIAL_BASELINES_MAX = 8;

/** Maximum number of sources that a firing lists. */
export const SOURCES_MAX = 50;
