import { Type } from "typebox";
import { write } from "../../../contract/write.js";
import { exampleEndpointId } from "../example-endpoint.js";
import { webhookEndpoints } from "../ports.js";
import { EndpointId, Secret, WebhookEndpoint } from "../records.js";
import { changeLimit } from "../rules/call-limits.js";
import { endpointNotFound } from "../rules/failures.js";

export const rotateWebhookSecret = write({
  rpc: "rotate-webhook-secret",
  summary: "Replace the secret of a webhook endpoint",
  description:
    "The new secret is shown only in this answer. For 24 hours, each delivery has a signature with the new secret and one with the previous secret. Idempotency-Key is ignored.",
  access: { scope: "webhooks:write" },
  limit: changeLimit,
  repeats: "ignored",
  isTransaction: true,
  failures: ["itemNotFound"],
  uses: { endpoints: webhookEndpoints },
  request: Type.Object({ endpointId: EndpointId }, { title: "RotateWebhookSecretRequest" }),
  example: { endpointId: exampleEndpointId },
  response: Type.Object({ endpoint: WebhookEndpoint, secret: Secret }, { title: "RotateWebhookSecretResponse" }),
  async run({ endpointId }, { ports }) {
    const rotated = await ports.endpoints.rotateSecret(endpointId);
    if (!rotated) throw endpointNotFound();
    return { body: rotated };
  },
});
