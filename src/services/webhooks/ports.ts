import type { Static } from "typebox";
import { type Port, port } from "../../contract/port.js";
import type { EndpointState, Order, WebhookDelivery, WebhookEndpoint } from "./records.js";
import type { EndpointFilters } from "./rules/filters.js";

export type Endpoint = Static<typeof WebhookEndpoint>;
export type Delivery = Static<typeof WebhookDelivery>;

export interface NewEndpoint {
  readonly url: string;
  readonly description: string | undefined;
  readonly filters: EndpointFilters;
  readonly order: Order;
  /** For each event type, a position in its log. Only the changes after this position are delivered. */
  readonly positions: ReadonlyMap<string, number>;
}

/** An endpoint with its new secret, which no later answer shows. */
export interface EndpointWithSecret {
  readonly endpoint: Endpoint;
  readonly secret: string;
}

/**
 * The endpoints of the caller's account. An undefined result, or false from `remove`, means that the account has no
 * such endpoint.
 */
export interface WebhookEndpoints {
  /** Private origins that the operator allows. */
  readonly privateOrigins: readonly string[];
  list(): Promise<readonly Endpoint[]>;
  create(endpoint: NewEndpoint): Promise<EndpointWithSecret | "too many">;
  setState(endpointId: string, state: EndpointState): Promise<Endpoint | undefined>;
  /** Replaces the secret. For 24 hours, messages are also signed with the previous secret. */
  rotateSecret(endpointId: string): Promise<EndpointWithSecret | undefined>;
  /** Removes the endpoint and its secrets immediately, and its deliveries later. */
  remove(endpointId: string): Promise<boolean>;
}

export const webhookEndpoints: Port<WebhookEndpoints> = port("webhook endpoints");

export interface DeliveryQuery {
  /** Empty for the deliveries to all endpoints. */
  readonly endpointId: string;
  /** Short names, such as `dead`; an empty list admits every state. */
  readonly states: readonly string[];
  /** Id of the last delivery on the previous page; empty for the first page. */
  readonly before: string;
  readonly rowsMax: number;
}

export interface Replay {
  readonly replayedCount: number;
  /** Number of the endpoint's deliveries that are still dead. */
  readonly deadCount: number;
}

/** The deliveries of the caller's account. An undefined result means that the account has no such endpoint. */
export interface WebhookDeliveries {
  /** Newest first. */
  list(query: DeliveryQuery): Promise<readonly Delivery[]>;
  /**
   * Queues a test message. The result is `not active` if the endpoint is paused or disabled, and `full` if it already
   * has `PENDING_MAX` or more waiting deliveries.
   */
  sendTest(endpointId: string): Promise<Delivery | "not active" | "full" | undefined>;
  /** Queues dead deliveries again: the ones with these ids or, if there are no ids, the oldest ones. */
  replay(endpointId: string, deliveryIds: readonly string[] | undefined): Promise<Replay | undefined>;
}

export const webhookDeliveries: Port<WebhookDeliveries> = port("webhook deliveries");
