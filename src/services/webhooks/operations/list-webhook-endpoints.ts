import { Type } from "typebox";
import { accountRead } from "../../../contract/account-read.js";
import { webhookEndpoints } from "../ports.js";
import { WebhookEndpoint } from "../records.js";

export const listWebhookEndpoints = accountRead({
  rpc: "list-webhook-endpoints",
  summary: "Webhook endpoints of the account",
  description: "All endpoints in the order of their creation, with their state and last outcomes, without secrets.",
  access: { scope: "webhooks:read" },
  uses: { endpoints: webhookEndpoints },
  query: {},
  response: Type.Object(
    { endpoints: Type.Array(WebhookEndpoint, { description: "At most 20, oldest first" }) },
    { title: "ListWebhookEndpointsResponse" },
  ),
  examples: [{}],
  async run(_query, { ports }) {
    return { endpoints: [...(await ports.endpoints.list())] };
  },
});
