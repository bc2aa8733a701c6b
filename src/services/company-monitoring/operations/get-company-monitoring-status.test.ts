import { expect, test } from "vitest";
import { keyHolder } from "../../../../test/support/principals.js";
import { getCompanyMonitoringStatus } from "./get-company-monitoring-status.js";

const statusOf = (isEnabled: boolean) =>
  getCompanyMonitoringStatus.run(
    {},
    {
      principal: keyHolder,
      ports: {
        directory: {
          isEnabled,
          searchesWeb: isEnabled,
          searchesPosts: false,
          counts: async () => ({ companyCount: 2, generation: 7 }),
          coverage: async () => undefined,
        },
      },
    },
  );

test("get-company-monitoring-status serves the caller's access and the number of companies, and serves the generation as a string", async () => {
  expect(await statusOf(true)).toMatchObject({
    accessState: "COMPANY_MONITORING_ACCESS_STATE_ENTITLED",
    companyCount: 2,
    snapshotGeneration: "7",
    featureFlags: {
      restWrites: true,
      publication: true,
      searchProvider: true,
      socialProvider: false,
      alerts: true,
      ui: true,
    },
  });
});

test("get-company-monitoring-status answers while company monitoring is switched off", async () => {
  expect(await statusOf(false)).toMatchObject({
    accessState: "COMPANY_MONITORING_ACCESS_STATE_DISABLED",
    companyCount: 2,
    featureFlags: {
      restWrites: false,
      publication: false,
      searchProvider: false,
      socialProvider: false,
      alerts: false,
      ui: false,
    },
  });
});
