import { type TSchema, Type } from "typebox";
import { TARGET_CHARACTERS_MAX } from "../../contract/outward.js";
import { sortablePattern } from "../../kit/sortable-id.js";
import {
  ATTEMPTS_KEPT,
  DESCRIPTION_CHARACTERS_MAX,
  EVENTS_MAX,
  FACET_CHARACTERS_MAX,
  FACET_VALUES_MAX,
  FACETS_MAX,
} from "./rules/limits.js";

/** The served records of webhooks. Instants are ISO 8601 in UTC. A member whose value is unknown is absent. */

export const orders = ["WEBHOOK_ORDER_PER_SUBJECT", "WEBHOOK_ORDER_UNORDERED"] as const;
export type Order = (typeof orders)[number];

export const endpointStates = [
  "WEBHOOK_ENDPOINT_STATE_ACTIVE",
  "WEBHOOK_ENDPOINT_STATE_PAUSED",
  "WEBHOOK_ENDPOINT_STATE_DISABLED",
] as const;
export type EndpointState = (typeof endpointStates)[number];
/** The states that a caller can set. */
export const targetStates = ["WEBHOOK_ENDPOINT_STATE_ACTIVE", "WEBHOOK_ENDPOINT_STATE_PAUSED"] as const;

export const deliveryStates = [
  "WEBHOOK_DELIVERY_STATE_PENDING",
  "WEBHOOK_DELIVERY_STATE_DELIVERED",
  "WEBHOOK_DELIVERY_STATE_DEAD",
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const ENDPOINT_PREFIX = "whe";
export const DELIVERY_PREFIX = "msg";

const ID_CHARACTERS_MAX = 48;
const idOf = (prefix: string, description: string) =>
  Type.String({ pattern: sortablePattern(prefix), maxLength: ID_CHARACTERS_MAX, description });

export const EndpointId = idOf(ENDPOINT_PREFIX, "Id of the endpoint");
export const DeliveryId = idOf(DELIVERY_PREFIX, "Id of the delivery, the same in every attempt (`webhook-id`)");

const Instant = (description: string) => Type.String({ format: "date-time", description: `${description}, ISO 8601` });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

/** Members that the request and the record of an endpoint share. */
export const endpointMembers = {
  url: Type.String({
    maxLength: TARGET_CHARACTERS_MAX,
    description: "Address to which changes are posted: https on port 443 of a public host",
  }),
  description: Type.String({ maxLength: DESCRIPTION_CHARACTERS_MAX, description: "Text to recognise the endpoint by" }),
  events: Type.Array(Type.String({ maxLength: FACET_CHARACTERS_MAX }), {
    minItems: 1,
    maxItems: EVENTS_MAX,
    description: "Types of the delivered events",
  }),
  filters: Type.Record(
    Type.String({ maxLength: FACET_CHARACTERS_MAX }),
    Type.Array(Type.String({ minLength: 1, maxLength: FACET_CHARACTERS_MAX }), {
      minItems: 1,
      maxItems: FACET_VALUES_MAX,
    }),
    {
      maxProperties: FACETS_MAX,
      description: "The wanted values of each facet; a facet that is not named admits all values",
    },
  ),
  order: Type.Enum([...orders], {
    description:
      "PER_SUBJECT: a change is sent only after all earlier changes of the same subject have been delivered or are dead; UNORDERED: a change is sent without waiting for earlier changes",
  }),
};

const SkippedChanges = Type.Object(
  {
    event: Type.String({ description: "Type of the event" }),
    positions: Type.Integer({
      minimum: 1,
      description: "Number of positions that left the log; not every one of them held a change",
    }),
    skippedAt: Instant("Time at which the service last noticed skipped changes"),
  },
  { title: "SkippedWebhookChanges", description: "Changes that left the log before they could be delivered." },
);

export const WebhookEndpoint = Type.Object(
  {
    endpointId: EndpointId,
    ...endpointMembers,
    description: optional(endpointMembers.description),
    state: Type.Enum([...endpointStates], {
      description: "ACTIVE: it gets changes; PAUSED: paused by the account; DISABLED: disabled by the service",
    }),
    stateReason: optional(Type.String({ description: "Reason why the service disabled the endpoint" })),
    pendingCount: Type.Integer({ minimum: 0, description: "Number of deliveries that wait to be sent" }),
    failuresInRow: Type.Integer({
      minimum: 0,
      description: "Number of failed attempts since the last success, or since the account last changed the state",
    }),
    restsUntil: optional(
      Instant("Earliest time of the next attempt; set after several failures, or if the endpoint asked to wait"),
    ),
    lastDeliveredAt: optional(Instant("Time of the last accepted delivery")),
    lastFailedAt: optional(Instant("Time of the last failed attempt")),
    lastError: optional(Type.String({ description: "Reason why the last failed attempt failed" })),
    oldSecretEndsAt: optional(Instant("Time until which messages are also signed with the previous secret")),
    skipped: Type.Array(SkippedChanges, {
      description: "Skipped changes, one entry for each event type with skipped changes",
    }),
    createdAt: Instant("Time of creation"),
  },
  { title: "WebhookEndpoint", description: "An address that receives changes, without its secrets." },
);

export const Secret = Type.String({
  description:
    "Signing secret in the format of Standard Webhooks: `whsec_` and a key in base64. Shown only in this answer",
});

const WebhookAttempt = Type.Object(
  {
    attemptedAt: Instant("Time of the attempt"),
    durationMs: Type.Integer({ minimum: 0, description: "Time until the answer or the failure, ms" }),
    responseStatus: optional(Type.Integer({ description: "HTTP status of the answer" })),
    error: optional(Type.String({ description: "Reason why the attempt failed" })),
  },
  { title: "WebhookAttempt", description: "One attempt to deliver." },
);

export const WebhookDelivery = Type.Object(
  {
    deliveryId: DeliveryId,
    endpointId: EndpointId,
    event: Type.String({ description: "Type of the event" }),
    position: optional(Type.Integer({ minimum: 1, description: "Position of the change in its log" })),
    subject: optional(Type.String({ description: "Subject of the change" })),
    state: Type.Enum([...deliveryStates], {
      description: "PENDING: not accepted yet; DELIVERED: accepted; DEAD: given up, but can be replayed",
    }),
    attemptCount: Type.Integer({
      minimum: 0,
      description: "Number of attempts since the delivery was queued, or queued again",
    }),
    attempts: Type.Array(WebhookAttempt, { description: `The last ${ATTEMPTS_KEPT} attempts, oldest first` }),
    nextAttemptAt: optional(
      Instant("Earliest time of the next attempt; absent while an earlier change of the same subject waits"),
    ),
    createdAt: Instant("Time at which the delivery was queued"),
    endedAt: optional(Instant("Time at which the delivery was accepted or given up")),
  },
  { title: "WebhookDelivery", description: "A change or a test message on its way to an endpoint." },
);
