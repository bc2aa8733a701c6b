import { describe, expect, test } from "vitest";
import type { PlanKey, PlanState } from "../contract/access/plans.js";
import { planKeys, planStates } from "../contract/access/plans.js";
import type { Principal } from "../contract/access/principal.js";
import type { FailureName } from "../contract/failures.js";
import { entitlementFailure } from "./entitlement.js";

const principal = (changes: Partial<Principal>): Principal => ({
  kind: "key",
  actor: "key_1",
  accountId: "acc_1",
  scopes: new Set(["read"]),
  plan: "free",
  planState: "active",
  isOperator: false,
  ...changes,
});

type Expected = FailureName | "-";
type Row = readonly [kind: Principal["kind"], tier: 0 | 1, plan: PlanKey, ...perState: [Expected, Expected, Expected]];

/**
 * The outcome for each state of the plan, in this order: active, lapsed, renewal-pending. `-` means that the call is
 * allowed.
 */
const rows: readonly Row[] = [
  // "User key owner must have an active API plan on every keyed route"; "Pro plan without API access gets no REST
  // through a key" (NOTES §5).
  ["key", 0, "free", "planWithoutKeys", "planWithoutKeys", "planWithoutKeys"],
  ["key", 0, "pro", "planWithoutKeys", "subscriptionLapsed", "renewalPending"],
  ["key", 0, "starter", "-", "subscriptionLapsed", "renewalPending"],
  ["key", 0, "business", "-", "subscriptionLapsed", "renewalPending"],
  ["key", 0, "enterprise", "-", "subscriptionLapsed", "renewalPending"],
  ["key", 1, "free", "planWithoutKeys", "planWithoutKeys", "planWithoutKeys"],
  ["key", 1, "pro", "planWithoutKeys", "subscriptionLapsed", "renewalPending"],
  ["key", 1, "starter", "-", "subscriptionLapsed", "renewalPending"],
  ["key", 1, "business", "-", "subscriptionLapsed", "renewalPending"],
  ["key", 1, "enterprise", "-", "subscriptionLapsed", "renewalPending"],
  // "Session tokens satisfy non-Pro reads" (NOTES §5); "Pro operations need tier 1" (RULINGS 4).
  ["session", 0, "free", "-", "-", "-"],
  ["session", 0, "pro", "-", "-", "-"],
  ["session", 0, "starter", "-", "-", "-"],
  ["session", 0, "business", "-", "-", "-"],
  ["session", 0, "enterprise", "-", "-", "-"],
  ["session", 1, "free", "proRequired", "proRequired", "proRequired"],
  ["session", 1, "pro", "-", "subscriptionLapsed", "renewalPending"],
  ["session", 1, "starter", "-", "subscriptionLapsed", "renewalPending"],
  ["session", 1, "business", "-", "subscriptionLapsed", "renewalPending"],
  ["session", 1, "enterprise", "-", "subscriptionLapsed", "renewalPending"],
  // "bearer works for Pro operations" (NOTES §5).
  ["bearer", 0, "free", "-", "-", "-"],
  ["bearer", 0, "pro", "-", "-", "-"],
  ["bearer", 0, "starter", "-", "-", "-"],
  ["bearer", 0, "business", "-", "-", "-"],
  ["bearer", 0, "enterprise", "-", "-", "-"],
  ["bearer", 1, "free", "tierTooLow", "tierTooLow", "tierTooLow"],
  ["bearer", 1, "pro", "-", "subscriptionLapsed", "renewalPending"],
  ["bearer", 1, "starter", "-", "subscriptionLapsed", "renewalPending"],
  ["bearer", 1, "business", "-", "subscriptionLapsed", "renewalPending"],
  ["bearer", 1, "enterprise", "-", "subscriptionLapsed", "renewalPending"],
];

const cases = rows.flatMap(([kind, tier, plan, ...perState]) =>
  planStates.map((planState: PlanState, at) => ({ kind, tier, plan, planState, expected: perState[at] })),
);

