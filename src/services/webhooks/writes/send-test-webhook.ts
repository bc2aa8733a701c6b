import { Type } from "typebox";
import { write } from "../../../contract/write.js";
import { exampleEndpointId } from "../example-endpoint.js";
import { webhookDeliveries } from "../ports.js";
import { EndpointId, WebhookDelivery } from "../records.js";
import { changeLimit } from "../rules/call-limits.js";
import { endpointNotActive, endpointNotFound, endpointQueueFull } from "../rules/failures.js";

export const sendTestWebhook = write({
  rpc: "send-test-webhook",
  summary: "Send a test message to a webhook endpoint",
  description:
    "Queues a message of type `webhook.test`, which is sent, signed and retried like a change. list-webhook-deliveries shows the outcome. 409 ENDPOINT_NOT_ACTIVE while the endpoint is paused or disabled, ENDPOINT_QUEUE_FULL while it has 10,000 waiting deliveries.",
  access: { scope: "webhooks:write" },
  limit: changeLimit,
  repeats: "replayed",
  isTransaction: true,
  failures: ["itemNotFound", "conflict"],
  uses: { deliveries: webhookDeliveries },
  request: Type.Object({ endpointId: EndpointId }, { title: "SendTestWebhookRequest" }),
  example: { endpointId: exampleEndpointId },
  response: Type.Object({ delivery: WebhookDelivery }, { title: "SendTestWebhookResponse" }),
  async run({ endpointId }, { ports }) {
    const delivery = await ports.deliveries.sendTest(endpointId);
    if (!delivery) throw endpointNotFound();
    if (delivery === "not active") throw endpointNotActive();
    if (delivery === "full") throw endpointQueueFull();
    return { body: { delivery } };
  },
});
