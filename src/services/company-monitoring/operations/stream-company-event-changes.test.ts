import { expect, test } from "vitest";
import { impactOf, revised } from "../../../../test/support/companies/impacts.js";
import { isWanted, type LogEntry } from "../../../contract/change-log.js";
import { facetsOf } from "../changes/impact-facets.js";
import type { CompanyMaterialImpact } from "../event-records.js";
import { streamCompanyEventChanges } from "./stream-company-event-changes.js";

const NOW = Date.UTC(2026, 10, 23);
const negative = impactOf(NOW);
const positive = impactOf(NOW, { direction: "MATERIAL_IMPACT_DIRECTION_POSITIVE" });
const corrected = revised(negative, NOW);

/** Returns the impacts that a stream with these parameters delivers. */
function delivered(parameters: Readonly<Record<string, string>>): readonly CompanyMaterialImpact[] {
  const filters = Object.fromEntries(
    Object.entries(streamCompanyEventChanges.filters).map(([name, field]) => {
      const text = parameters[name];
      const decoded = field.decode(text === undefined ? [] : [text], NOW);
      if ("violation" in decoded) throw new Error(decoded.violation);
      return [name, decoded.value];
    }),
  );
  return [negative, positive, corrected].filter((impact) => isWanted(entryOf(impact), filters));
}

function entryOf(impact: CompanyMaterialImpact): LogEntry {
  const { companyId } = impact;
  return { position: 1, subject: companyId, facets: { companyId, ...facetsOf(impact) }, text: "" };
}

test("a stream without filters delivers every change", () => {
  expect(delivered({})).toEqual([negative, positive, corrected]);
});

test("a stream's filters accept full and short names, like the filters of list-company-event-impacts", () => {
  expect(delivered({ direction: "positive" })).toEqual([positive]);
  expect(delivered({ direction: "MATERIAL_IMPACT_DIRECTION_POSITIVE" })).toEqual([positive]);
  expect(delivered({ lifecycle: "corrected,retracted" })).toEqual([corrected]);
  expect(delivered({ companyId: negative.companyId })).toEqual([negative, corrected]);
  expect(delivered({ companyId: positive.companyId, lifecycle: "corrected" })).toEqual([]);
});
