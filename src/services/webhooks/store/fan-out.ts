import { sql } from "kysely";
import type { LogEntry, LogRead, LogReader, OpenLog } from "../../../contract/change-log.js";
import { hasActivePlan } from "../../../database/active-plan.js";
import type { StoreParts } from "../../../database/service-store.js";
import { inTransaction } from "../../../database/transaction.js";
import { isAdmitted } from "../rules/filters.js";
import { PENDING_MAX } from "../rules/limits.js";
import { newDeliveries, type QueuedMessage } from "./delivery-rows.js";
import { lockEndpoint } from "./endpoint-rows.js";
import { type WebhookDatabase, type WebhookEndpointRow, type WebhookSubscriptionRow, webhooksIn } from "./tables.js";

/** Maximum number of entries queued by one transaction. */
const ENTRIES_MAX = 200;
/**
 * Maximum number of transactions per endpoint and log in a round, so that a long log does not delay other endpoints.
 */
const STEPS_MAX = 10;
const SUBSCRIPTIONS_AT_ONCE = 500;
/** Number of concurrent transactions. SQLite commits them together, and PostgreSQL commits them in parallel. */
const AT_ONCE = 8;

/**
 * Queues the changes after the position of each active endpoint, each change once. Leaves the changes beyond
 * `STEPS_MAX` transactions to the next round. A transaction queues the deliveries of some entries and moves the
 * endpoint's position past them; if another node has already moved that position, the transaction does nothing. Returns
 * true if there were changes.
 */
export async function fanOut(parts: StoreParts, logs: readonly OpenLog[], signal: AbortSignal): Promise<boolean> {
  const faults: unknown[] = [];
  let isBehind = false;
  for (const open of logs) {
    const shared = open.log.isPerAccount ? open : { ...open, reader: readOnce(open.reader) };
    await eachSubscription(parts, shared, signal, (subscription) => {
      isBehind = true;
      return queueAll(parts, shared, subscription, signal).catch((fault: unknown) => void faults.push(fault));
    });
  }
  if (faults.length > 0) throw new AggregateError(faults, `endpoints whose changes were not queued: ${faults.length}`);
  return isBehind;
}

/**
 * Maximum number of cached reads of a shared log. It is low, because the endpoints of a round are usually at the same
 * positions.
 */
const READS_KEPT = 16;

/** Creates a reader of a shared log that reads the same entries once for all endpoints of a round. */
function readOnce(reader: LogReader): LogReader {
  const reads = new Map<number, Promise<LogRead>>();
  return {
    ...reader,
    read(accountId, after, entriesMax) {
      if (reads.size >= READS_KEPT) reads.clear();
      const read = reads.get(after) ?? reader.read(accountId, after, entriesMax);
      reads.set(after, read);
      return read;
    },
  };
}

type Subscription = Pick<WebhookSubscriptionRow, "endpoint_id" | "event" | "account_id" | "position">;

/**
 * Calls `work` for each subscription whose log has a newer position, if its account and its endpoint are active and the
 * endpoint has fewer than `PENDING_MAX` waiting deliveries.
 */
async function eachSubscription(
  { database }: StoreParts,
  { log, reader }: OpenLog,
  signal: AbortSignal,
  work: (subscription: Subscription) => Promise<void>,
): Promise<void> {
  const db = webhooksIn(database.db);
  for (let after = ""; ; ) {
    signal.throwIfAborted();
    const rows = await db
      .selectFrom("webhook_subscription as subscription")
      .innerJoin("webhook_endpoint as endpoint", "endpoint.endpoint_id", "subscription.endpoint_id")
      .select(["subscription.endpoint_id", "subscription.event", "subscription.account_id", "subscription.position"])
      .where("subscription.event", "=", log.event)
      .where("subscription.endpoint_id", ">", after)
      .where("endpoint.state", "=", "active")
      .where("endpoint.pending_count", "<", PENDING_MAX)
      .where(hasActivePlan("subscription.account_id"))
      .orderBy("subscription.endpoint_id")
      .limit(SUBSCRIPTIONS_AT_ONCE)
      .execute();
    if (rows.length === 0) return;
    const newest = await reader.newest([...new Set(rows.map(({ account_id }) => account_id))]);
    const behind = rows.filter(({ account_id, position }) => (newest.get(account_id) ?? 0) > position);
    for (let from = 0; from < behind.length; from += AT_ONCE) {
      await Promise.all(behind.slice(from, from + AT_ONCE).map(work));
    }
    const last = rows.at(-1);
    if (!last || rows.length < SUBSCRIPTIONS_AT_ONCE) return;
    after = last.endpoint_id;
  }
}

