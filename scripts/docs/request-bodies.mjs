// A request body of each POST whose recorded answer has none, for the documents.
import { Compile } from "typebox/compile";

const watchId = "wch_01KAZJ9M3T8V6Y2C4E5F7G8H9J";
const endpointId = "whe_01KAZJ9M3T8V6Y2C4E5F7G8H9J";
const definition = {
  name: "New large earthquakes",
  call: "/api/seismology/v1/list-earthquakes?min_magnitude=6",
  on: "WATCH_ON_NEW_ROWS",
};
const accountId = "acc_desk";
const companyId = "cm_company_01KAZJ9M3T8V6Y2C4E5F7G8H9J";
const company = "/api/company-monitoring/v1";

/** By path. `checkRequestBodies` checks each against the schema of its request. */
export const requestBodies = {
  "/api/account/v1/create-account": { name: "Desk", plan: "business", id: accountId },
  "/api/account/v1/create-key": { name: "nightly job", scopes: ["read"] },
  "/api/account/v1/revoke-key": { keyId: "key_1" },
  "/api/account/v1/set-plan": { accountId, plan: "pro", state: "active" },
  "/api/account/v1/sign-in": { key: "vgl_…" },
  "/api/account/v1/sign-out": {},
  "/api/batch/v1/execute": {
    operations: [
      { id: "co2", path: "/api/climate/v1/get-co2-monitoring?jmespath=monitoring.currentPpm" },
      { id: "year", path: "/api/displacement/v1/get-displacement-summary?jmespath=summary.year" },
    ],
  },
  [`${company}/create-monitored-company`]: {
    clientRequestId: "example",
    company: { name: "Example Industries", domicileCountry: "DOMICILE_COUNTRY_US", domains: ["example.com"] },
  },
  [`${company}/update-monitored-company`]: {
    companyId,
    patch: { addClaims: [{ type: "COMPANY_CLAIM_TYPE_ALIAS", value: "Exemplar" }] },
  },
  [`${company}/set-monitored-company-state`]: {
    companyId,
    targetLifecycle: "MONITORED_COMPANY_LIFECYCLE_PAUSED",
  },
  [`${company}/import-monitored-company-batch`]: {
    contractVersion: "cm-import-v1",
    clientImportId: "example",
    rows: [{ ordinal: 0, company: { name: "Specimen", domicileCountry: "DOMICILE_COUNTRY_GB" } }],
  },
  "/api/watches/v1/create-watch": definition,
  "/api/watches/v1/delete-watch": { watchId },
  "/api/watches/v1/pause-watch": { watchId },
  "/api/watches/v1/resume-watch": { watchId },
  "/api/watches/v1/rotate-watch-feed": { watchId },
  "/api/watches/v1/test-watch": { definition, from: "2026-11-01T00:00:00Z" },
  "/api/watches/v1/update-watch": { watchId, definition },
  "/api/webhooks/v1/create-webhook-endpoint": { url: "https://example.com/hook", events: ["watch.fired"] },
  "/api/webhooks/v1/delete-webhook-endpoint": { endpointId },
  "/api/webhooks/v1/replay-webhook-deliveries": { endpointId },
  "/api/webhooks/v1/rotate-webhook-secret": { endpointId },
  "/api/webhooks/v1/send-test-webhook": { endpointId },
  "/api/webhooks/v1/set-webhook-endpoint-state": { endpointId, targetState: "WEBHOOK_ENDPOINT_STATE_PAUSED" },
  "/oauth/token": { grant_type: "client_credentials", client_id: accountId, client_secret: "vgl_…" },
};

/** Replacements for the example, by path, for calls that only their sender can make. */
export const exampleReplacements = {
  "/api/account/v1/plan-events": "[How to sign an event](../access.md#billing), with an example.",
  "/api/watches/v1/confirm-watch-email": "The page behind the link of a mail sends this request.",
  "/api/watches/v1/stop-watch-email": "The page behind the link of a mail sends this request.",
};

/** Throws for a body that the service would refuse, and for one whose path does not exist. */
export function checkRequestBodies(writes) {
  const requests = new Map(writes.map(({ path, write }) => [path, write.request]));
  for (const [path, body] of Object.entries(requestBodies)) {
    const request = requests.get(path);
    if (request === undefined) throw new Error(`scripts/docs/request-bodies.mjs: there is no POST ${path}`);
    const [problem] = Compile(request).Errors(body);
    if (problem) throw new Error(`scripts/docs/request-bodies.mjs: ${path}${problem.instancePath} ${problem.message}`);
  }
}
