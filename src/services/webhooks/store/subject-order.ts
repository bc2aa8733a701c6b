import { sql } from "kysely";
import type { WebhookDatabase, WebhookEndpointRow } from "./tables.js";

/** The subject of some deliveries of a log. */
export interface LogSubject {
  readonly event: string;
  readonly subject: string;
}

const SUBJECTS_AT_ONCE = 500;

/**
 * Makes the earliest pending delivery of each subject due and holds the later ones back, if the endpoint wants its
 * changes in order. The caller has locked the endpoint.
 */
export async function keepOrder(
  db: WebhookDatabase,
  { endpoint_id: endpointId, ordering }: Pick<WebhookEndpointRow, "endpoint_id" | "ordering">,
  subjects: readonly LogSubject[],
  now: number,
): Promise<void> {
  if (ordering !== "per_subject") return;
  for (const [event, names] of subjectsByEvent(subjects)) {
    for (let from = 0; from < names.length; from += SUBJECTS_AT_ONCE) {
      await db
        .updateTable("webhook_delivery")
        .set({ due_at: sql<number | null>`case when ${isFirst(endpointId, event)} then coalesce(due_at, ${now}) end` })
        .where("endpoint_id", "=", endpointId)
        .where("event", "=", event)
        .where("subject", "in", names.slice(from, from + SUBJECTS_AT_ONCE))
        .where("state", "=", "pending")
        .where("lease", "is", null)
        .execute();
    }
  }
}

/** True for the pending delivery with the lowest position of its subject. */
function isFirst(endpointId: string, event: string) {
  return sql`position = (
    select min(earlier.position) from webhook_delivery earlier
    where earlier.endpoint_id = ${endpointId} and earlier.event = ${event}
      and earlier.subject = webhook_delivery.subject and earlier.state = 'pending')`;
}

/** The distinct subjects of each log. */
function subjectsByEvent(subjects: readonly LogSubject[]): ReadonlyMap<string, readonly string[]> {
  const byEvent = new Map<string, Set<string>>();
  for (const { event, subject } of subjects) {
    byEvent.set(event, (byEvent.get(event) ?? new Set()).add(subject));
  }
  return new Map([...byEvent].map(([event, names]) => [event, [...names]]));
}
