import type { ViewOf } from "../../../../contract/dataset.js";
import { HOUR_MS } from "../../../../kit/clock.js";
import type { sanctionsLists } from "../../../sanctions/datasets/sanctions-lists.js";
import { nameKey } from "../../identity/name-key.js";
import type { Finding } from "../finding.js";
import type { CompanyFinding, ScannedCompany, ScanProvider } from "../provider.js";
import { LISTED, listChanges } from "./list-changes.js";
import { namesOf } from "./names-of.js";
import { confirmedWindow, isConfigured } from "./snapshot-window.js";

type SanctionsView = ViewOf<typeof sanctionsLists>;
type Listed = ReturnType<SanctionsView["names"]["search"]>["matches"][number];

/**
 * Maximum number of entries found per name. The search finds entries that share words with the name. Only exact matches
 * are kept.
 */
const CANDIDATES_MAX = 50;
const PROGRAMS_SHOWN = 5;
/**
 * Attribution of an entry that lists the company's country, and of any other entry. An equal name does not prove that
 * the entry is the company.
 */
export const [AT_HOME, ELSEWHERE] = [0.95, 0.8];

const listNames: Readonly<Record<string, { readonly name: string; readonly url: string }>> = {
  sdn: { name: "OFAC SDN", url: "https://sanctionssearch.ofac.treas.gov/" },
  consolidated: { name: "OFAC Consolidated", url: "https://sanctionssearch.ofac.treas.gov/" },
  sema: {
    name: "SEMA",
    url: "https://www.international.gc.ca/world-monde/international_relations-relations_internationales/sanctions/consolidated-consolide.aspx",
  },
  un: { name: "UN Security Council", url: "https://main.un.org/securitycouncil/en/content/un-sc-consolidated-list" },
};

/**
 * Finds an entry of a sanctions list if the entry and the company have a name in common. A list is always read whole,
 * so the window of a scan has no start.
 */
export const sanctionsProvider: ScanProvider<SanctionsView> = {
  provider: "MONITORING_PROVIDER_SANCTIONS",
  everyMs: HOUR_MS,
  freshMs: 14 * HOUR_MS,
  isConfigured,
  appliesTo: () => true,
  windowOf: (snapshot) => confirmedWindow(snapshot),
  *findSteps({ companies }, { names }, { now }, pace) {
    const findings: CompanyFinding[] = [];
    for (const company of companies) {
      const entries = new Map<string, Listed>();
      for (const key of new Set(namesOf(company).map(nameKey))) {
        // Short names are skipped, because too many parties share them.
        if (key.length < 4) continue;
        for (const match of names.search(key, CANDIDATES_MAX).matches) {
          const isNamed = match.entity.type === "entity" && nameKey(match.matchedName) === key;
          if (isNamed && !entries.has(match.entity.id)) entries.set(match.entity.id, match);
        }
        if (pace.isOver) yield;
      }
      for (const entry of entries.values()) {
        findings.push({ companyKey: company.companyKey, finding: findingOf(entry, company, now) });
      }
    }
    return findings;
  },
  followUps: listChanges,
};

function findingOf({ entity, matchedName }: Listed, { domicileCountry }: ScannedCompany, now: number): Finding {
  const [key = ""] = entity.id.split(":", 1);
  const list = listNames[key] ?? { name: key, url: "" };
  const isAtHome = entity.countries?.includes(domicileCountry) === true;
  return {
    provider: "MONITORING_PROVIDER_SANCTIONS",
    sourceId: entity.id,
    canonicalUrl: list.url,
    publisher: list.name,
    origin: `sanctions ${key}`,
    authorityTier: "EVIDENCE_AUTHORITY_TIER_PRIMARY_VERIFIED",
    title: `${entity.name}${LISTED}${list.name}`,
    excerpt: [entity.programs.slice(0, PROGRAMS_SHOWN).join(", "), entity.note ?? ""].filter(Boolean).join("; "),
    publishedAt: entity.listedAt ?? entity.publishedAt ?? now,
    attribution: isAtHome ? AT_HOME : ELSEWHERE,
    matchedBy: `name ${matchedName}${isAtHome ? `, country ${domicileCountry}` : ""}`,
  };
}
