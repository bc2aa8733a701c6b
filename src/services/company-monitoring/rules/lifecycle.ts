import type { Lifecycle } from "../records.js";

/** The lifecycle of a monitored company. */
export type CompanyLifecycle = "active" | "paused" | "removed";

/** The states that each state may change to. Removal is final; setting the same state changes nothing. */
const next: Readonly<Record<CompanyLifecycle, readonly CompanyLifecycle[]>> = {
  active: ["active", "paused", "removed"],
  paused: ["active", "paused", "removed"],
  removed: ["removed"],
};

export function mayBecome(current: CompanyLifecycle, target: CompanyLifecycle): boolean {
  return next[current].includes(target);
}

const byName: Readonly<Record<Lifecycle, CompanyLifecycle>> = {
  MONITORED_COMPANY_LIFECYCLE_ACTIVE: "active",
  MONITORED_COMPANY_LIFECYCLE_PAUSED: "paused",
  MONITORED_COMPANY_LIFECYCLE_REMOVED: "removed",
};

/** Returns the lifecycle for a contract name. */
export function lifecycleOf(name: Lifecycle): CompanyLifecycle {
  return byName[name];
}

const names: Readonly<Record<CompanyLifecycle, Lifecycle>> = {
  active: "MONITORED_COMPANY_LIFECYCLE_ACTIVE",
  paused: "MONITORED_COMPANY_LIFECYCLE_PAUSED",
  removed: "MONITORED_COMPANY_LIFECYCLE_REMOVED",
};

/** Returns the contract's name for a lifecycle. */
export function lifecycleName(lifecycle: CompanyLifecycle): Lifecycle {
  return names[lifecycle];
}
