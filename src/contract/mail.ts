import { optionalText, type Setting } from "./setting.js";

/** Address of the SMTP server. Its text may contain a password. */
export const smtpUrl: Setting<SmtpServer | undefined> = {
  name: "VIGIL_SMTP_URL",
  default: "",
  isSecret: true,
  description:
    "SMTP server for email, as smtps://user:password@host (port 465) or smtp://user:password@host:587, which requires STARTTLS except on this machine. ?starttls=off allows a relay that has no TLS; the address must then have no password. While this setting is empty, no email is sent.",
  read: (text) => (text === "" ? undefined : smtpServerOf(text)),
};

const sender = optionalText("VIGIL_MAIL_FROM", "Sender of email, such as vigil@example.com.");

export const mailFrom: Setting<string | undefined> = {
  ...sender,
  read(text) {
    const address = sender.read(text);
    if (address !== undefined && mailAddressOf(address) === undefined) {
      throw new Error("must be an address such as vigil@example.com");
    }
    return address;
  },
};

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly tls: "from the start" | "by STARTTLS" | "none";
  readonly login: { readonly user: string; readonly password: string } | undefined;
}

const PORTS = { "smtp:": 587, "smtps:": 465 } as const;
/** Names of this machine. Traffic to them never crosses the network. */
const OWN_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1"]);

/** Parses the address of a server. The errors do not contain the address. */
function smtpServerOf(text: string): SmtpServer {
  const form = new Error("must be smtps://user:password@host or smtp://user:password@host:587");
  if (!URL.canParse(text)) throw form;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if ((protocol !== "smtp:" && protocol !== "smtps:") || hostname === "" || !/^\/?$/.test(pathname) || hash !== "") {
    throw form;
  }
  const isOff = search === "?starttls=off";
  if (search !== "" && !(isOff && protocol === "smtp:"))
    throw new Error("must not have a query other than ?starttls=off, which requires smtp://");
  if ((username === "") !== (password === "")) throw new Error("must name both a user and a password, or neither");
  if (isOff && password !== "") throw new Error("must not send a password with ?starttls=off");
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const isWithout = isOff || (OWN_HOSTS.has(host) && protocol === "smtp:");
  return {
    host,
    port: port === "" ? PORTS[protocol] : Number(port),
    tls: protocol === "smtps:" ? "from the start" : isWithout ? "none" : "by STARTTLS",
    login: username === "" ? undefined : { user: decoded(username, form), password: decoded(password, form) },
  };
}

function decoded(text: string, form: Error): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw form;
  }
}

export const MAIL_ADDRESS_CHARACTERS_MAX = 254;
const LOCAL_CHARACTERS_MAX = 64;
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/**
 * Converts a plain ASCII address to lower case; undefined for any other text. Quoted and international addresses are
 * rejected.
 */
export function mailAddressOf(text: string): string | undefined {
  if (text.length > MAIL_ADDRESS_CHARACTERS_MAX) return undefined;
  const address = text.toLowerCase();
  const at = address.lastIndexOf("@");
  const [local, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
  return local.length <= LOCAL_CHARACTERS_MAX && LOCAL_PART.test(local) && DOMAIN.test(domain) ? address : undefined;
}

export interface MailMessage {
  readonly to: string;
  /** One line. Control characters become spaces. */
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** With angle brackets. The same for every attempt, so that receivers can drop repeats. */
  readonly messageId: string;
  /** Additional headers. Their values must not contain control characters. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The outcome of one attempt. `reason` is a sentence for people, without secrets. `address-refused`: the server
 * permanently rejects the recipient. `refused`: the server permanently rejects this message. `failed`: a later attempt
 * may succeed.
 */
export type MailOutcome =
  | { readonly kind: "accepted" }
  | { readonly kind: "address-refused" | "refused" | "failed"; readonly reason: string };

/** Sends the email of this installation. */
export interface Mail {
  /** Origin of the links in emails, without a trailing slash. */
  readonly origin: string;
  /** Domain of the sender, for message ids. */
  readonly domain: string;
  /** Makes one attempt. Rejects only with the reason of the signal, or for a fault of this service. */
  send(message: MailMessage, signal: AbortSignal): Promise<MailOutcome>;
}
