import type { TSchema } from "typebox";
import type { ChangeLog } from "../change-log.js";

type Json = Readonly<Record<string, unknown>>;

/** The headers of every webhook, as components. */
export const webhookParameters: Readonly<Record<string, Json>> = {
  WebhookId: headerParameter("webhook-id", "Id of the message, the same in every attempt", { pattern: "^msg_" }),
  WebhookTimestamp: headerParameter("webhook-timestamp", "Time of the attempt, epoch seconds", { pattern: "^\\d+$" }),
  WebhookSignature: headerParameter(
    "webhook-signature",
    "A signature for each live secret, separated by spaces: `v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`",
    { pattern: "^v1," },
  ),
};

function headerParameter(name: string, description: string, more: Json): Json {
  return { name, in: "header", required: true, description, schema: { type: "string", ...more } };
}

/** The messages that endpoints receive, one for each log, by the type of the event. */
export function webhookSection(logs: readonly ChangeLog[], hoisted: (schema: TSchema) => unknown): Json {
  return Object.fromEntries(logs.map((log) => [log.event, { post: webhookObject(log, hoisted(log.entry)) }]));
}

function webhookObject({ event, description, scope, subject, facets }: ChangeLog, entry: unknown): Json {
  return {
    operationId: `on-${event.replaceAll(/[._]/g, "-")}`,
    summary: description,
    description: `Sent to webhook endpoints that subscribe to this event. The creator of such an endpoint needs the scope ${scope}. By default, messages are sent in order for each \`${subject}\`. Filters: ${Object.keys(facets).join(", ")}.`,
    security: [],
    parameters: Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            required: ["type", "timestamp", "data"],
            properties: {
              type: { const: event, description: "Type of the event" },
              timestamp: { type: "string", format: "date-time", description: "Time at which the message was queued" },
              simulated: { const: true, description: "Only in messages of a demo" },
              data: entry,
            },
          },
        },
      },
    },
    responses: {
      "2XX": { description: "Accepts the message." },
      "410": { description: "Disables the endpoint." },
      default: { description: "The message is sent again later, for at most three days." },
    },
  };
}
