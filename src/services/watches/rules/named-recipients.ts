import { failure } from "../../../contract/failures.js";
import type { MailRecipients } from "../mail-ports.js";
import type { WatchDefinition } from "../records.js";
import { addressLimitReached } from "./failures.js";

/** Throws the 400 if a definition names addresses and the service is not configured to send emails. */
export function checkMailable(
  { emails }: WatchDefinition,
  { isConfigured }: Pick<MailRecipients, "isConfigured">,
): void {
  if (emails.length === 0 || isConfigured) return;
  const description = "must be empty, because this service sends no mail";
  throw failure("validation", { violations: [{ field: "emails", description }] });
}

/** Stores the addresses of a definition as the recipients of its watch. Throws the 422 for too many new addresses. */
export async function nameRecipients(
  recipients: Pick<MailRecipients, "set">,
  watchId: string,
  { emails }: WatchDefinition,
): Promise<void> {
  if ((await recipients.set(watchId, emails)) === "too many") throw addressLimitReached();
}
