import { Type } from "typebox";
import type { LogEntry, OpenLog } from "../../../../contract/change-log.js";
import type { OutwardAnswer, OutwardPost, PostOutward } from "../../../../contract/outward.js";
import type { OpenDatabase } from "../../../../database/open-database.js";
import type { StoreCall, StoreParts } from "../../../../database/service-store.js";
import { principalOf, testStoreParts } from "../../../../database/testing/store-parts.js";
import { type ManualClock, manualClock } from "../../../../kit/manual-clock.js";
import type { EndpointWithSecret, NewEndpoint, WebhookDeliveries, WebhookEndpoints } from "../../ports.js";
import { deliveryStore } from "../delivery-store.js";
import { endpointStore } from "../endpoint-store.js";
import { expireDeliveries } from "../expire.js";
import { fanOut } from "../fan-out.js";
import { sendDue } from "../send-due.js";
import { webhookStore } from "../store.js";
import { webhooksIn } from "../tables.js";

export const NOW = Date.UTC(2026, 10, 23);
export const EVENT = "thing.changed";
export const ACCOUNT = "acc_a";

/** A log in memory, shared by the nodes of a test. */
export interface MemoryLog extends OpenLog {
  /** Adds a change of a subject and returns its position. */
  add(subject: string, facets?: Readonly<Record<string, string>>, accountId?: string): number;
  /** Removes everything below a position. */
  thin(oldest: number): void;
}

export function memoryLog(): MemoryLog {
  const byAccount = new Map<string, LogEntry[]>();
  let first = 1;
  const entriesOf = (accountId: string): LogEntry[] => byAccount.get(accountId) ?? [];
  const newestOf = (accountId: string): number => entriesOf(accountId).at(-1)?.position ?? 0;
  return {
    log: {
      event: EVENT,
      description: "A thing changed.",
      scope: "company_monitoring:read",
      isPerAccount: true,
      entry: Type.Object({}),
      subject: "thingId",
      facets: { thingId: undefined, colour: ["red", "green"] },
    },
    reader: {
      newest: async (accountIds) =>
        new Map(accountIds.flatMap((id) => (byAccount.has(id) ? [[id, newestOf(id)] as const] : []))),
      read: async (accountId, after, entriesMax) => ({
        log: { oldest: first, newest: newestOf(accountId), snapshotGeneration: 1 },
        entries: entriesOf(accountId)
          .filter(({ position }) => position > after && position >= first)
          .slice(0, entriesMax),
      }),
      cursors: () => {
        throw new Error("webhooks need no cursors");
      },
    },
    add(subject, facets = {}, accountId = ACCOUNT) {
      const position = newestOf(accountId) + 1;
      const text = JSON.stringify({ position, subject });
      byAccount.set(accountId, [
        ...entriesOf(accountId),
        { position, subject, facets: { thingId: subject, ...facets }, text },
      ]);
      return position;
    },
    thin(oldest) {
      first = oldest;
    },
  };
}

/** A message as it arrives at a receiver. */
export interface Received {
  readonly id: string;
  readonly url: string;
  readonly at: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The `data` of the message. */
  readonly data: { readonly position: number; readonly subject: string };
}

export type Receive = (post: Received, signal: AbortSignal) => Promise<number | OutwardAnswer> | number | OutwardAnswer;

/** Creates a `post` that hands each message to `receive`, which answers with a status or throws. */
export function fakePost(clock: ManualClock, receive: Receive): PostOutward {
  return async (post: OutwardPost, signal) => {
    const id = post.headers["webhook-id"] ?? "";
    const { url, headers, body } = post;
    const { data } = JSON.parse(body);
    const answer = await receive({ id, url, at: clock.now(), headers, body, data }, signal);
    return typeof answer === "number" ? { status: answer, retryAt: undefined } : answer;
  };
}

export interface WebhookNode {
  readonly parts: StoreParts;
  readonly clock: ManualClock;
  /** Runs work in a transaction, as the given account; by default as `ACCOUNT`. */
  inCall<T>(
    work: (ports: { readonly endpoints: WebhookEndpoints; readonly deliveries: WebhookDeliveries }) => Promise<T>,
    accountId?: string,
  ): Promise<T>;
  create(more?: Partial<NewEndpoint>): Promise<EndpointWithSecret>;
  fanOut(log: OpenLog): Promise<boolean>;
  send(receive: Receive, signal?: AbortSignal): Promise<void>;
  expire(): Promise<void>;
  /** The deliveries in the order of endpoint and position, as `state/attempts`. */
  states(): Promise<readonly string[]>;
}

const never = new AbortController().signal;

/**
 * Creates the tables of webhooks in a store, and opens a node on the store. `seed` makes the ids of this node differ
 * from those of other nodes.
 */
export async function webhookNode(
  database: OpenDatabase,
  options: { readonly clock?: ManualClock; readonly seed?: number; readonly isSimulated?: boolean } = {},
): Promise<WebhookNode> {
  const { clock = manualClock(NOW) } = options;
  const store = { service: "webhooks", store: webhookStore };
  const parts = await testStoreParts(database, store, { ...options, clock });
  const inCall: WebhookNode["inCall"] = (work, accountId = ACCOUNT) =>
    database.db.transaction().execute((db) => {
      const call: StoreCall = { principal: principalOf(accountId), actor: "key_1", address: "", db };
      return work({ endpoints: endpointStore(parts, call), deliveries: deliveryStore(parts, call) });
    });
  return {
    parts,
    clock,
    inCall,
    async create(more = {}) {
      const created = await inCall(({ endpoints }) =>
        endpoints.create({ ...endpointTo("https://a.example/"), ...more }),
      );
      if (created === "too many") throw new Error("the account has too many endpoints");
      return created;
    },
    fanOut: (log) => fanOut(parts, [log], never),
    send: (receive, signal = never) => sendDue(parts, { post: fakePost(clock, receive), signal }),
    expire: () => expireDeliveries(parts, never),
    async states() {
      const rows = await webhooksIn(database.db)
        .selectFrom("webhook_delivery")
        .select(["state", "attempt_count"])
        .orderBy("endpoint_id")
        .orderBy("position")
        .execute();
      return rows.map(({ state, attempt_count }) => `${state}/${attempt_count}`);
    },
  };
}

export function endpointTo(url: string): NewEndpoint {
  return {
    url,
    description: undefined,
    filters: {},
    order: "WEBHOOK_ORDER_PER_SUBJECT",
    positions: new Map([[EVENT, 0]]),
  };
}
