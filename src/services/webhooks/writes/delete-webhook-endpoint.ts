import { Type } from "typebox";
import { write } from "../../../contract/write.js";
import { exampleEndpointId } from "../example-endpoint.js";
import { webhookEndpoints } from "../ports.js";
import { EndpointId } from "../records.js";
import { changeLimit } from "../rules/call-limits.js";
import { endpointNotFound } from "../rules/failures.js";

export const deleteWebhookEndpoint = write({
  rpc: "delete-webhook-endpoint",
  summary: "Delete a webhook endpoint",
  description:
    "Removes the endpoint and its secrets immediately, and its deliveries within two hours. A delivery that is being sent may still arrive.",
  access: { scope: "webhooks:write" },
  limit: changeLimit,
  repeats: "replayed",
  isTransaction: true,
  failures: ["itemNotFound"],
  uses: { endpoints: webhookEndpoints },
  request: Type.Object({ endpointId: EndpointId }, { title: "DeleteWebhookEndpointRequest" }),
  example: { endpointId: exampleEndpointId },
  response: Type.Object({ endpointId: EndpointId }, { title: "DeleteWebhookEndpointResponse" }),
  async run({ endpointId }, { ports }) {
    if (!(await ports.endpoints.remove(endpointId))) throw endpointNotFound();
    return { body: { endpointId } };
  },
});
