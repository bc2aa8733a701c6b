import type { StoreParts } from "../../../../database/service-store.js";
import { sortableId } from "../../../../kit/sortable-id.js";
import type { WatchMailRow } from "./tables.js";

const MAIL_PREFIX = "wml";

type MailContent = Pick<WatchMailRow, "account_id" | "address" | "watch_id" | "position" | "due_at" | "expires_at">;

/** Makes the row of an email that the service has not yet tried to send. */
export function pendingMail(
  { clock, randomBytes }: Pick<StoreParts, "clock" | "randomBytes">,
  content: MailContent,
): WatchMailRow {
  const now = clock.now();
  return {
    ...content,
    mail_id: sortableId(MAIL_PREFIX, now, randomBytes),
    state: "pending",
    attempt_count: 0,
    last_error: null,
    lease: null,
    leased_until: null,
    created_at: now,
    ended_at: null,
  };
}
