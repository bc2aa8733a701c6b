import type { CompanyMaterialImpact, MonitoredCompany } from "../../../src/sdk/index.js";
import { enumText } from "../../format.js";

type Coverage = MonitoredCompany["coverage"];

/** The appearance of each coverage state, and what it means. */
export const COVERAGES: Readonly<Record<Coverage, { readonly look: string; readonly meaning: string }>> = {
  COMPANY_COVERAGE_STATE_ADEQUATE: {
    look: "ok",
    meaning: "Every required provider has a recent scan without a gap",
  },
  COMPANY_COVERAGE_STATE_PARTIAL: {
    look: "partial",
    meaning: "A scan failed, was incomplete or left a gap, or findings await assessment",
  },
  COMPANY_COVERAGE_STATE_STALE: {
    look: "stale",
    meaning: "The latest complete scan is too old, the company is paused, or it was changed after the scan",
  },
  COMPANY_COVERAGE_STATE_UNAVAILABLE: { look: "unreadable", meaning: "No provider applies, or none has ever worked" },
  COMPANY_COVERAGE_STATE_AWAITING_FIRST_SCAN: {
    look: "absent",
    meaning: "Not scanned yet; the first scan begins within half a minute",
  },
  COMPANY_COVERAGE_STATE_IDENTITY_UNRESOLVED: {
    look: "partial",
    meaning: "No public register confirms the company: declare an LEI, CIK or ticker, or the full legal name",
  },
  COMPANY_COVERAGE_STATE_NEEDS_CONFIRMATION: {
    look: "partial",
    meaning: "Several companies match, or a declared number belongs to another company: declare the right number",
  },
};

export const coverageName = (state: Coverage): string => enumText(state, "COMPANY_COVERAGE_STATE_");

const reasons: Readonly<Record<string, string>> = {
  complete: "covered everything in its scope",
  provider_partial: "some of its sources failed",
  provider_retention: "its sources no longer reached back to the last complete scan",
  capped: "more findings than a scan accepts: the name is too common",
  malformed: "an answer could not be read",
  invalid_empty: "its sources answered without any content",
  provider_unavailable: "its dataset could not be built or read",
  provider_error: "its dataset could not be built or read",
  rate_limited: "further calls were rejected, or the budget is spent",
  authentication_failed: "the key was refused",
  timeout: "no answer in time",
  request_rejected: "the request was refused",
};

/** The reason code of a scan in words. */
export const reasonText = (code: string): string => reasons[code] ?? code.replaceAll("_", " ");

const directions: Readonly<Record<CompanyMaterialImpact["direction"], string>> = {
  MATERIAL_IMPACT_DIRECTION_POSITIVE: "▲ positive",
  MATERIAL_IMPACT_DIRECTION_NEGATIVE: "▼ negative",
  MATERIAL_IMPACT_DIRECTION_MIXED: "◆ mixed",
};

export const directionText = (direction: CompanyMaterialImpact["direction"]): string => directions[direction];

export const magnitudeText = (impact: CompanyMaterialImpact): string =>
  enumText(impact.magnitude, "MATERIAL_IMPACT_MAGNITUDE_");

/** The lifecycle of an impact (admitted, corrected or retracted) with its revision number. */
export const revisionText = ({ lifecycle, impactRevision }: CompanyMaterialImpact): string =>
  `${enumText(lifecycle, "MATERIAL_IMPACT_LIFECYCLE_")}, revision ${impactRevision}`;

export const channelsText = ({ channels }: CompanyMaterialImpact): string =>
  channels.map((channel) => enumText(channel, "MATERIAL_IMPACT_CHANNEL_")).join(", ");

/** The country code of a domicile, such as `US`; empty if unknown. */
export function domicileCode(domicile: string): string {
  const code = domicile.replace("DOMICILE_COUNTRY_", "");
  return code.length === 2 ? code : "";
}
