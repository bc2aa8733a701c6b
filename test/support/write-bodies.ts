/** Ids of objects created by earlier writes. */
export interface CreatedIds {
  watchId: string;
  companyId: string;
  endpointId: string;
}

const definition = { name: "Any", call: "/api/seismology/v1/list-earthquakes", on: "WATCH_ON_NEW_ROWS" };

/** Request bodies of writes, in the order in which they are sent. */
export const writeBodies: Readonly<Record<string, (created: CreatedIds) => object>> = {
  execute: () => ({ operations: [{ id: "co2", path: "/api/climate/v1/get-co2-monitoring" }] }),
  "create-watch": () => definition,
  "update-watch": ({ watchId }) => ({ watchId, definition: { ...definition, name: "Other" } }),
  "pause-watch": ({ watchId }) => ({ watchId }),
  "resume-watch": ({ watchId }) => ({ watchId }),
  "rotate-watch-feed": ({ watchId }) => ({ watchId }),
  "delete-watch": ({ watchId }) => ({ watchId }),
  "create-monitored-company": () => ({
    clientRequestId: "ways-in",
    company: { name: "Way In", domicileCountry: "DOMICILE_COUNTRY_US" },
  }),
  "update-monitored-company": ({ companyId }) => ({
    companyId,
    patch: { addClaims: [{ type: "COMPANY_CLAIM_TYPE_ALIAS", value: "Wayin" }] },
  }),
  "set-monitored-company-state": ({ companyId }) => ({
    companyId,
    targetLifecycle: "MONITORED_COMPANY_LIFECYCLE_PAUSED",
  }),
  "rotate-company-event-feed": () => ({}),
  "send-test-webhook": ({ endpointId }) => ({ endpointId }),
  "set-webhook-endpoint-state": ({ endpointId }) => ({ endpointId, targetState: "WEBHOOK_ENDPOINT_STATE_PAUSED" }),
  "replay-webhook-deliveries": ({ endpointId }) => ({ endpointId }),
  "delete-webhook-endpoint": ({ endpointId }) => ({ endpointId }),
  // The last two writes ignore `Idempotency-Key`. `test-watch` always gives the same answer to the same body. The
  // answer to a repeated import states that it is a repeat.
  "test-watch": () => ({ definition, from: "2026-11-18T11:00:00Z", to: "2026-11-18T12:00:00Z" }),
  "import-monitored-company-batch": () => ({
    contractVersion: "cm-import-v1",
    clientImportId: "ways-in",
    rows: [{ ordinal: 0, company: { name: "Specimen", domicileCountry: "DOMICILE_COUNTRY_GB" } }],
  }),
};

/** The body of `create-webhook-endpoint`. The webhook writes above use the endpoint that it creates. */
export const endpointBody = { url: "https://example.com/hook", events: ["watch.fired"] };

/** Records the ids in the answer to a write. */
export function noteIds(created: CreatedIds, answer: unknown): void {
  const { watch, company, endpoint } = answer as {
    readonly watch?: { readonly watchId: string };
    readonly company?: { readonly companyId: string };
    readonly endpoint?: { readonly endpointId: string };
  };
  if (watch) created.watchId = watch.watchId;
  if (endpoint) created.endpointId = endpoint.endpointId;
  if (company) created.companyId = company.companyId;
}
