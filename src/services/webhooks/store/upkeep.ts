import type { StoreParts } from "../../../database/service-store.js";
import { DAY_MS } from "../../../kit/clock.js";
import { wrapSecrets } from "./secrets.js";
import { type WebhookDatabase, webhooksIn } from "./tables.js";

const DELIVERED_KEPT_MS = 7 * DAY_MS;
const DEAD_KEPT_MS = 30 * DAY_MS;
/** Maximum number of rows that one step removes or encrypts, so that no other write waits long. */
const ROWS_MAX = 1_000;

/**
 * Removes expired secrets and deleted endpoints. Removes deliveries a week after the receiver accepted them, or 30 days
 * after they were abandoned. Encrypts secrets that were stored in plain text, if there is a vault now.
 */
export async function thinWebhooks(parts: StoreParts): Promise<void> {
  const { database, clock } = parts;
  const db = webhooksIn(database.db);
  const now = clock.now();
  await untilDone(() => removeEnded(db, "delivered", now - DELIVERED_KEPT_MS));
  await untilDone(() => removeEnded(db, "dead", now - DEAD_KEPT_MS));
  await db.deleteFrom("webhook_secret").where("ends_at", "<=", now).execute();
  await removeDeleted(db);
  await untilDone(() => wrapSecrets(db, parts, ROWS_MAX));
}

/** Repeats a step that handles at most `ROWS_MAX` rows until it handles fewer. */
async function untilDone(step: () => Promise<number>): Promise<void> {
  while ((await step()) === ROWS_MAX);
}

async function removeEnded(db: WebhookDatabase, state: string, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("webhook_delivery")
    .where("delivery_id", "in", (ended) =>
      ended
        .selectFrom("webhook_delivery")
        .select("delivery_id")
        .where("state", "=", state)
        .where("ended_at", "<", before)
        .limit(ROWS_MAX),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function removeDeleted(db: WebhookDatabase): Promise<void> {
  const endpoints = await db
    .selectFrom("webhook_endpoint")
    .select("endpoint_id")
    .where("state", "=", "deleted")
    .limit(ROWS_MAX)
    .execute();
  for (const { endpoint_id } of endpoints) {
    await untilDone(async () => {
      const { numDeletedRows } = await db
        .deleteFrom("webhook_delivery")
        .where("delivery_id", "in", (rows) =>
          rows
            .selectFrom("webhook_delivery")
            .select("delivery_id")
            .where("endpoint_id", "=", endpoint_id)
            .limit(ROWS_MAX),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    });
    await db.deleteFrom("webhook_endpoint").where("endpoint_id", "=", endpoint_id).execute();
  }
}

/** Counts endpoints, deliveries that wait to be sent, and dead deliveries. */
export async function webhookFigures({
  database,
}: Pick<StoreParts, "database">): Promise<Readonly<Record<string, number>>> {
  const db = webhooksIn(database.db);
  const { endpoints, pending } = await db
    .selectFrom("webhook_endpoint")
    .select(({ fn }) => [
      fn.countAll<number | string>().as("endpoints"),
      fn.sum<number | string | null>("pending_count").as("pending"),
    ])
    .where("state", "<>", "deleted")
    .executeTakeFirstOrThrow();
  const { dead } = await db
    .selectFrom("webhook_delivery")
    .select(({ fn }) => fn.countAll<number | string>().as("dead"))
    .where("state", "=", "dead")
    .executeTakeFirstOrThrow();
  // PostgreSQL returns sums and counts as text.
  return { endpoints: Number(endpoints), deliveriesPending: Number(pending ?? 0), deliveriesDead: Number(dead) };
}
