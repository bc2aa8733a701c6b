import { type Port, port } from "../../contract/port.js";

/** The actions behind the links in emails. Each function returns false for an invalid token. */
export interface MailLinks {
  /** Confirms an address. */
  confirm(token: string): Promise<boolean>;
  /** Stops the emails of a watch to an address. */
  stop(token: string): Promise<boolean>;
}

export const mailLinks: Port<MailLinks> = port("links in emails");

/** The recipients of the watches of the caller's account. */
export interface MailRecipients {
  /** False while no SMTP server is configured. */
  readonly isConfigured: boolean;
  /**
   * Makes these addresses the recipients of a watch. Queues a confirmation request to each unconfirmed address, at most
   * one a day. If the result is `too many`, the caller must throw, so that these changes are rolled back.
   */
  set(watchId: string, addresses: readonly string[]): Promise<"set" | "too many">;
}

export const mailRecipients: Port<MailRecipients> = port("recipients of emails");
