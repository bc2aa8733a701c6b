import { Type } from "typebox";
import { write } from "../../../contract/write.js";
import { exampleEndpointId } from "../example-endpoint.js";
import { webhookEndpoints } from "../ports.js";
import { EndpointId, targetStates, WebhookEndpoint } from "../records.js";
import { changeLimit } from "../rules/call-limits.js";
import { endpointNotFound } from "../rules/failures.js";

export const setWebhookEndpointState = write({
  rpc: "set-webhook-endpoint-state",
  summary: "Pause or activate a webhook endpoint",
  description:
    "A paused endpoint keeps its position in each log and its waiting deliveries, which do not expire during the pause. Activating the endpoint delivers the changes since the pause, except those that have left the log. It also restarts an endpoint that the service disabled.",
  access: { scope: "webhooks:write" },
  limit: changeLimit,
  repeats: "replayed",
  isTransaction: true,
  failures: ["itemNotFound"],
  uses: { endpoints: webhookEndpoints },
  request: Type.Object(
    {
      endpointId: EndpointId,
      targetState: Type.Enum([...targetStates], { description: "The state to set" }),
    },
    { title: "SetWebhookEndpointStateRequest" },
  ),
  example: { endpointId: exampleEndpointId, targetState: "WEBHOOK_ENDPOINT_STATE_PAUSED" },
  response: Type.Object({ endpoint: WebhookEndpoint }, { title: "SetWebhookEndpointStateResponse" }),
  async run({ endpointId, targetState }, { ports }) {
    const endpoint = await ports.endpoints.setState(endpointId, targetState);
    if (!endpoint) throw endpointNotFound();
    return { body: { endpoint } };
  },
});
