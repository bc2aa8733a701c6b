import { isLimitedClosure } from "./closure-notice.js";

/** The meaning of a NOTAM for an airport; `unread` where its code cannot be read and its words do not say. */
export type NoticeKind = "closure" | "restriction" | "other" | "unread";

/** Second and third letter of a Q code: what is concerned. */
const closable: ReadonlySet<string> = new Set(["FA", "AH", "AL", "AW", "AC", "AM"]);
const restrictable: ReadonlySet<string> = new Set(["RA", "RO"]);
/** Fourth and fifth letter: what became of it. */
const closed: ReadonlySet<string> = new Set(["LC", "AS", "AU", "XX", "AW"]);
const restricted: ReadonlySet<string> = new Set(["RE", "RT"]);

const CLOSURE =
  /\b(?:AD|AP|ARPT|AIRPORT|AERODROME)(?: (?:AP|IS|ARE|WILL BE|TEMPORARILY|TEMPO)){0,5} (?:CLSD|CLOSED|SHUT DOWN)\b/i;
const RESTRICTION = /\b(?:RESTRICTED|PROHIBITED|DANGER) AREA\b|\bTFR\b|\bTEMPORARY FLIGHT RESTRICTIONS?\b/i;

/** By its code or its words; a closure is stronger than a restriction, and one to some aircraft only is neither. */
export function noticeKind(notice: {
  readonly code23: string;
  readonly code45: string;
  readonly text: string;
}): Exclude<NoticeKind, "unread"> {
  const { code23, code45 } = notice;
  const text = notice.text.replace(/\s+/g, " ");
  const isClosed = (closable.has(code23) && closed.has(code45)) || CLOSURE.test(text);
  if (isClosed) return isLimitedClosure(text) ? "other" : "closure";
  const isRestricted = (closable.has(code23) || restrictable.has(code23)) && restricted.has(code45);
  return isRestricted || RESTRICTION.test(text) ? "restriction" : "other";
}
