import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { requiredCode } from "../../../contract/query-field.js";
import { humanitarianSummary } from "../datasets/humanitarian-summary.js";
import { HumanitarianCountrySummary } from "../records.js";
import { countryCodes } from "../rules/country-codes.js";

/** Conflict in one country in its latest month. Source: HDX HAPI. */
export const getHumanitarianSummary = operation({
  rpc: "get-humanitarian-summary",
  summary: "Conflict events, deaths and demonstrations in a country in the latest month",
  description:
    "Counts for the latest published month. Events that target civilians are part of political violence. A count that the source does not have is absent. `summary` is absent if the source does not follow the country, or if there is no data (`X-Vigil-State: absent`).",
  cache: "daily",
  reads: { humanitarian: humanitarianSummary },
  query: { countryCode: requiredCode(countryCodes, "ISO 3166-1 alpha-2 code, upper case") },
  response: Type.Object(
    { summary: Type.Optional(HumanitarianCountrySummary) },
    { title: "GetHumanitarianSummaryResponse" },
  ),
  examples: [{ country_code: "SD" }, { country_code: "UA", jmespath: "summary.[countryName, conflictFatalities]" }],
  run({ countryCode }, { humanitarian }) {
    const entry = humanitarian.available ? humanitarian.view.get(countryCode) : undefined;
    return humanitarian.available && entry ? { summary: { ...entry, updatedAt: humanitarian.builtAt } } : {};
  },
});