async function queueAll(
  parts: StoreParts,
  open: OpenLog,
  subscription: Subscription,
  signal: AbortSignal,
): Promise<void> {
  let { position } = subscription;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    signal.throwIfAborted();
    const read = await open.reader.read(subscription.account_id, position, ENTRIES_MAX);
    if (reachedBy(read) <= position) return;
    const reached = await inTransaction(parts.database.db, (on) =>
      queue(parts, webhooksIn(on), { ...subscription, position }, read),
    );
    if (reached === undefined || reached >= read.log.newest) return;
    position = reached;
  }
}

/** Returns the position up to which everything has been read. */
function reachedBy({ log, entries }: LogRead): number {
  return entries.length < ENTRIES_MAX ? log.newest : (entries.at(-1)?.position ?? log.newest);
}

/**
 * Queues entries until `PENDING_MAX` deliveries wait, and moves the position past the queued entries. Returns the new
 * position; undefined if another node has already moved the position, or if the endpoint is full or no longer active.
 */
async function queue(
  parts: StoreParts,
  db: WebhookDatabase,
  { endpoint_id, event, position }: Subscription,
  read: LogRead,
): Promise<number | undefined> {
  const now = parts.clock.now();
  const endpoint = await lockEndpoint(db, endpoint_id);
  if (endpoint?.state !== "active") return undefined;
  const admitted = admittedBy(endpoint, read);
  const entries = admitted.slice(0, Math.max(PENDING_MAX - endpoint.pending_count, 0));
  const reached = entries.length === admitted.length ? reachedBy(read) : entries.at(-1)?.position;
  if (reached === undefined) return undefined;
  const skipped = Math.max(read.log.oldest - 1 - position, 0);
  const moved = await db
    .updateTable("webhook_subscription")
    .set({
      position: reached,
      ...(skipped > 0 && { skipped_count: sql<number>`skipped_count + ${skipped}`, skipped_at: now }),
    })
    .where("endpoint_id", "=", endpoint_id)
    .where("event", "=", event)
    .where("position", "=", position)
    .returning("position")
    .executeTakeFirst();
  if (!moved) return undefined;
  const messages = await messagesOf(db, endpoint, event, entries, now);
  if (messages.length === 0) return reached;
  await db
    .insertInto("webhook_delivery")
    .values([...newDeliveries(parts, endpoint, messages, now)])
    .execute();
  await db
    .updateTable("webhook_endpoint")
    .set({ pending_count: sql<number>`pending_count + ${messages.length}` })
    .where("endpoint_id", "=", endpoint_id)
    .execute();
  return reached;
}

/** Returns the entries that the filters of the endpoint admit. */
function admittedBy({ filters }: WebhookEndpointRow, { entries }: LogRead): readonly LogEntry[] {
  const parsedFilters = JSON.parse(filters);
  return entries.filter((entry) => isAdmitted(entry, parsedFilters));
}

/**
 * Creates the messages for entries. With per-subject order, only the first message of a subject is due, and none if an
 * earlier delivery of the subject is pending.
 */
async function messagesOf(
  db: WebhookDatabase,
  { endpoint_id, ordering }: WebhookEndpointRow,
  event: string,
  entries: readonly LogEntry[],
  now: number,
): Promise<readonly QueuedMessage[]> {
  const isOrdered = ordering === "per_subject";
  const waiting = isOrdered
    ? await waitingSubjects(
        db,
        endpoint_id,
        event,
        entries.map(({ subject }) => subject),
      )
    : new Set<string>();
  return entries.map(({ position, subject, text }) => {
    const dueAt = waiting.has(subject) ? null : now;
    if (isOrdered) waiting.add(subject);
    return { event, position, subject, data: text, dueAt };
  });
}

async function waitingSubjects(
  db: WebhookDatabase,
  endpointId: string,
  event: string,
  subjects: readonly string[],
): Promise<Set<string>> {
  if (subjects.length === 0) return new Set();
  const rows = await db
    .selectFrom("webhook_delivery")
    .select("subject")
    .distinct()
    .where("endpoint_id", "=", endpointId)
    .where("event", "=", event)
    .where("subject", "in", [...new Set(subjects)])
    .where("state", "=", "pending")
    .execute();
  return new Set(rows.flatMap(({ subject }) => subject ?? []));
}
