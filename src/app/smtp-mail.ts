import { rootCertificates } from "node:tls";
import { createTransport } from "nodemailer";
import type { MailMessage, MailOutcome, SmtpServer } from "../contract/mail.js";
import { type Clock, SECOND_MS } from "../kit/clock.js";
import { isOneLine, oneLine } from "../kit/one-line.js";
import { TimeLimitReached, withTimeLimit } from "../upstream/time-limit.js";

export interface SmtpOptions {
  readonly server: SmtpServer;
  readonly from: string;
  readonly clock: Clock;
  /** PEM certificates to trust in addition to the public ones. */
  readonly extraCa?: string;
  /** True for a demo, whose emails are labelled. */
  readonly isSimulated: boolean;
}

export interface SmtpSender {
  send(message: MailMessage, signal: AbortSignal): Promise<MailOutcome>;
  close(): void;
}

const CONNECTIONS_MAX = 4;
const CONNECT_MS_MAX = 10 * SECOND_MS;
const SILENCE_MS_MAX = 20 * SECOND_MS;
const ATTEMPT_MS_MAX = 45 * SECOND_MS;
const IDLE_MS = 30 * SECOND_MS;
const RESPONSE_BYTES_MAX = 16_384;

/** Creates a pool of connections to one SMTP server. Certificates are verified. */
export function smtpSender({ server, from, clock, extraCa, isSimulated }: SmtpOptions): SmtpSender {
  const transport = createTransport({
    pool: true,
    host: server.host,
    port: server.port,
    secure: server.tls === "from the start",
    requireTLS: server.tls === "by STARTTLS",
    ignoreTLS: server.tls === "none",
    tls: { minVersion: "TLSv1.2", ...(extraCa !== undefined && { ca: [...rootCertificates, extraCa] }) },
    ...(server.login && { auth: { user: server.login.user, pass: server.login.password } }),
    maxConnections: CONNECTIONS_MAX,
    // If a delivery breaks off, the service's own queue retries it, so the SMTP client must not.
    maxRequeues: 0,
    connectionTimeout: CONNECT_MS_MAX,
    dnsTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENCE_MS_MAX,
    idleTimeout: IDLE_MS,
    maxResponseSize: RESPONSE_BYTES_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
  const label = isSimulated ? { "X-Vigil-Data": "simulated" } : {};

  async function attempt({ to, subject, text, html, messageId, headers }: MailMessage, signal: AbortSignal) {
    await transport.sendMail({
      from: { name: "Vigil", address: from },
      to: { name: "", address: to },
      envelope: { from, to: [to] },
      subject: subjectLine(isSimulated ? `[simulated] ${subject}` : subject),
      text,
      ...(html !== undefined && { html }),
      messageId,
      date: new Date(clock.now()),
      headers: withoutControls({ "Auto-Submitted": "auto-generated", ...label, ...headers }),
      xMailer: false,
      disableFileAccess: true,
      disableUrlAccess: true,
      signal,
    });
  }

  return {
    async send(message, signal) {
      try {
        const limit = { clock, timeLimitMs: ATTEMPT_MS_MAX, signal };
        await withTimeLimit(limit, (during) => attempt(message, during));
        return { kind: "accepted" };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        return outcomeOf(error);
      }
    },
    close: () => transport.close({ force: true }),
  };
}

/**
 * Puts a subject on one line, and a space into every `=?`. Without the space, mail clients would decode the text that
 * follows as an encoded word (RFC 2047).
 */
function subjectLine(text: string): string {
  return oneLine(text).replaceAll("=?", "= ?");
}

/**
 * Returns the headers unchanged. Throws if a header contains a control character: the code that built the header then
 * has a bug.
 */
function withoutControls(headers: Readonly<Record<string, string>>): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    if (!isOneLine(value)) throw new Error(`the mail header ${name} contains a control character`);
  }
  return { ...headers };
}

/** The members of an error of the SMTP client that are used here. */
interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/**
 * Turns an error of the connection or the server into an outcome, and rethrows any other error. If the login was
 * refused, the server's text is omitted, because it may repeat the password.
 */
function outcomeOf(error: unknown): MailOutcome {
  if (error instanceof TimeLimitReached) return failed(`no answer within ${ATTEMPT_MS_MAX / SECOND_MS} s`);
  const { code = "", command = "", responseCode = 0, response = "" } = error as SmtpError;
  // An error without a code comes from neither the connection nor the server, so it is a bug in this service.
  if (code === "") throw error;
  const reason = `the mail server answered ${oneLine(response).slice(0, RESPONSE_CHARACTERS_MAX)}`;
  if (code === "EAUTH") return failed(`the mail server refused the login (${responseCode || "no answer"})`);
  if (command === "RCPT TO" && responseCode > 0) {
    return { kind: isAddressRefused(responseCode, response) ? "address-refused" : "failed", reason };
  }
  if (code === "EMESSAGE" && responseCode >= 500) return { kind: "refused", reason };
  if (code === "EMESSAGE" && responseCode === 0)
    return { kind: "refused", reason: "the mail server accepts only smaller messages" };
  if ((command === "MAIL FROM" || command === "DATA") && responseCode > 0) return failed(reason);
  const [, sentence] = sentences.find(([codes]) => codes.test(causeOf(error, code))) ?? [];
  return failed(sentence ?? `no connection to the mail server (${responseCode || code})`);
}

function failed(reason: string): MailOutcome {
  return { kind: "failed", reason };
}

const RESPONSE_CHARACTERS_MAX = 300;

/**
 * True if the server permanently refuses the recipient itself. False for a temporary refusal, a full mailbox, a
 * required login and a refusal by policy (5.7.x), such as a refusal to relay.
 */
function isAddressRefused(responseCode: number, response: string): boolean {
  if (responseCode < 500 || responseCode === 530 || responseCode === 552) return false;
  const [, subject, detail] = /^\d{3}[ -]5\.(\d{1,3})\.(\d{1,3})/.exec(response) ?? [];
  return subject !== "7" && !(subject === "2" && detail === "2");
}

/**
 * Joins the members of an error that may contain the original code, from the operating system or from TLS. The SMTP
 * client replaces `code` with a code of its own, so the original code may be in one of several members.
 */
function causeOf(error: unknown, code: string): string {
  const { message, errno, cause } = error as Error & { readonly errno?: unknown };
  const inner = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return [code, inner, typeof errno === "string" ? errno : "", message].join(" ");
}

const sentences: readonly (readonly [codes: RegExp, sentence: string])[] = [
  [/EDNS|ENOTFOUND|EAI_/, "the name of the mail server does not resolve"],
  [/ECONNREFUSED/, "the mail server refused the connection"],
  [/certificate|CERT|SELF_SIGNED|UNABLE_TO_VERIFY/, "the certificate of the mail server is not valid"],
  [/ETLS|STARTTLS/, "the mail server offers no TLS"],
  [/ETIMEDOUT/, "the mail server did not answer in time"],
  [/ECONNRESET|EPIPE|ECONNECTION/, "the connection to the mail server broke off"],
];
