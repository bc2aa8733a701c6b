import { expect, test } from "vitest";
import type { Claim } from "../rules/claims.js";
import { registerChanges } from "./register-changes.js";
import type { RegisterRecord } from "./resolve-identity.js";

const NOW = Date.UTC(2026, 10, 22);
const record: RegisterRecord = {
  register: "SEC",
  recordId: "7",
  legalName: "VIGIL INC",
  formerNames: [],
  isActive: true,
};
const claim: Claim = {
  claimId: "1",
  type: "COMPANY_CLAIM_TYPE_ALIAS",
  value: "Vigil",
  provenance: "customer",
  trustState: "COMPANY_CLAIM_TRUST_STATE_VERIFIED",
  expiresAt: null,
  evidence: { register: "SEC", recordId: "7", recordName: "Vigil Inc.", checkedAt: 0, validUntil: NOW },
};
const titlesOf = (records: readonly RegisterRecord[], ...claims: readonly Claim[]) =>
  registerChanges({ claims }, records, NOW).map(({ title }) => title);

test("a new legal name or the end of a company is one finding, even if the record confirmed several claims", () => {
  expect(titlesOf([{ ...record, legalName: "Northlight Inc." }], claim, claim)).toEqual([
    "Vigil Inc. is now named Northlight Inc.",
  ]);
  expect(titlesOf([{ ...record, isActive: false }], claim)).toEqual(["VIGIL INC is no longer active in the register"]);
  expect(registerChanges({ claims: [claim] }, [{ ...record, isActive: false }], NOW)).toMatchObject([
    { sourceId: "SEC 7 inactive", publishedAt: NOW, authorityTier: "EVIDENCE_AUTHORITY_TIER_PRIMARY_VERIFIED" },
  ]);
});

test("another spelling of the name, a different record and a claim that was never confirmed yield no finding", () => {
  const { evidence: _, ...declared } = claim;
  const renamed = { ...record, legalName: "Northlight Inc." };
  expect(titlesOf([record], claim)).toEqual([]);
  expect(
    titlesOf(
      [
        { ...renamed, recordId: "8" },
        { ...renamed, register: "GLEIF" },
      ],
      claim,
    ),
  ).toEqual([]);
  expect(titlesOf([renamed], declared)).toEqual([]);
});
