import { isClosureInWords, isLimitedClosure, onOneLine } from "./closure-notice.js";

/** The meaning of a NOTAM for an airport; `unread` if neither its code nor its text can be interpreted. */
export type NoticeKind = "closure" | "restriction" | "other" | "unread";

/** Subjects that can be closed: the second and third letter of a Q code. */
const closable: ReadonlySet<string> = new Set(["FA", "AH", "AL", "AW", "AC", "AM"]);
const restrictable: ReadonlySet<string> = new Set(["RA", "RO"]);
/** Conditions that mean a closure: the fourth and fifth letter of a Q code. */
const closed: ReadonlySet<string> = new Set(["LC", "AS", "AU", "XX", "AW"]);
const restricted: ReadonlySet<string> = new Set(["RE", "RT"]);

const RESTRICTION = /\b(?:RESTRICTED|PROHIBITED|DANGER) AREA\b|\bTFR\b|\bTEMPORARY FLIGHT RESTRICTIONS?\b/i;

/**
 * Classifies a NOTAM by its code or text. A closure outranks a restriction; a closure for some aircraft only is
 * `other`.
 */
export function noticeKind(notice: {
  readonly code23: string;
  readonly code45: string;
  readonly text: string;
}): Exclude<NoticeKind, "unread"> {
  const { code23, code45 } = notice;
  const text = onOneLine(notice.text);
  const isClosed = (closable.has(code23) && closed.has(code45)) || isClosureInWords(text);
  if (isClosed) return isLimitedClosure(text) ? "other" : "closure";
  const isRestricted = (closable.has(code23) || restrictable.has(code23)) && restricted.has(code45);
  return isRestricted || RESTRICTION.test(text) ? "restriction" : "other";
}
