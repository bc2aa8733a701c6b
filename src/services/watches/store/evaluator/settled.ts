import { SECOND_MS } from "../../../../kit/clock.js";

/**
 * Time between the end of a quiet period and the next evaluation of the watch. It is long enough for the dataset log to
 * receive every change that happened before the end of the quiet period.
 */
export const SETTLED_AFTER_MS = 5 * SECOND_MS;
