import type { Finding } from "../scan/finding.js";
import type { ScannedCompany } from "../scan/provider.js";
import { nameKey } from "./name-key.js";
import type { RegisterRecord } from "./resolve-identity.js";

const registers = {
  GLEIF: { publisher: "Global LEI Foundation", url: (id: string) => `https://search.gleif.org/#/record/${id}` },
  SEC: {
    publisher: "US Securities and Exchange Commission",
    url: (id: string) => `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${id}`,
  },
} as const;

/**
 * Returns the changes in the records that confirmed a company earlier: a new legal name, or the end of the company.
 * Each change is one finding, even if the record confirmed several claims.
 */
export function registerChanges(
  { claims }: Pick<ScannedCompany, "claims">,
  records: readonly RegisterRecord[],
  readAt: number,
): readonly Finding[] {
  const findings = claims.flatMap(({ evidence }): readonly Finding[] => {
    const record = evidence && records.find((other) => isSame(other, evidence));
    if (!record) return [];
    const { legalName, recordId } = record;
    if (!record.isActive) {
      return [findingOf(record, `${recordId} inactive`, `${legalName} is no longer active in the register`, readAt)];
    }
    if (nameKey(legalName) === nameKey(evidence.recordName)) return [];
    return [findingOf(record, `${recordId} ${legalName}`, `${evidence.recordName} is now named ${legalName}`, readAt)];
  });
  return [...new Map(findings.map((finding) => [finding.sourceId, finding])).values()];
}

function isSame(a: Pick<RegisterRecord, "register" | "recordId">, b: Pick<RegisterRecord, "register" | "recordId">) {
  return a.register === b.register && a.recordId === b.recordId;
}

function findingOf({ register, recordId }: RegisterRecord, sourceId: string, title: string, at: number): Finding {
  const { publisher, url } = registers[register];
  return {
    provider: "MONITORING_PROVIDER_REGISTER",
    sourceId: `${register} ${sourceId}`,
    canonicalUrl: url(recordId),
    publisher,
    origin: `${register} ${recordId}`,
    authorityTier: "EVIDENCE_AUTHORITY_TIER_PRIMARY_VERIFIED",
    title,
    excerpt: "",
    publishedAt: at,
    attribution: 1,
    matchedBy: `${register} ${recordId}`,
  };
}
