import type { Kysely, Selectable } from "kysely";
import type { Database } from "../../../../database/schema.js";
import { serviceTables } from "../../../../database/service-tables.js";

/**
 * The tables of emails. Instants are epoch ms. Addresses are in lower case. `watch_email` has one row for each address
 * of an account. Lock this row before you add or change emails from this account to this address.
 */
export type MailTables = {
  watch_email: WatchEmailTable;
  watch_email_slot: WatchEmailSlotTable;
  watch_email_account: WatchEmailAccountTable;
  watch_recipient: WatchRecipientTable;
  watch_former_recipient: WatchFormerRecipientTable;
  watch_mail: WatchMailTable;
};

/** An email address that an account has named. */
interface WatchEmailTable {
  account_id: string;
  address: string;
  /** pending, confirmed or refused. */
  state: string;
  /** The mail server's answer about a rejected address. */
  state_reason: string | null;
  state_changed_at: number;
  /** SHA-256 of the token in the newest confirmation email. */
  token_hash: string;
  /** The time at which the newest confirmation email is due. */
  asked_at: number;
  /** The position in the log of firings up to which emails are queued. */
  position: number;
  /** Time at which upkeep first found that no watch names the address; null while a watch names it. */
  unused_since: number | null;
}
export type WatchEmailRow = Selectable<WatchEmailTable>;

/** The latest time for which any account has reserved a confirmation email to the address. */
interface WatchEmailSlotTable {
  address: string;
  asked_at: number;
}

/** The number of confirmations that an account has requested in a day. */
interface WatchEmailAccountTable {
  account_id: string;
  /** Start of the UTC day to which `asked_count` applies. */
  day: number;
  asked_count: number;
}

/**
 * An address that a watch names, or one that was stopped. A stopped row stays when the watch no longer names the
 * address, so that the address stays stopped if the watch names it again.
 */
interface WatchRecipientTable {
  watch_id: string;
  address: string;
  account_id: string;
  /** SHA-256 of the token that stops emails of this watch to this address. */
  stop_hash: string;
  stopped_at: number | null;
}

/**
 * An address that a watch no longer names. The row lets the link in earlier emails still stop further ones. An earlier
 * version on the same store may have made the watch name the address again, so an unstopped row in `watch_recipient`
 * takes precedence.
 */
interface WatchFormerRecipientTable {
  watch_id: string;
  address: string;
  account_id: string;
  stop_hash: string;
}

interface WatchMailTable {
  mail_id: string;
  account_id: string;
  address: string;
  /** `watch_id` and `position` are null for a confirmation email. */
  watch_id: string | null;
  position: number | null;
  /** pending, sent or dead. */
  state: string;
  /** Null while an earlier email about a firing waits for the same address, and once this email is sent or dead. */
  due_at: number | null;
  /** Time at which a pending email is declared dead. */
  expires_at: number;
  attempt_count: number;
  last_error: string | null;
  /** Id of the round of sending that has leased the email; null if none has. */
  lease: string | null;
  /** Time at which the lease ends. */
  leased_until: number | null;
  created_at: number;
  ended_at: number | null;
}
export type WatchMailRow = Selectable<WatchMailTable>;

/** A database with the tables of `Database` and of emails. */
export type MailDatabase = Kysely<Database & MailTables>;

/** Returns the same database with a type that includes these tables. */
export const mailsIn = serviceTables<MailTables>;
