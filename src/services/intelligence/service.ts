import { type DailyQuota, serviceGroup } from "../../contract/service-group.js";

/** The daily quota of country briefs. */
export const briefQuota: DailyQuota = {
  name: "brief",
  calls: "country briefs",
  callsMax: { pro: 500, starter: 1_000, business: 10_000 },
};

export const intelligence = serviceGroup({
  name: "Intelligence",
  position: 4,
  description: "Country briefs written from stored news and data, every claim with its evidence.",
  quotas: [briefQuota],
});
