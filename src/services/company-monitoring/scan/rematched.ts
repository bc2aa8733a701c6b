import { nameKey } from "../identity/name-key.js";
import type { CompanyMatch, CompanyMatcher, MatchedText } from "../matching/company-matcher.js";
import type { Finding } from "./finding.js";
import type { ScannedCompany } from "./provider.js";
import { LISTED } from "./providers/list-changes.js";
import { namesOf } from "./providers/names-of.js";
import { EXCERPT_CHARACTERS_MAX, TITLE_CHARACTERS_MAX } from "./providers/news.js";
import { ELSEWHERE } from "./providers/sanctions.js";

/** Minimum confidence of a match in a text, the same as in a scan. */
const ATTRIBUTION_MIN = 0.5;
/** A cut text can be this much shorter than the limit, because cutting never splits a character or leaves a space. */
const CUT_SLACK = 2;
const IN_TEXT = " in text";

/**
 * Matches a stored finding with the company as it is now. Returns the finding with its new attribution, or undefined if
 * it is not about the company any more. Filings and findings of registers are returned unchanged, because they depend
 * on the register record of the company, which is looked up separately.
 */
export function rematched(finding: Finding, company: ScannedCompany, matcher: CompanyMatcher): Finding | undefined {
  switch (finding.provider) {
    case "MONITORING_PROVIDER_NEWS":
    case "MONITORING_PROVIDER_SEARCH":
      return inTexts(finding, company, matcher, [
        [finding.title, "title"],
        [finding.excerpt, "text"],
      ]);
    case "MONITORING_PROVIDER_SOCIAL":
      return inTexts(finding, company, matcher, [[finding.excerpt, "text"]]);
    case "MONITORING_PROVIDER_SANCTIONS":
      return onList(finding, company);
    default:
      return finding;
  }
}

function inTexts(
  finding: Finding,
  { companyKey }: ScannedCompany,
  matcher: CompanyMatcher,
  texts: readonly (readonly [string, MatchedText])[],
): Finding | undefined {
  const best = texts
    .flatMap(([text, kind]) => (text === "" ? [] : matcher.match(text, kind)))
    .filter((match) => match.companyKey === companyKey && match.attribution >= ATTRIBUTION_MIN)
    .reduce<CompanyMatch | undefined>((a, b) => (a && a.attribution >= b.attribution ? a : b), undefined);
  // The words that named the company may be in the part of the text that was not stored.
  if ((best?.attribution ?? 0) < finding.attribution && mayLackItsMatch(finding)) return finding;
  return best && { ...finding, attribution: best.attribution, matchedBy: best.matchedBy };
}

/** True if the text in which the company was named was probably cut before it was stored. */
function mayLackItsMatch({ provider, title, excerpt, matchedBy }: Finding): boolean {
  if (provider !== "MONITORING_PROVIDER_NEWS") return false;
  return matchedBy.endsWith(IN_TEXT)
    ? excerpt.length >= EXCERPT_CHARACTERS_MAX - CUT_SLACK
    : title.length >= TITLE_CHARACTERS_MAX - CUT_SLACK;
}

const MATCHED_NAME = /^name (.*?)(?:, country ([A-Z]{2}))?$/;

/**
 * An entry of a sanctions list names the company if the company has the name by which the entry was matched, or the
 * main name of the entry. The finding does not list the countries of the entry, so a country counts only if the entry
 * was matched with it.
 */
function onList(finding: Finding, company: ScannedCompany): Finding | undefined {
  const [, matchedName = "", country] = MATCHED_NAME.exec(finding.matchedBy) ?? [];
  const entryName = finding.title.split(LISTED, 1)[0] ?? "";
  const keys = new Set(namesOf(company).map(nameKey));
  if (!keys.has(nameKey(matchedName)) && !keys.has(nameKey(entryName))) return undefined;
  if (country === undefined || country === company.domicileCountry) return finding;
  return { ...finding, attribution: ELSEWHERE, matchedBy: `name ${matchedName}` };
}
