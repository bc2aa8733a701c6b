import { Type } from "typebox";
import { write } from "../../../contract/write.js";
import { exampleEndpointId } from "../example-endpoint.js";
import { webhookDeliveries } from "../ports.js";
import { DeliveryId, EndpointId } from "../records.js";
import { changeLimit } from "../rules/call-limits.js";
import { endpointNotFound } from "../rules/failures.js";
import { REPLAYED_IDS_MAX } from "../rules/limits.js";

export const replayWebhookDeliveries = write({
  rpc: "replay-webhook-deliveries",
  summary: "Send dead webhook deliveries again",
  description:
    "Queues the named dead deliveries again or, if none are named, the oldest 1,000 dead ones. They keep their ids and bodies, and delivery is attempted for three more days. Deliveries that are not dead are ignored. An endpoint has at most 10,000 waiting deliveries; those that do not fit stay dead.",
  access: { scope: "webhooks:write" },
  limit: changeLimit,
  repeats: "replayed",
  isTransaction: true,
  failures: ["itemNotFound"],
  uses: { deliveries: webhookDeliveries },
  request: Type.Object(
    {
      endpointId: EndpointId,
      deliveryIds: Type.Optional(
        Type.Array(DeliveryId, {
          minItems: 1,
          maxItems: REPLAYED_IDS_MAX,
          description: "Default: the oldest 1,000 dead deliveries",
        }),
      ),
    },
    { title: "ReplayWebhookDeliveriesRequest" },
  ),
  example: { endpointId: exampleEndpointId },
  response: Type.Object(
    {
      replayedCount: Type.Integer({ minimum: 0, description: "Number of deliveries that were queued" }),
      deadCount: Type.Integer({ minimum: 0, description: "Number of the endpoint's deliveries that are still dead" }),
    },
    { title: "ReplayWebhookDeliveriesResponse" },
  ),
  async run({ endpointId, deliveryIds }, { ports }) {
    const replay = await ports.deliveries.replay(endpointId, deliveryIds);
    if (!replay) throw endpointNotFound();
    return { body: replay };
  },
});
