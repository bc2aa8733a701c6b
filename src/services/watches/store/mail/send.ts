import type { OpenLog } from "../../../../contract/change-log.js";
import type { Mail } from "../../../../contract/mail.js";
import type { StoreParts } from "../../../../database/service-store.js";
import type { WatchFiring } from "../../records.js";
import { confirmationMail, firingMail, type MailContent } from "../../rules/mail-content.js";
import { type ClaimedMail, claimMails, releaseMails } from "./claim.js";
import { type MailEnd, storeMailOutcome } from "./outcome.js";
import { type MailDatabase, mailsIn } from "./tables.js";
import { hashOfToken, linkToken, stopSubject } from "./tokens.js";

export interface MailTools {
  readonly mail: Mail;
  readonly firings: OpenLog;
  readonly signal: AbortSignal;
}

/** Maximum number of emails being sent at the same time. */
const MAILS_AT_ONCE = 8;
/** Maximum number of emails per round, so that the round ends. */
const MAILS_MAX = 400;
const LEASE_BYTES = 8;

const CONFIRM_PATH = "/api/watches/v1/confirm-watch-email";
const STOP_PATH = "/api/watches/v1/stop-watch-email";

/**
 * Sends the due emails. An email can be sent twice, for example if the process dies before it stores the outcome. All
 * attempts to send the same email use the same Message-ID.
 */
export async function sendMails(parts: StoreParts, tools: MailTools): Promise<void> {
  const db = mailsIn(parts.database.db);
  const lease = parts.randomBytes(LEASE_BYTES).toString("hex");
  const faults: unknown[] = [];
  for (let sent = 0; sent < MAILS_MAX; ) {
    tools.signal.throwIfAborted();
    const mails = await claimMails(db, { lease, now: parts.clock.now(), mailsMax: MAILS_AT_ONCE });
    if (mails.length === 0) break;
    sent += mails.length;
    const settled = await Promise.allSettled(mails.map((mail) => sendOne(parts, tools, db, mail)));
    if (tools.signal.aborted) {
      await releaseMails(db, lease);
      throw tools.signal.reason;
    }
    faults.push(...settled.flatMap((result) => (result.status === "rejected" ? [result.reason] : [])));
  }
  if (faults.length > 0) throw new AggregateError(faults, `emails that could not be processed: ${faults.length}`);
}

async function sendOne(parts: StoreParts, tools: MailTools, db: MailDatabase, claimed: ClaimedMail): Promise<void> {
  const content = await contentOf(parts, tools, db, claimed);
  const end: MailEnd =
    content instanceof Unwanted
      ? { kind: "unwanted", reason: content.reason }
      : await tools.mail.send(
          { to: claimed.address, messageId: `<${claimed.mail_id}@${tools.mail.domain}>`, ...content },
          tools.signal,
        );
  await storeMailOutcome(parts, claimed, end);
}

/** The reason why an email should no longer be sent. Takes the place of its content. */
class Unwanted {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Computes the content of an email. */
async function contentOf(
  { signer, isSimulated }: StoreParts,
  { mail: { origin }, firings }: MailTools,
  db: MailDatabase,
  { mail_id, account_id, address, watch_id, position }: ClaimedMail,
): Promise<MailContent | Unwanted> {
  if (watch_id === null || position === null) {
    const email = await db
      .selectFrom("watch_email")
      .select(["state", "token_hash"])
      .where("account_id", "=", account_id)
      .where("address", "=", address)
      .executeTakeFirst();
    const token = linkToken(signer, "confirm", mail_id);
    if (email?.state !== "pending") return new Unwanted("the address no longer awaits confirmation");
    if (email.token_hash !== hashOfToken(token))
      return new Unwanted("a newer confirmation email has replaced this one");
    return confirmationMail({ origin, link: `${origin}${CONFIRM_PATH}?token=${token}`, isSimulated });
  }
  if (!(await isRecipient(db, watch_id, address))) return new Unwanted("the address is no longer a recipient");
  const { entries } = await firings.reader.read(account_id, position - 1, 1);
  const [entry] = entries;
  if (entry?.position !== position) return new Unwanted("the firing has left the log");
  const firing: WatchFiring = JSON.parse(entry.text);
  const stopLink = `${origin}${STOP_PATH}?token=${linkToken(signer, "stop", stopSubject(watch_id, address))}`;
  return firingMail({ firing, origin, stopLink, isSimulated });
}

async function isRecipient(db: MailDatabase, watchId: string, address: string): Promise<boolean> {
  const recipient = await db
    .selectFrom("watch_recipient")
    .select("watch_id")
    .where("watch_id", "=", watchId)
    .where("address", "=", address)
    .where("stopped_at", "is", null)
    .executeTakeFirst();
  return recipient !== undefined;
}
