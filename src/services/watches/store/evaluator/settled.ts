import { SECOND_MS } from "../../../../kit/clock.js";

/**
 * Time between the end of a quiet period and its evaluation, so that the log has received everything before that end.
 */
export const SETTLED_AFTER_MS = 5 * SECOND_MS;
