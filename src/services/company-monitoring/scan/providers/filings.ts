import type { ViewOf } from "../../../../contract/dataset.js";
import { itemName } from "../../../../edgar/filing-items.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import type { materialEvents } from "../../../intelligence/datasets/material-events.js";
import { registrantNumbers } from "../../identity/registrant-numbers.js";
import type { Finding } from "../finding.js";
import type { CompanyFinding, ScanProvider } from "../provider.js";
import { confirmedWindow, isConfigured } from "./snapshot-window.js";

type FilingsView = ViewOf<typeof materialEvents>;
type Filing = FilingsView["byCik"] extends ReadonlyMap<string, readonly (infer F)[]> ? F : never;

/** Maximum age of the filings in the dataset. */
const KEPT_MS = 7 * DAY_MS;

/** Finds a company's current reports (8-K) to the SEC by its CIK. Applies to companies that have a CIK. */
export const filingsProvider: ScanProvider<FilingsView> = {
  provider: "MONITORING_PROVIDER_FILINGS",
  everyMs: 5 * MINUTE_MS,
  freshMs: 3 * HOUR_MS,
  isConfigured,
  appliesTo: ({ claims }) => registrantNumbers(claims).length > 0,
  windowOf(snapshot) {
    const window = confirmedWindow(snapshot);
    return window && "end" in window ? { ...window, start: window.end - KEPT_MS } : window;
  },
  *findSteps({ companies }, { byCik }, _facts, pace) {
    const findings: CompanyFinding[] = [];
    for (const { companyKey, claims } of companies) {
      for (const cik of registrantNumbers(claims)) {
        for (const filing of byCik.get(cik) ?? []) findings.push({ companyKey, finding: findingOf(filing, cik) });
      }
      if (pace.isOver) yield;
    }
    return findings;
  },
};

function findingOf({ accessionNumber, form, filedAt, companyName, items, url }: Filing, cik: string): Finding {
  const names = items.map((code) => `${code} ${itemName(code)}`).join("; ");
  return {
    provider: "MONITORING_PROVIDER_FILINGS",
    sourceId: accessionNumber,
    canonicalUrl: url,
    publisher: "US Securities and Exchange Commission",
    origin: `CIK ${Number(cik)}`,
    authorityTier: "EVIDENCE_AUTHORITY_TIER_PRIMARY_VERIFIED",
    title: `${companyName}: form ${form}`,
    excerpt: names,
    publishedAt: filedAt,
    attribution: 1,
    matchedBy: `CIK ${Number(cik)}`,
    filingItems: items,
    ...(form === "8-K/A" && { isCorrection: true }),
  };
}
