import { isIP } from "node:net";
import { isPublicAddress } from "../kit/public-address.js";

/** A POST of JSON to an address that an account has chosen. */
export interface OutwardPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Origins that the operator allows although their address is private. They may use http and any port. */
  readonly privateOrigins: readonly string[];
}

/** The answer without its body, which is dropped so that this service cannot be used to read private services. */
export interface OutwardAnswer {
  readonly status: number;
  /** The time in `Retry-After`, epoch ms. */
  readonly retryAt: number | undefined;
}

/**
 * Sends one POST and follows no redirect. Rejects with `OutwardFailure` if there is no answer, and with the reason of
 * the signal if it aborts.
 */
export type PostOutward = (post: OutwardPost, signal: AbortSignal) => Promise<OutwardAnswer>;

/**
 * Thrown if the target could not be reached or must not be called. The message is for the account that chose the
 * target.
 */
export class OutwardFailure extends Error {
  override readonly name = "OutwardFailure";
}

/** Maximum length of a target's address, in characters. */
export const TARGET_CHARACTERS_MAX = 2_048;

/**
 * Checks the text of a target's address. Returns the reason to refuse it, or undefined if it is allowed. The IP
 * addresses of the host are checked later, when the connection opens.
 */
export function refusedTarget(text: string, privateOrigins: readonly string[]): string | undefined {
  if (!URL.canParse(text)) return "must be an absolute https address";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "must not contain a user or a password";
  if (url.hash !== "") return "must not contain a fragment";
  if (privateOrigins.includes(url.origin)) return undefined;
  if (url.protocol !== "https:") return "must begin with https://";
  if (url.port !== "") return `must use port 443, got ${url.port}`;
  return isPublicHost(url.hostname) ? undefined : "must name a public host";
}

/** True for a literal public IP address, and for a host name with several labels outside of `.localhost`. */
function isPublicHost(hostname: string): boolean {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  if (isIP(bare) !== 0) return isPublicAddress(bare);
  const labels = bare.replace(/\.$/, "").split(".");
  return labels.length > 1 && labels.at(-1) !== "localhost";
}

/** The origin in a string; undefined for anything but `http(s)://host[:port]`. */
export function originIn(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, href } = new URL(text);
  const isOrigin = (protocol === "http:" || protocol === "https:") && (href === origin || href === `${origin}/`);
  return isOrigin ? origin : undefined;
}
