import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import { compareTexts } from "../rules/claims.js";
import type { Evidence } from "./evidence.js";

/** Maximum time between two reports that are directly linked as reports of one event. */
const TOGETHER_MS = 72 * HOUR_MS;
/** Maximum time between a report and its correction, or a withdrawal that does not name the report. */
const CORRECTED_MS = 14 * DAY_MS;
/** Maximum time between a filing and reports on its subject. */
const FILING_MS = 48 * HOUR_MS;
/** Two findings about one event: minimum share of the shorter title's words that must also be in the other title. */
const SHARED_RATIO = 0.4;
/** The same minimum for two reports that are at most a day apart. */
const SAME_DAY_RATIO = 0.25;
/** The same minimum for a report and its correction or withdrawal from the same origin. */
const OWN_SHARED_RATIO = 0.25;

/** All evidence of one event of a company, earliest first. */
export type Occurrence = readonly Evidence[];

/**
 * Groups the evidence of one company into events. Two findings belong together if they are linked directly or through
 * other findings. The result does not depend on the order of the evidence. Additional evidence can merge events but
 * never split one. Quadratic in the number of findings, which the caller limits.
 */
export function occurrencesOf(evidence: readonly Evidence[], companyWords: ReadonlySet<string>): readonly Occurrence[] {
  const all = [...new Map([...evidence].sort(byTime).map((item) => [item.key, item])).values()].sort(byTime);
  const groupOf = all.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (groupOf[root] !== root) root = groupOf[root] ?? root;
    groupOf[at] = root;
    return root;
  };
  const join = (a: number, b: number): void => {
    const [first, second] = [rootOf(a), rootOf(b)];
    groupOf[Math.max(first, second)] = Math.min(first, second);
  };
  for (const [at, item] of all.entries()) {
    for (let other = at + 1; other < all.length; other += 1) {
      const later = all[other];
      if (later === undefined || later.finding.publishedAt - item.finding.publishedAt > CORRECTED_MS) break;
      if (!isLinked(item, later, companyWords)) continue;
      join(at, other);
    }
  }
  const placeOf = new Map(all.map(({ key }, at) => [key, at]));
  for (const [at, { withdrawnKey = "" }] of all.entries()) {
    const withdrawn = placeOf.get(withdrawnKey);
    if (withdrawn !== undefined) join(at, withdrawn);
  }
  const groups = new Map<number, Evidence[]>();
  for (const [at, item] of all.entries()) {
    const root = rootOf(at);
    const group = groups.get(root);
    if (group) group.push(item);
    else groups.set(root, [item]);
  }
  return [...groups.values()];
}

/** Compares evidence by time of publication, then by key. */
export function byTime(a: Evidence, b: Evidence): number {
  return a.finding.publishedAt - b.finding.publishedAt || compareTexts(a.key, b.key);
}

/** Tests whether two findings are about the same event. The first argument is the earlier one. */
function isLinked(earlier: Evidence, later: Evidence, companyWords: ReadonlySet<string>): boolean {
  if (earlier.withdrawnKey !== undefined || later.withdrawnKey !== undefined) return false;
  const apartMs = later.finding.publishedAt - earlier.finding.publishedAt;
  const sharedRatio = sharedRatioOf(earlier, later, companyWords);
  if (later.stance !== "reports" || earlier.stance !== "reports") {
    const isOwn = earlier.finding.origin === later.finding.origin;
    if (earlier.isFiling && later.isFiling) return isSameCategory(earlier, later);
    return sharedRatio >= (isOwn ? OWN_SHARED_RATIO : SHARED_RATIO);
  }
  if (!isSameCategory(earlier, later) || apartMs > TOGETHER_MS) return false;
  if (earlier.copyKey === later.copyKey && !earlier.isFiling) return true;
  if (earlier.isFiling !== later.isFiling) return apartMs <= FILING_MS;
  // Two filings are not linked by their titles, because titles of filings are similar regardless of their subject.
  return !earlier.isFiling && sharedRatio >= (apartMs <= DAY_MS ? SAME_DAY_RATIO : SHARED_RATIO);
}

function isSameCategory({ eventClass: a }: Evidence, { eventClass: b }: Evidence): boolean {
  return a.category !== "none" && a.category === b.category;
}

/**
 * Returns the share of the shorter title's words, excluding the company's names, that also occur in the other title.
 */
function sharedRatioOf(a: Evidence, b: Evidence, companyWords: ReadonlySet<string>): number {
  const [shorter, longer] = a.words.size <= b.words.size ? [a, b] : [b, a];
  let [count, shared] = [0, 0];
  for (const word of shorter.words) {
    if (companyWords.has(word)) continue;
    count += 1;
    if (longer.words.has(word)) shared += 1;
  }
  return count === 0 ? 0 : shared / count;
}
