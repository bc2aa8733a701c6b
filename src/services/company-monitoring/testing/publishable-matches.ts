import { floors } from "../admission/decision.js";
import type { SearchedCompany } from "../matching/company-index.js";
import type { CompanyMatch, MatchedText } from "../matching/company-matcher.js";

interface Matcher {
  match(text: string, kind: MatchedText): readonly CompanyMatch[];
}

/**
 * Returns the keys of the companies that a text names with enough certainty for publication, in the matcher's order.
 */
export function publishableKeys(matcher: Matcher, text: string, kind: MatchedText = "title"): readonly string[] {
  return matcher
    .match(text, kind)
    .filter(({ attribution }) => attribution >= floors.attribution)
    .map(({ companyKey }) => companyKey);
}

/** Creates a company with a single alias, which is also its key. */
export function aliasedCompany(name: string, alias: string): SearchedCompany {
  return { key: alias, name, aliases: [alias], domains: [], identifiers: [], domicileCountry: "" };
}
