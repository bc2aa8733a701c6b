import type { ExplainCommand } from "./explain-command.js";
import type { FeedCatalogue } from "./feed-catalogue.js";
import type { Setting } from "./setting.js";

/** The plans that a quota limits. The free plan opens no operation with a quota; larger plans and operators have no limit. */
export const quotaPlans = ["pro", "starter", "business"] as const;
export type QuotaPlan = (typeof quotaPlans)[number];

export function isQuotaPlan(plan: string): plan is QuotaPlan {
  return quotaPlans.some((name) => name === plan);
}

/** A count of calls by the UTC day, beside the plan's allowance. Operations name it as their `dailyQuota`. */
export interface DailyQuota {
  /** Short name; limits and `VIGIL_LIMITS` call it `<name>-<plan>-day`. */
  readonly name: string;
  /** The counted calls in the plural, for the table of plans. */
  readonly calls: string;
  /** Calls a day that an account may make, unless the operator changes it. */
  readonly callsMax: Readonly<Record<QuotaPlan, number>>;
}

/** Calls to an upstream that charges by the call, counted by the billing cycle. Sources name it in `budgets`. */
export interface Budget {
  readonly name: string;
  /** Calls per billing cycle. */
  readonly callsMax: Setting<number>;
}

/** Operations that are published as a contract and not routed; the catalogue shows them beside the groups. */
export interface ContractOnly {
  /** Member of the catalogue that holds them. */
  readonly member: string;
  readonly rpcs: readonly string[];
}

/** The declarations of one service group: its row of the catalogue and everything that is its own beside operations. */
export interface ServiceGroup {
  /** Name in the contract's list of groups. */
  readonly name: string;
  /** Place in the contract's list of groups, from 1; absent for a group that stands beside the list. */
  readonly position?: number;
  /** One sentence on the subject, shown by the catalogue and the reference. */
  readonly description: string;
  /** Part of the service itself rather than a subject: stands in the documents, and not in the catalogue. */
  readonly isPlatform?: true;
  readonly contractOnly?: ContractOnly;
  /** An operation that needs no parameters and answers soon after a first start, shown to newcomers. */
  readonly firstCall?: string;
  readonly quotas?: readonly DailyQuota[];
  readonly budgets?: readonly Budget[];
  /** Settings of the group beside those that its operations and datasets declare. */
  readonly settings?: readonly Setting<unknown>[];
  readonly explains?: readonly ExplainCommand[];
  readonly feedCatalogue?: FeedCatalogue;
}

const declared = new WeakSet<object>();

/** Declares a service group; `services/<group>/service.ts` exports it. */
export function serviceGroup(definition: ServiceGroup): ServiceGroup {
  declared.add(definition);
  return definition;
}

/** True for values made by `serviceGroup()`. */
export function isServiceGroup(value: unknown): value is ServiceGroup {
  return typeof value === "object" && value !== null && declared.has(value);
}

/** A service group with the path segment that its folder gives it. */
export interface RegisteredGroup extends ServiceGroup {
  readonly service: string;
}

/** Path of the first call that a group suggests to newcomers; the list of groups where none does. */
export function firstCallOf(groups: readonly RegisteredGroup[]): string {
  const group = groups.find(({ firstCall }) => firstCall !== undefined);
  return group ? `/api/${group.service}/v1/${group.firstCall}` : "/api/catalog";
}
