import { SECOND_MS } from "../../../../kit/clock.js";

/** Time from the end of a quiet period to its evaluation, in which the log receives everything before that end. */
export const SETTLED_AFTER_MS = 5 * SECOND_MS;
