import { MINUTE_MS } from "../../../../kit/clock.js";
import type { CompanyMatch, CompanyMatcher } from "../../matching/company-matcher.js";
import type { ObservedWindow } from "../advanced.js";
import type { Finding } from "../finding.js";
import type { ScannedCompany } from "../provider.js";
import type { ReasonCode } from "../reason-code.js";
import type { ResultText, SearchAnswer, SearchedTime, SearchProvider } from "./search-provider.js";

const ATTRIBUTION_MIN = 0.5;

/** A company to search for. */
export interface SearchTarget {
  readonly company: ScannedCompany;
  /**
   * End of the company's newest complete window, epoch ms; null if there is none, or if the search terms have changed
   * since.
   */
  readonly completeUntil: number | null;
}

export interface SearchOutcome {
  readonly window: ObservedWindow;
  readonly findings: readonly Finding[];
}

export interface SearchRound {
  readonly provider: SearchProvider;
  /** Finds the account's companies that a text names. */
  readonly matcher: CompanyMatcher;
  /** Now, epoch ms. */
  now(): number;
  /** No query is sent after this time, epoch ms. */
  readonly deadline: number;
  /** The reason why the provider rejected the service's account earlier in the round; undefined if it did not. */
  readonly refusal?: ReasonCode | undefined;
}

export interface SearchResult {
  /** By company key. A company without an outcome was not searched for, and is soon due again. */
  readonly outcomes: ReadonlyMap<string, SearchOutcome>;
  /** The reason why the provider rejected the service's account; undefined if it did not. */
  readonly refusal: ReasonCode | undefined;
}

/**
 * Searches for companies in order. Companies that share a query form a group. If the answer for a group is capped, or
 * its query is rejected, the group is split, so that one company does not harm the others. Once the provider rejects
 * the service's account, the remaining companies fail with the same reason and cost no call.
 */
export async function searchCompanies(targets: readonly SearchTarget[], round: SearchRound): Promise<SearchResult> {
  const outcomes = new Map<string, SearchOutcome>();
  const waiting = groupsOf(targets, round.provider);
  let { refusal } = round;
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    if (refusal === undefined && round.now() >= round.deadline) break;
    const time = timeOf(group, round);
    const answer: SearchAnswer =
      refusal === undefined
        ? await round.provider.ask(
            group.map(({ company }) => company),
            time,
          )
        : { state: "failed", reasonCode: refusal, isRefused: true };
    if (group.length > 1 && isOfOneCompany(answer)) {
      const half = Math.ceil(group.length / 2);
      waiting.unshift(group.slice(0, half), group.slice(half));
      continue;
    }
    if (answer.state === "failed" && answer.isRefused) refusal = answer.reasonCode;
    for (const [companyKey, outcome] of outcomesOf(group, answer, time, round)) outcomes.set(companyKey, outcome);
  }
  return { outcomes, refusal };
}

/** True for an answer that a single company of the group may have caused. */
function isOfOneCompany(answer: SearchAnswer): boolean {
  return answer.state === "read" ? answer.isCapped : answer.reasonCode === "request_rejected";
}

/** Groups the companies that share a query, in the order of the targets. */
function groupsOf(targets: readonly SearchTarget[], { fitsTogether }: SearchProvider): SearchTarget[][] {
  const groups: SearchTarget[][] = [];
  for (const target of targets) {
    const last = groups.at(-1);
    const isFitting = last && fitsTogether([...last, target].map(({ company }) => company));
    if (isFitting) last.push(target);
    else groups.push([target]);
  }
  return groups;
}

/** Returns the period that the whole group needs. It ends at a whole minute. */
function timeOf(group: readonly SearchTarget[], { provider, now }: SearchRound): SearchedTime {
  const end = Math.floor((now() - provider.lagMs) / MINUTE_MS) * MINUTE_MS;
  return { start: Math.min(...group.map((target) => startOf(target, end, provider))), end };
}

/**
 * Returns the start of a company's window. It is at least a minute before the end, because two changes of a company
 * within a minute would otherwise lead to an empty window, which searches refuse.
 */
function startOf({ completeUntil }: SearchTarget, end: number, { firstMs, reachMs }: SearchProvider): number {
  return Math.min(end - MINUTE_MS, Math.max(completeUntil ?? end - firstMs, end - reachMs));
}

function outcomesOf(
  group: readonly SearchTarget[],
  answer: SearchAnswer,
  time: SearchedTime,
  { provider, matcher }: SearchRound,
): readonly (readonly [string, SearchOutcome])[] {
  if (answer.state === "failed") {
    const window: ObservedWindow = { state: "PROVIDER_COVERAGE_STATE_FAILED", reasonCode: answer.reasonCode };
    return group.map(({ company }) => [company.companyKey, { window, findings: [] }]);
  }
  const findings = findingsIn(answer.texts, matcher);
  // An answer may be older than the query if another account has already sent the same query.
  const end = Math.min(time.end, answer.readAt - provider.lagMs);
  const isComplete = answer.lacks === undefined;
  return group.map((target) => [
    target.company.companyKey,
    {
      window: {
        state: isComplete ? "PROVIDER_COVERAGE_STATE_COMPLETE" : "PROVIDER_COVERAGE_STATE_PARTIAL",
        reasonCode: answer.lacks ?? "complete",
        capped: answer.isCapped,
        start: Math.min(end, startOf(target, time.end, provider)),
        end,
      },
      findings: findings.get(target.company.companyKey) ?? [],
    },
  ]);
}

/** Finds the companies that the texts name, and returns the findings by company key. */
function findingsIn(texts: readonly ResultText[], matcher: CompanyMatcher): ReadonlyMap<string, readonly Finding[]> {
  const findings = new Map<string, Finding[]>();
  for (const { parts, finding } of texts) {
    const best = new Map<string, CompanyMatch>();
    for (const match of parts.flatMap(({ text, kind }) => (text === "" ? [] : matcher.match(text, kind)))) {
      if (match.attribution < ATTRIBUTION_MIN) continue;
      if (match.attribution > (best.get(match.companyKey)?.attribution ?? 0)) best.set(match.companyKey, match);
    }
    for (const { companyKey, attribution, matchedBy } of best.values()) {
      const own = findings.get(companyKey) ?? [];
      findings.set(companyKey, own);
      own.push({ ...finding, attribution, matchedBy });
    }
  }
  return findings;
}
