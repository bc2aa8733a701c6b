import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  readonly to: string;
  /** The email as sent. */
  readonly raw: string;
  readonly parsed: ParsedMail;
  readonly wasEncrypted: boolean;
}

export interface SmtpTestOptions {
  readonly port?: number;
  readonly certificate?: { readonly key: string; readonly cert: string };
  /** True for TLS from the start. Default: STARTTLS if there is a certificate. */
  readonly secure?: boolean;
  readonly login?: { readonly user: string; readonly password: string };
  /** The answer that rejects a recipient; undefined accepts it. */
  readonly onRecipient?: (address: string) => Refusal | undefined;
  /** The answer that rejects a received message; undefined accepts it. */
  readonly onMessage?: (mail: ReceivedMail) => Refusal | undefined | Promise<Refusal | undefined>;
}

export interface Refusal {
  readonly code: number;
  readonly text: string;
}

export interface SmtpTestServer {
  readonly port: number;
  /** The accepted emails in order. */
  readonly received: readonly ReceivedMail[];
  close(): Promise<void>;
}

function refusalError({ code, text: message }: Refusal): Error {
  return Object.assign(new Error(message), { responseCode: code });
}

/** Starts a local SMTP server, which stores the emails it accepts. */
export async function startSmtp(options: SmtpTestOptions = {}): Promise<SmtpTestServer> {
  const { certificate, secure = false, login, onRecipient, onMessage } = options;
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    secure,
    ...certificate,
    authOptional: login === undefined,
    // If the test gives no certificate, STARTTLS is disabled: the library would offer it with a certificate of its own.
    disabledCommands: certificate ? [] : ["STARTTLS"],
    hideSTARTTLS: certificate === undefined,
    allowInsecureAuth: certificate === undefined,
    closeTimeout: 100,
    onAuth({ username, password }, _session, done) {
      const isRight = username === login?.user && password === login?.password;
      // The error text repeats the credentials, as some servers do.
      if (isRight) done(null, { user: username });
      else done(refusalError({ code: 535, text: `5.7.8 ${username} ${password} is wrong` }));
    },
    onRcptTo({ address }, _session, done) {
      const refusal = onRecipient?.(address);
      done(refusal && refusalError(refusal));
    },
    onData(stream, session, done) {
      const receive = async (): Promise<void> => {
        const raw = await text(stream);
        const to = session.envelope.rcptTo.map(({ address }) => address).join();
        const mail = { to, raw, parsed: await simpleParser(raw), wasEncrypted: session.secure };
        const refusal = await onMessage?.(mail);
        if (refusal) throw refusalError(refusal);
        received.push(mail);
      };
      receive().then(() => done(), done);
    },
  });
  // Ignores errors, because some tests disconnect their clients early.
  server.on("error", () => undefined);
  const listening = server.listen(options.port ?? 0, "127.0.0.1");
  await once(listening, "listening");
  return {
    port: (listening.address() as AddressInfo).port,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
