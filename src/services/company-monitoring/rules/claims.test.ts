import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../../kit/clock.js";
import { claimTypes } from "../records.js";
import { allowedUsesOf, declaredAgain, declaredClaim, normalClaimValue } from "./claims.js";

const NOW = Date.UTC(2026, 10, 22);
const alias = { type: "COMPANY_CLAIM_TYPE_ALIAS", value: "Acme" } as const;

describe("claims of a customer", () => {
  test("a claim expires 365 days after its declaration", () => {
    expect(declaredClaim(alias, "cm_claim_1", NOW)).toEqual({
      claimId: "cm_claim_1",
      type: "COMPANY_CLAIM_TYPE_ALIAS",
      value: "Acme",
      provenance: "customer",
      trustState: "COMPANY_CLAIM_TRUST_STATE_DECLARED",
      expiresAt: NOW + 365 * DAY_MS,
    });
  });

  test.each([
    ["unchanged while more than 30 days are left", 335 * DAY_MS - 1, 0],
    ["renewed with 30 days left", 335 * DAY_MS, 335 * DAY_MS],
    ["renewed after its end", 400 * DAY_MS, 400 * DAY_MS],
  ])("a claim that is declared again is %s", (_name, afterMs, renewedByMs) => {
    const claim = declaredClaim(alias, "cm_claim_1", NOW);
    const again = declaredAgain(claim, NOW + afterMs);
    expect(again).toEqual({ ...claim, expiresAt: NOW + 365 * DAY_MS + renewedByMs });
  });

  test("a claim that is declared again keeps the result of its verification", () => {
    const rejected = {
      ...declaredClaim(alias, "cm_claim_1", NOW),
      trustState: "COMPANY_CLAIM_TRUST_STATE_REJECTED",
    } as const;
    expect(declaredAgain(rejected, NOW + 400 * DAY_MS)).toBe(rejected);
  });

  test.each(claimTypes)(
    "a claim of type %s is never primary evidence; locations and references serve only discovery",
    (type) => {
      const isWeak = type === "COMPANY_CLAIM_TYPE_LOCATION" || type === "COMPANY_CLAIM_TYPE_CUSTOMER_REFERENCE";
      const discovery = "COMPANY_CLAIM_ALLOWED_USE_DISCOVERY";
      expect(allowedUsesOf(type)).toEqual(isWeak ? [discovery] : ["COMPANY_CLAIM_ALLOWED_USE_ATTRIBUTION", discovery]);
    },
  );

  test.each([
    ["COMPANY_CLAIM_TYPE_ALIAS", 256],
    ["COMPANY_CLAIM_TYPE_LEGAL_IDENTIFIER", 512],
    ["COMPANY_CLAIM_TYPE_SOCIAL_ACCOUNT_ID", 512],
    ["COMPANY_CLAIM_TYPE_LOCATION", 256],
    ["COMPANY_CLAIM_TYPE_CUSTOMER_REFERENCE", 128],
  ] as const)("a claim of type %s has at most %i bytes", (type, bytesMax) => {
    expect(normalClaimValue(type, "x".repeat(bytesMax))).toHaveProperty("value");
    expect(normalClaimValue(type, "x".repeat(bytesMax + 1))).toHaveProperty("problem");
  });
});
