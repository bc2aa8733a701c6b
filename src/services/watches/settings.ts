import { isPlanKey, type PlanKey, planKeys } from "../../contract/access/plans.js";
import { type Setting, whole } from "../../contract/setting.js";

export type WatchesByPlan = Readonly<Record<PlanKey, number>>;

const defaults: WatchesByPlan = { free: 5, pro: 100, starter: 25, business: 1_000, enterprise: 10_000 };

export const watchesMax: Setting<WatchesByPlan> = {
  name: "VIGIL_WATCHES_MAX",
  default: planKeys.map((plan) => `${plan}=${defaults[plan]}`).join(","),
  description:
    "Maximum number of watches per account, by plan, for example `free=0,starter=50`. Plans that are not listed keep their default. The operator's account has the same limit as enterprise.",
  read(text) {
    const numbers: Record<PlanKey, number> = { ...defaults };
    for (const entry of text.split(",").filter((item) => item.trim() !== "")) {
      const [, plan = "", number = ""] = /^\s*([a-z]+)=(\d{1,6})\s*$/.exec(entry) ?? [];
      if (!isPlanKey(plan)) throw new Error(`must list ${planKeys.join(", ")} as plan=number, got "${entry}"`);
      numbers[plan] = Number(number);
    }
    return numbers;
  },
};

export const workMsPerMinute = whole(
  "VIGIL_WATCH_MS_PER_MINUTE",
  10_000,
  { min: 10, max: 60_000, unit: "ms" },
  "Maximum time per minute for evaluating the watches of one account. Further evaluations wait for the next minute, and do not hold up other accounts.",
);
