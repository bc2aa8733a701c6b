import type { Kysely, Selectable } from "kysely";
import type { Database } from "../../../database/schema.js";
import { serviceTables } from "../../../database/service-tables.js";

/**
 * The tables of webhooks. Instants are epoch ms; structured columns hold JSON text. To change the deliveries of an
 * endpoint, first lock the endpoint's row, so that `pending_count` and the order of the deliveries stay correct.
 */
export type WebhookTables = {
  webhook_account: WebhookAccountTable;
  webhook_endpoint: WebhookEndpointTable;
  webhook_subscription: WebhookSubscriptionTable;
  webhook_secret: WebhookSecretTable;
  webhook_delivery: WebhookDeliveryTable;
};

/** The number of endpoints of an account. The row is also the lock for creating endpoints. */
interface WebhookAccountTable {
  account_id: string;
  endpoint_count: number;
}

interface WebhookEndpointTable {
  endpoint_id: string;
  account_id: string;
  url: string;
  description: string | null;
  /** per_subject or unordered. */
  ordering: string;
  /** JSON: the accepted values of each facet. */
  filters: string;
  /** active, paused, disabled or deleted. */
  state: string;
  state_reason: string | null;
  state_changed_at: number;
  /** Time since which deliveries wait because the plan of the account has lapsed; null if they do not. */
  plan_lapsed_at: number | null;
  /** Number of pending deliveries. */
  pending_count: number;
  /** Number of failed attempts since the last success, or since the account last changed the state. */
  failure_count: number;
  /**
   * No attempt to an endpoint that is down begins before this time. While a single delivery probes such an endpoint,
   * this is the end of that delivery's lease. Repeats `requested_until` for older versions, which know only this
   * column. 0 for an endpoint that is not down and requested no wait.
   */
  rests_until: number;
  /** No attempt begins before this time, which the receiver requested with `Retry-After`. 0 if it requested none. */
  requested_until: number;
  last_delivered_at: number | null;
  last_failed_at: number | null;
  last_error: string | null;
  created_at: number;
}
export type WebhookEndpointRow = Selectable<WebhookEndpointTable>;

/** The position of an endpoint in one log. */
interface WebhookSubscriptionTable {
  endpoint_id: string;
  event: string;
  account_id: string;
  /** The position up to which deliveries are queued. */
  position: number;
  /** Number of positions that left the log before they were read. */
  skipped_count: number;
  skipped_at: number | null;
}
export type WebhookSubscriptionRow = Selectable<WebhookSubscriptionTable>;

interface WebhookSecretTable {
  endpoint_id: string;
  secret_id: string;
  /** Encrypted by the key vault that the nodes share (`StoreParts.vault`); plain text if they share none. */
  secret: string;
  created_at: number;
  /** Null for the newest secret. */
  ends_at: number | null;
}

interface WebhookDeliveryTable {
  delivery_id: string;
  endpoint_id: string;
  account_id: string;
  event: string;
  /** Null for a test message. */
  position: number | null;
  subject: string | null;
  body: string;
  /** pending, delivered or dead. */
  state: string;
  /**
   * Null once the delivery is finished. If the endpoint requires order, also null while an earlier delivery of the same
   * subject is pending.
   */
  due_at: number | null;
  /** Time at which a pending delivery is declared dead. */
  expires_at: number;
  attempt_count: number;
  /** JSON: the newest attempts. */
  attempts: string;
  /** Id of the round of sending that has leased the delivery; null if none has. */
  lease: string | null;
  /** Time at which the lease ends. */
  leased_until: number | null;
  created_at: number;
  ended_at: number | null;
}
export type WebhookDeliveryRow = Selectable<WebhookDeliveryTable>;

/** A database with the tables of `Database` and of webhooks. */
export type WebhookDatabase = Kysely<Database & WebhookTables>;

/** Returns the same database with a type that includes these tables. */
export const webhooksIn = serviceTables<WebhookTables>;
