import { smtpUrl } from "../../../../contract/mail.js";
import type { StoreCall, StoreParts } from "../../../../database/service-store.js";
import type { MailLinks, MailRecipients } from "../../mail-ports.js";
import { CONFIRMED_WITHIN_MS } from "../../rules/mail-limits.js";
import { accountOf } from "../account-of.js";
import { newestFirings } from "../firing-log.js";
import { watchesIn } from "../tables.js";
import { confirmAddress, setRecipients, stopMails } from "./addresses.js";
import { mailsIn } from "./tables.js";

/** Creates the functions behind the links in emails, for one call. */
export function mailLinksOf(parts: StoreParts, call: StoreCall): MailLinks {
  const db = mailsIn(call.db);
  const newest = async (accountId: string): Promise<number> =>
    (await newestFirings(watchesIn(call.db), [accountId])).get(accountId) ?? 0;
  return {
    confirm: (token) => confirmAddress(parts, db, token, { since: parts.clock.now() - CONFIRMED_WITHIN_MS, newest }),
    stop: (token) => stopMails(parts, db, token),
  };
}

/** Creates the functions with which the caller's account sets the recipients of its watches. */
export function mailRecipientsOf(parts: StoreParts, call: StoreCall): MailRecipients {
  const accountId = accountOf(call);
  return {
    isConfigured: parts.settingOf(smtpUrl) !== undefined,
    set: (watchId, addresses) => setRecipients(parts, mailsIn(call.db), { accountId, watchId, addresses }),
  };
}
