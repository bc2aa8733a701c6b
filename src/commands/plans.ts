import type { Command } from "commander";
import { configured } from "../app/config.js";
import { planKeys, plans } from "../contract/access/plans.js";
import { isQuotaPlan } from "../contract/service-group.js";
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
  const columns = planColumns(limits);
  const asObject = (row: readonly string[]): object =>
    Object.fromEntries(columns.map((column, at) => [column, row[at] ?? ""]));
  const rows = planRows(limits);
  say(choice.json ? JSON.stringify(rows.map(asObject), null, 2) : table(columns, rows));
}

/** Column titles, as in docs/access.md. */
export function planColumns({ quotas }: LimitTable): readonly string[] {
  const counted = quotas.map(({ quota }) => `${quota.calls} a UTC day`);
  return ["plan", "tier", "API by key", "calls a minute", "calls a UTC day", ...counted];
}

const number = (count: number): string => count.toLocaleString("en-US");

/** The plans with their rights, as in docs/access.md. */
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
  const minute = `${own} for each key of the operator, ${issued} for each operator-issued one`;
  return [...ofAccounts, ["operator", "", "yes", minute, "", ...quotas.map(() => "no limit")]];
}
