import { enumNames, texts } from "../../../contract/query-field.js";
import { stream } from "../../../contract/stream.js";
import { companyEventLog } from "../changes/company-event-log.js";
import { impactDirections, impactLifecycles } from "../event-records.js";
import { idPattern } from "../rules/ids.js";

const COMPANIES_MAX = 100;
/** Enough for the maximum number of ids with their commas. */
const COMPANIES_CHARACTERS_MAX = 4_000;

export const streamCompanyEventChanges = stream({
  rpc: "stream-company-event-changes",
  summary: "Changes of material impacts as they happen",
  description:
    "The changes that `list-company-event-changes` polls, from the same log and by the same positions: a client may change between the two and neither misses nor repeats a change. `snapshot_required`: the companies of the account have changed; changes are still delivered, and none is skipped.",
  log: companyEventLog,
  filters: {
    companyId: texts("Only impacts on these companies", {
      pattern: idPattern("company"),
      itemsMax: COMPANIES_MAX,
      charactersMax: COMPANIES_CHARACTERS_MAX,
      isSet: true,
    }),
    direction: enumNames("Only impacts in these directions", impactDirections, "MATERIAL_IMPACT_DIRECTION_"),
    lifecycle: enumNames("Only impacts in these states", impactLifecycles, "MATERIAL_IMPACT_LIFECYCLE_"),
  },
});
