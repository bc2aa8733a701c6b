import type { Command } from "commander";
import { configured } from "../app/config.js";
import { type PlanKey, planKeys, plans } from "../contract/access/plans.js";
import { isQuotaPlan, type QuotaPlan } from "../contract/service-group.js";
import { type LimitTable, limitTable } from "../http/call-limits.js";
import { table } from "../kit/text-table.js";
import { addStoreCommand, JSON_OUTPUT, type ListChoice } from "./shared/account-store.js";
import { helpText } from "./shared/help-text.js";
import { say } from "./shared/output.js";
import { startUp } from "./shared/start-up.js";

const HELP = helpText({
  examples: [["vigil plans"], ["VIGIL_LIMITS=starter-day=5000 vigil plans", "the limits with this setting"]],
});

/** Adds `vigil plans`. */
export function addPlans(root: Command, run: typeof printPlans = printPlans): void {
  addStoreCommand(root, "plans", "list the plans with their limits")
    .option(...JSON_OUTPUT)
    .addHelpText("after", HELP)
    .action((choice: ListChoice) => run(choice));
}

async function printPlans(choice: ListChoice): Promise<void> {
  const { config, services } = await startUp();
  const limits = configured(() => limitTable(config.limits, services.quotas, services.pathLimits));
  say(choice.json ? JSON.stringify(planFacts(limits), null, 2) : table(planColumns(limits), planRows(limits)));
}

type LimitName = keyof LimitTable["calls"];

/** A plan with its limits, for the JSON output. */
interface PlanFacts {
  readonly plan: PlanKey;
  readonly tier: number;
  /**
   * True if keys of an account on this plan can call the API. Sessions and tokens do not depend on this value. Sessions
   * can call the operations up to the tier of the plan. Tokens can call the Pro operations if the plan has tier 1 or
   * higher.
   */
  readonly takesKeys: boolean;
  /**
   * The allowances of the plan per minute and per UTC day; each is null if the plan has none. Accounts whose plan has
   * neither have the limit `default-minute`.
   */
  readonly callsPerMinute: number | null;
  readonly callsPerDay: number | null;
  /** Maximum number of calls per UTC day under each quota; 0 if the plan allows none, null if there is no limit. */
  readonly quotas: Readonly<Record<string, number | null>>;
}

const ALLOWANCES: Readonly<Record<PlanKey, { readonly minute?: LimitName; readonly day?: LimitName }>> = {
  free: {},
  pro: { minute: "default-minute" },
  starter: { minute: "starter-minute", day: "starter-day" },
  business: { minute: "business-minute", day: "business-day" },
  enterprise: { minute: "enterprise-minute" },
};

/** The plans with their limits, for the JSON output. */
export function planFacts({ calls, quotas }: LimitTable): readonly PlanFacts[] {
  const callsOf = (name: LimitName | undefined): number | null => (name === undefined ? null : calls[name]);
  return planKeys.map((plan) => {
    const { tier, keys } = plans[plan];
    const { minute, day } = ALLOWANCES[plan];
    const maxOf = (callsMax: Readonly<Record<QuotaPlan, number>>): number | null => {
      if (isQuotaPlan(plan)) return callsMax[plan];
      return tier === 0 ? 0 : null;
    };
    return {
      plan,
      tier,
      takesKeys: keys,
      callsPerMinute: callsOf(minute),
      callsPerDay: callsOf(day),
      quotas: Object.fromEntries(quotas.map(({ quota, callsMax }) => [quota.name, maxOf(callsMax)])),
    };
  });
}

/** Column titles, as in docs/access.md. */
export function planColumns({ quotas }: LimitTable): readonly string[] {
  const counted = quotas.map(({ quota }) => `${quota.calls} a UTC day`);
  return ["plan", "tier", "API by key", "calls a minute", "calls a UTC day", ...counted];
}

const number = (count: number): string => count.toLocaleString("en-US");

/** Returns the rows of the table of plans, as in docs/access.md. */
export function planRows({ calls, quotas }: LimitTable): readonly (readonly string[])[] {
  const allowances: Readonly<Record<(typeof planKeys)[number], readonly [minute: string, day: string]>> = {
    free: ["", ""],
    pro: [number(calls["default-minute"]), ""],
    starter: [`${number(calls["starter-minute"])}, all keys together`, number(calls["starter-day"])],
    business: [`${number(calls["business-minute"])}, all keys together`, number(calls["business-day"])],
    enterprise: [`${number(calls["enterprise-minute"])} for each key`, ""],
  };
  const ofAccounts = planKeys.map((key) => {
    const { tier, keys } = plans[key];
    const byKey = keys ? "yes" : tier > 0 ? "no (sessions and tokens)" : "no";
    const counted = quotas.map(({ callsMax }) => {
      if (isQuotaPlan(key)) return number(callsMax[key]);
      return tier === 0 ? "none" : "no limit";
    });
    return [key, String(tier), byKey, ...allowances[key], ...counted];
  });
  const [own, issued] = [number(calls["operator-minute"]), number(calls["enterprise-minute"])];
  const minute = `${own} for each key of the operator, ${issued} for each operator-issued key`;
  return [...ofAccounts, ["operator", "", "yes", minute, "", ...quotas.map(() => "no limit")]];
}
