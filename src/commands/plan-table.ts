import { planKeys, plans } from "../access/plans.js";
import type { LimitTable } from "../http/call-limits.js";

/** Titles of the columns, as docs/access.md has them. */
export const planColumns = [
  "plan",
  "tier",
  "API by key",
  "calls a minute",
  "calls a UTC day",
  "country briefs a UTC day",
] as const;

const number = (count: number): string => count.toLocaleString("en-US");

/** The plans with what they allow, as docs/access.md describes them. */
export function planRows(limits: LimitTable): readonly (readonly string[])[] {
  const allowed: Readonly<Record<(typeof planKeys)[number], readonly [minute: string, day: string, briefs: string]>> = {
    free: ["", "", "none"],
    pro: [number(limits["default-minute"]), "", number(limits["brief-pro-day"])],
    starter: [
      `${number(limits["starter-minute"])}, all keys together`,
      number(limits["starter-day"]),
      number(limits["brief-starter-day"]),
    ],
    business: [
      `${number(limits["business-minute"])}, all keys together`,
      number(limits["business-day"]),
      number(limits["brief-business-day"]),
    ],
    enterprise: [`${number(limits["enterprise-minute"])} for each key`, "", "no limit"],
  };
  const ofAccounts = planKeys.map((key) => {
    const { tier, keys } = plans[key];
    const byKey = keys ? "yes" : tier > 0 ? "no (sessions and tokens)" : "no";
    return [key, String(tier), byKey, ...allowed[key]];
  });
  const [own, issued] = [number(limits["operator-minute"]), number(limits["enterprise-minute"])];
  const minute = `${own} for each key of the operator, ${issued} for each operator-issued one`;
  return [...ofAccounts, ["operator", "", "yes", minute, "", "no limit"]];
}
