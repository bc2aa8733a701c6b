import { expect, test } from "vitest";
import { keyHolder } from "../../../../test/support/principals.js";
import type { CompanyDirectory } from "../ports.js";
import type { CompanyCoverage } from "../records.js";
import { getCompanyCoverage } from "./get-company-coverage.js";

const ID = "cm_company_00000000000000000000000000";
const unscanned: CompanyCoverage = {
  state: "COMPANY_COVERAGE_STATE_AWAITING_FIRST_SCAN",
  observation: "COMPANY_OBSERVATION_STATE_EVENTS_OBSERVED",
  assessmentReady: false,
  changedAt: "2026-11-22T00:00:00.000Z",
  providers: [],
};

const answerFrom = (coverage: CompanyCoverage | undefined) => {
  const directory: CompanyDirectory = {
    isEnabled: true,
    searchesWeb: false,
    searchesPosts: false,
    counts: async () => ({ companyCount: 1, generation: 1 }),
    coverage: async (companyId) => (companyId === ID ? coverage : undefined),
  };
  return getCompanyCoverage.run({ companyId: ID }, { principal: keyHolder, ports: { directory } });
};

test("get-company-coverage serves the coverage of the requested company", async () => {
  expect(await answerFrom(unscanned)).toEqual({ companyId: ID, coverage: unscanned });
});

test("get-company-coverage answers 404 for a company that is unknown, removed or of another account", async () => {
  await expect(answerFrom(undefined)).rejects.toMatchObject({ status: 404 });
});
