import type { Json, ServiceCases } from "../../../contract/testing/service-cases.js";

const CREATE = "/api/webhooks/v1/create-webhook-endpoint";
const endpoint = { url: "https://receiver.example/changes", events: ["company_event.changed"] };
const after = { path: CREATE, body: endpoint };

/** The id of the endpoint that an earlier create returned. */
const endpointIdIn = (earlier: Json): string => (earlier["endpoint"] as { readonly endpointId: string }).endpointId;

export const cases: ServiceCases = {
  operations: {},
  datasets: {},
  accountReads: {
    "list-webhook-endpoints": { answer: { endpoints: [] } },
    "list-webhook-deliveries": { answer: { deliveries: [], nextCursor: "" } },
  },
  writes: {
    "create-webhook-endpoint": {
      kind: "write",
      body: () => endpoint,
      answer: {
        endpoint: {
          ...endpoint,
          filters: {},
          order: "WEBHOOK_ORDER_PER_SUBJECT",
          state: "WEBHOOK_ENDPOINT_STATE_ACTIVE",
          pendingCount: 0,
        },
      },
    },
    "set-webhook-endpoint-state": {
      kind: "write",
      after,
      body: ({ earlier }) => ({
        endpointId: endpointIdIn(earlier),
        targetState: "WEBHOOK_ENDPOINT_STATE_PAUSED",
      }),
      answer: { endpoint: { state: "WEBHOOK_ENDPOINT_STATE_PAUSED" } },
    },
    "rotate-webhook-secret": {
      kind: "write",
      after,
      body: ({ earlier }) => ({ endpointId: endpointIdIn(earlier) }),
      answer: { endpoint: { url: endpoint.url } },
    },
    "delete-webhook-endpoint": {
      kind: "write",
      after,
      body: ({ earlier }) => ({ endpointId: endpointIdIn(earlier) }),
      answer: {},
    },
    "send-test-webhook": {
      kind: "write",
      after,
      body: ({ earlier }) => ({ endpointId: endpointIdIn(earlier) }),
      answer: { delivery: { event: "webhook.test", state: "WEBHOOK_DELIVERY_STATE_PENDING", attempts: [] } },
    },
    // Replays are tested elsewhere, because each case here creates an endpoint in most of its tests, and an account may
    // have at most 20 endpoints.
    "replay-webhook-deliveries": { kind: "elsewhere", file: "src/services/webhooks/store/replay.test.ts" },
  },
};
