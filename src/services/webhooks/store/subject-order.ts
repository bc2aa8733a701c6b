import type { WebhookDatabase, WebhookDeliveryRow, WebhookEndpointRow } from "./tables.js";

/** A subject within the log of one event type. */
export interface LogSubject {
  readonly event: string;
  readonly subject: string;
}

type OrderedEndpoint = Pick<WebhookEndpointRow, "endpoint_id" | "ordering">;

const SUBJECTS_AT_ONCE = 500;

/**
 * If the endpoint requires order, makes the earliest pending delivery of each subject due. The caller has locked the
 * endpoint.
 */
export async function makeFirstDue(
  db: WebhookDatabase,
  { endpoint_id: endpointId, ordering }: OrderedEndpoint,
  subjects: readonly LogSubject[],
  now: number,
): Promise<void> {
  if (ordering !== "per_subject") return;
  for (const { event, names } of chunksOf(subjects)) {
    const firsts = await db
      .selectFrom("webhook_delivery")
      .select(({ fn }) => fn.min<number>("position").as("position"))
      .where("endpoint_id", "=", endpointId)
      .where("event", "=", event)
      .where("subject", "in", names)
      .where("state", "=", "pending")
      .groupBy("subject")
      .execute();
    if (firsts.length === 0) continue;
    await db
      .updateTable("webhook_delivery")
      .set({ due_at: now })
      .where("endpoint_id", "=", endpointId)
      .where("event", "=", event)
      .where(
        "position",
        "in",
        firsts.map(({ position }) => position),
      )
      .where("due_at", "is", null)
      .execute();
  }
}

/**
 * If the endpoint requires order, makes all pending deliveries of these subjects wait, replayed ones included. The
 * caller then makes the earliest delivery of each subject due with `makeFirstDue`. A delivery that is being sent cannot
 * be stopped, but it waits as well if its attempt fails, or if its process dies and its lease ends.
 */
export async function holdBack(
  db: WebhookDatabase,
  { endpoint_id: endpointId, ordering }: OrderedEndpoint,
  subjects: readonly LogSubject[],
): Promise<void> {
  if (ordering !== "per_subject") return;
  for (const { event, names } of chunksOf(subjects)) {
    await db
      .updateTable("webhook_delivery")
      .set({ due_at: null })
      .where("endpoint_id", "=", endpointId)
      .where("event", "=", event)
      .where("subject", "in", names)
      .where("state", "=", "pending")
      .where("due_at", "is not", null)
      .execute();
  }
}

/**
 * True if the endpoint requires order and has an earlier pending delivery of the same subject. A replay can make an
 * earlier delivery pending again.
 */
export async function hasEarlier(
  db: WebhookDatabase,
  { endpoint_id: endpointId, ordering }: OrderedEndpoint,
  { event, subject, position }: Pick<WebhookDeliveryRow, "event" | "subject" | "position">,
): Promise<boolean> {
  if (ordering !== "per_subject" || subject === null || position === null) return false;
  const earlier = await db
    .selectFrom("webhook_delivery")
    .select("delivery_id")
    .where("endpoint_id", "=", endpointId)
    .where("event", "=", event)
    .where("subject", "=", subject)
    .where("state", "=", "pending")
    .where("position", "<", position)
    .limit(1)
    .executeTakeFirst();
  return earlier !== undefined;
}

/** Returns the distinct subjects of each log, in chunks that fit into a statement. */
function chunksOf(subjects: readonly LogSubject[]) {
  const byEvent = new Map<string, Set<string>>();
  for (const { event, subject } of subjects) byEvent.set(event, (byEvent.get(event) ?? new Set()).add(subject));
  return [...byEvent].flatMap(([event, distinct]) => {
    const all = [...distinct];
    const count = Math.ceil(all.length / SUBJECTS_AT_ONCE);
    return Array.from({ length: count }, (_, at) => ({
      event,
      names: all.slice(at * SUBJECTS_AT_ONCE, (at + 1) * SUBJECTS_AT_ONCE),
    }));
  });
}
