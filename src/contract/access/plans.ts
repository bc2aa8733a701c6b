/** A plan of an account. From tier 1 upwards, it includes the Pro operations. */
export interface Plan {
  readonly key: PlanKey;
  readonly tier: 0 | 1 | 2 | 3;
  /** True if keys of an account on this plan can call the API. */
  readonly keys: boolean;
}

export const planKeys = ["free", "pro", "starter", "business", "enterprise"] as const;
export type PlanKey = (typeof planKeys)[number];

export const plans: Readonly<Record<PlanKey, Plan>> = {
  free: { key: "free", tier: 0, keys: false },
  pro: { key: "pro", tier: 1, keys: false },
  starter: { key: "starter", tier: 2, keys: true },
  business: { key: "business", tier: 2, keys: true },
  enterprise: { key: "enterprise", tier: 3, keys: true },
};

/** Lowest tier of the plans whose keys can call the API. */
export const KEY_TIER = 2;

/** The payment state of a plan: `renewal-pending` while a renewal is being verified. */
export const planStates = ["active", "lapsed", "renewal-pending"] as const;
export type PlanState = (typeof planStates)[number];

export function isPlanKey(text: string): text is PlanKey {
  return (planKeys as readonly string[]).includes(text);
}

export function isPlanState(text: string): text is PlanState {
  return (planStates as readonly string[]).includes(text);
}
