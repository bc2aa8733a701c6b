import type { Mail } from "../contract/mail.js";
import type { FeedOptions } from "./builder.js";
import { type Config, ConfigError } from "./config.js";
import type { SmtpSender } from "./smtp-mail.js";

/** The mail channel, which can be closed. */
export interface OpenMail extends Mail {
  close(): Promise<void>;
}

/**
 * Creates the mail channel of the configured SMTP server. The channel connects when it is first used. Returns undefined
 * if no server is configured.
 */
export function lazyMail({
  config,
  clock,
  kind,
}: Pick<FeedOptions, "config" | "clock" | "kind">): OpenMail | undefined {
  const settings = mailSettings(config);
  if (settings === undefined) return undefined;
  const { server, from } = settings;
  const extraCa = config.extraCa === undefined ? {} : { extraCa: config.extraCa };
  let sender: Promise<SmtpSender> | undefined;
  const create = async (): Promise<SmtpSender> => {
    const { smtpSender } = await import("./smtp-mail.js");
    return smtpSender({ server, from, clock, isSimulated: kind === "demo", ...extraCa });
  };
  return {
    origin: new URL(config.publicUrl ?? `http://${config.host}:${config.port}`).origin,
    domain: from.slice(from.lastIndexOf("@") + 1),
    async send(message, signal) {
      sender ??= create();
      return (await sender).send(message, signal);
    },
    close: async () => (await sender)?.close(),
  };
}

/**
 * The configured server and sender address; undefined if no server is set. Throws if a server is set without a sender
 * address.
 */
export function mailSettings({ smtpUrl: server, mailFrom: from }: Config) {
  if (server === undefined) return undefined;
  if (from === undefined) throw new ConfigError("VIGIL_SMTP_URL also needs VIGIL_MAIL_FROM");
  return { server, from };
}