describe("the rights of a plan", () => {
  test.each(cases)(
    "a call at tier $tier by $kind, with the plan $plan in state $planState, gets $expected",
    ({ kind, tier, plan, planState, expected }) => {
      expect(entitlementFailure(principal({ kind, plan, planState }), tier)?.failure ?? "-").toBe(expected);
    },
  );

  test("the table covers every plan and state, for every credential of an account and both tiers", () => {
    const named = new Set(cases.map(({ kind, tier, plan, planState }) => [kind, tier, plan, planState].join(" ")));
    expect(named.size).toBe(3 * 2 * planKeys.length * planStates.length);
  });

  const everyStanding = planKeys.flatMap((plan) => planStates.map((planState) => ({ plan, planState })));

  test.each(everyStanding)("an operator-issued key is always entitled: $plan $planState", (standing) => {
    for (const tier of [0, 1]) {
      expect(entitlementFailure(principal({ ...standing, kind: "enterprise" }), tier)).toBeUndefined();
    }
  });

  test.each(["key", "session"] as const)("a call by %s from the operator's own account is always entitled", (kind) => {
    for (const standing of everyStanding) {
      for (const tier of [0, 1]) {
        expect(entitlementFailure(principal({ ...standing, kind, isOperator: true }), tier)).toBeUndefined();
      }
    }
  });

  test("callers without a credential get the 401 for a missing key if a plan is needed", () => {
    const nobody = principal({ kind: "anonymous", accountId: undefined });
    expect(entitlementFailure(nobody, 0)).toBeUndefined();
    expect(entitlementFailure(nobody, 1)?.failure).toBe("keyRequired");
  });
});

describe("the body of a refusal", () => {
  test.each([
    { kind: "key", tier: 0, requiredTier: 2 },
    { kind: "key", tier: 1, requiredTier: 2 },
    { kind: "session", tier: 1, requiredTier: 1 },
    { kind: "bearer", tier: 1, requiredTier: 1 },
  ] as const)(
    "the refusal for a lapsed plan has all five fields of the contract: $kind, tier $tier",
    ({ kind, tier, requiredTier }) => {
      const refused = entitlementFailure(principal({ kind, plan: "business", planState: "lapsed" }), tier);
      expect(refused?.status).toBe(403);
      expect(refused?.body).toEqual({
        error: expect.any(String),
        code: "subscription_lapsed",
        requiredTier,
        currentTier: 0,
        planKey: "business",
      });
      expect(refused?.headers).toEqual({ "X-Billing-Verification": "subscription_lapsed" });
    },
  );

  test("a key whose plan renewal is being verified gets a 403 with the code renewal_verification_pending", () => {
    const refused = entitlementFailure(principal({ plan: "starter", planState: "renewal-pending" }), 0);
    expect(refused?.status).toBe(403);
    expect(refused?.body).toEqual({
      error: expect.any(String),
      code: "renewal_verification_pending",
      requiredTier: 2,
    });
  });

  test("the refusal for a low tier has the required tier, the current tier and the plan, and no code", () => {
    const refused = entitlementFailure(principal({ kind: "bearer" }), 1);
    expect(refused?.status).toBe(403);
    expect(refused?.body).toEqual({ error: expect.any(String), requiredTier: 1, currentTier: 0, planKey: "free" });
  });

  test("the refusal for a plan without API access has a message and no code", () => {
    const refused = entitlementFailure(principal({ plan: "pro" }), 1);
    expect(refused?.status).toBe(403);
    expect(refused?.body).toEqual({ error: "The plan of this key's account does not include API access" });
  });

  test("a session without a paid plan gets a 401 with the contract's text", () => {
    const refused = entitlementFailure(principal({ kind: "session" }), 1);
    expect(refused?.status).toBe(401);
    expect(refused?.body).toEqual({ error: "Pro authentication required" });
  });
});
