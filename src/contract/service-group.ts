import type { ExplainCommand } from "./explain-command.js";
import type { FeedCatalogue } from "./feed-catalogue.js";
import type { ServiceCommands } from "./service-command.js";
import type { ServiceCounter } from "./service-counter.js";
import type { Setting } from "./setting.js";

/**
 * The plans that a quota limits. If the free plan can call the operation, it has the quota of `pro`. The enterprise
 * plan and operators have no quota.
 */
export const quotaPlans = ["pro", "starter", "business"] as const;
export type QuotaPlan = (typeof quotaPlans)[number];

export function isQuotaPlan(plan: string): plan is QuotaPlan {
  return quotaPlans.some((name) => name === plan);
}

/** A limit on calls per UTC day, in addition to the plan's allowance. Operations refer to it as `dailyQuota`. */
export interface DailyQuota {
  /** Short name. `VIGIL_LIMITS` calls the quota of a plan `<name>-<plan>-day`. */
  readonly name: string;
  /** Plural noun for the counted calls, for the table of plans. */
  readonly calls: string;
  /** Calls per account and day; operators can change it. */
  readonly callsMax: Readonly<Record<QuotaPlan, number>>;
}

/** A limit on calls per billing cycle, for an upstream that charges per call. Sources name it in `budgets`. */
export interface Budget {
  readonly name: string;
  /** Calls per billing cycle. */
  readonly callsMax: Setting<number>;
}

/** Operations that the contract publishes, even if they are not routed. The catalogue lists them outside `groups`. */
export interface ContractOnly {
  /** Member of the catalogue that lists them. */
  readonly member: string;
  readonly rpcs: readonly string[];
}

/**
 * A setting by which the operator switches the group on or off. While the group is off, its writes, streams, feeds
 * and account reads have no paths, and its jobs do not run.
 */
export interface GroupSwitch {
  readonly setting: Setting<boolean>;
  /** The rpc names that are served even while the group is off. */
  readonly stays: readonly string[];
}

/** The declarations of a service group: its row of the catalogue and everything specific to it besides operations. */
export interface ServiceGroup {
  /** Name in the contract's list of groups. */
  readonly name: string;
  /** Position in the contract's list of groups, from 1; absent for a group outside the list. */
  readonly position?: number;
  /** One sentence on the subject, shown by the catalogue and the reference. */
  readonly description: string;
  /** A paragraph of `/llms.txt` on what the group does besides its operations. */
  readonly forAgents?: string;
  /** True for a group of the service itself, such as accounts: documented, but not in the catalogue. */
  readonly isPlatform?: true;
  readonly contractOnly?: ContractOnly;
  readonly switchedBy?: GroupSwitch;
  /** An operation without required parameters that answers soon after a first start, suggested to newcomers. */
  readonly firstCall?: string;
  readonly quotas?: readonly DailyQuota[];
  readonly budgets?: readonly Budget[];
  /** Settings of the group, besides those of its operations and datasets. */
  readonly settings?: readonly Setting<unknown>[];
  /** Events that the stores of the group count for `/metrics`. */
  readonly counters?: readonly ServiceCounter[];
  readonly explains?: readonly ExplainCommand[];
  readonly commands?: readonly ServiceCommands[];
  readonly feedCatalogue?: FeedCatalogue;
}

const declared = new WeakSet<object>();

/** Declares a service group; `services/<group>/service.ts` exports it. */
export function serviceGroup(definition: ServiceGroup): ServiceGroup {
  declared.add(definition);
  return definition;
}

/** True for values returned by `serviceGroup()`. */
export function isServiceGroup(value: unknown): value is ServiceGroup {
  return typeof value === "object" && value !== null && declared.has(value);
}

/** A service group with its path segment, which is the name of its folder. */
export interface RegisteredGroup extends ServiceGroup {
  readonly service: string;
}

/**
 * Returns the path of the first call that a group suggests to newcomers. If no group suggests a call, returns the path
 * of the catalogue.
 */
export function firstCallOf(groups: readonly RegisteredGroup[]): string {
  const group = groups.find(({ firstCall }) => firstCall !== undefined);
  return group ? `/api/${group.service}/v1/${group.firstCall}` : "/api/catalog";
}
