import type { ServiceCases } from "../../../contract/testing/service-cases.js";

const CREATE = "/api/company-monitoring/v1/create-monitored-company";
const LIST = "/api/company-monitoring/v1/list-monitored-companies";
const company = { name: "Walked Ltd", domicileCountry: "DOMICILE_COUNTRY_GB" };
const after = { path: CREATE, body: { company } };

/** Returns the id of the company that an earlier create returned. */
function companyIdIn(earlier: Readonly<Record<string, unknown>>): string {
  return (earlier["company"] as { readonly companyId: string }).companyId;
}

export const cases: ServiceCases = {
  operations: {},
  datasets: {},
  accountReads: {
    "list-monitored-companies": {
      answer: { companies: [], nextCursor: "", snapshot: { snapshotGeneration: "0" } },
    },
    "list-company-event-impacts": {
      answer: { impacts: [], nextCursor: "", snapshot: { snapshotGeneration: "0" } },
    },
    "list-company-event-changes": {
      after: { path: LIST },
      query: (earlier) => ({ cursor: (earlier["snapshot"] as { readonly pollCursor: string }).pollCursor }),
      answer: { impacts: [], pollState: "COMPANY_EVENT_POLL_STATE_CURRENT" },
    },
    "get-company-material-event": { kind: "elsewhere", file: "test/company-events.test.ts" },
    "get-company-monitoring-status": {
      answer: {
        accessState: "COMPANY_MONITORING_ACCESS_STATE_ENTITLED",
        companyCount: 0,
        companyLimit: 500,
        snapshotGeneration: "0",
        featureFlags: { restWrites: true, publication: true },
      },
    },
    "get-company-coverage": {
      after,
      query: (earlier) => ({ company_id: companyIdIn(earlier) }),
      answer: { coverage: { state: "COMPANY_COVERAGE_STATE_AWAITING_FIRST_SCAN", providers: [] } },
    },
  },
  writes: {
    "create-monitored-company": {
      kind: "write",
      body: () => ({ company }),
      answer: {
        company: {
          name: "Walked Ltd",
          domicileCountry: "DOMICILE_COUNTRY_GB",
          lifecycle: "MONITORED_COMPANY_LIFECYCLE_ACTIVE",
          coverage: "COMPANY_COVERAGE_STATE_AWAITING_FIRST_SCAN",
          claims: [{ type: "COMPANY_CLAIM_TYPE_ALIAS", value: "Walked Ltd" }],
        },
      },
    },
    "update-monitored-company": {
      kind: "write",
      after,
      body: ({ earlier }) => ({ companyId: companyIdIn(earlier), patch: { name: "Walked plc" } }),
      answer: { company: { name: "Walked plc" } },
    },
    "set-monitored-company-state": {
      kind: "write",
      after,
      body: ({ earlier }) => ({
        companyId: companyIdIn(earlier),
        targetLifecycle: "MONITORED_COMPANY_LIFECYCLE_PAUSED",
      }),
      answer: { company: { lifecycle: "MONITORED_COMPANY_LIFECYCLE_PAUSED" }, snapshotRequired: true },
    },
    "rotate-company-event-feed": {
      kind: "write",
      body: () => ({}),
      answer: {},
    },
    "import-monitored-company-batch": {
      kind: "write",
      body: () => ({ contractVersion: "cm-import-v1", clientImportId: "walked", rows: [{ ordinal: 0, company }] }),
      answer: { results: [{ ordinal: 0 }] },
    },
  },
  payloads: {
    "gleif-lei-records": "gleif/lei-record-apple.json",
    "sec-filers": "sec-edgar/company_submission-TSLA.json",
  },
};
