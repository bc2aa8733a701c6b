import type { SourceRequest } from "../contract/source.js";
import { unavailable } from "./unavailable.js";

export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** The parts of one call that its hops share. A hop is one request to one address; a redirect leads to another hop. */
export interface WireCall {
  readonly request: SourceRequest;
  readonly validators: Validators;
  readonly userAgent: string;
  /** The request's secrets in every encoding in which they could appear. */
  readonly secrets: readonly string[];
}

/**
 * Parses the address of a request and drops its fragment. Throws "unavailable" if it is invalid or holds credentials.
 */
export function canonicalUrl(request: SourceRequest): URL {
  if (!URL.canParse(request.url))
    throw unavailable(request.key, "the address does not parse; expected an absolute URL");
  const url = new URL(request.url);
  url.hash = "";
  if (url.username === "" && url.password === "") return url;
  throw unavailable(url.host, "the address contains a user name; expected credentials in secretHeaders or secretQuery");
}

/** Returns the address to request: `<base>/<host>/path?query` if addresses are rewritten, else the address itself. */
export function rewrite(url: URL, base: URL | undefined): URL {
  if (base === undefined || url.origin === base.origin) return url;
  return new URL(`${base.href.replace(/\/$/, "")}/${url.host}${url.pathname}${url.search}`);
}

/**
 * Path and query of a hop. Secret parameters are added only for the request's own origin. A secret parameter that the
 * address already has is not added again: a server may repeat the query in its `Location`.
 */
export function wirePath(hop: URL, wire: URL, { request }: WireCall): string {
  const secret = new URLSearchParams(isHome(hop, request) ? request.secretQuery : {});
  for (const name of [...secret.keys()]) if (wire.searchParams.has(name)) secret.delete(name);
  // Secret parameters are appended as text, because rebuilding the whole query would re-encode its other parameters.
  const separator = secret.size === 0 ? "" : wire.search === "" ? "?" : "&";
  return `${wire.pathname}${wire.search}${separator}${secret}`;
}

/**
 * Headers of a hop, in lower case. Secret headers, `authorization` and `cookie` are sent only to the request's own
 * origin.
 */
export function wireHeaders(hop: URL, call: WireCall): Record<string, string> {
  const { request, validators, userAgent } = call;
  const headers = new Map([
    ["user-agent", userAgent],
    ["accept", "*/*"],
  ]);
  for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name.toLowerCase(), value);
  headers.set("accept-encoding", "gzip, br, deflate");
  if (request.body !== undefined) headers.set("content-type", "application/json");
  else if (isForm(request)) headers.set("content-type", "application/x-www-form-urlencoded");
  if (validators.etag !== undefined) headers.set("if-none-match", validators.etag);
  if (validators.lastModified !== undefined) headers.set("if-modified-since", validators.lastModified);
  if (isHome(hop, request)) {
    for (const [name, value] of Object.entries(request.secretHeaders ?? {})) headers.set(name.toLowerCase(), value);
  } else for (const name of ["authorization", "cookie"]) headers.delete(name);
  return Object.fromEntries(headers);
}

/** Body of a hop, undefined for a GET. Secret fields of a form are sent only to the request's own origin. */
export function wireBody(hop: URL, { request }: WireCall): string | undefined {
  if (request.body !== undefined || !isForm(request)) return request.body;
  return new URLSearchParams({ ...request.form, ...(isHome(hop, request) && request.secretForm) }).toString();
}

function isForm({ form, secretForm }: SourceRequest): boolean {
  return form !== undefined || secretForm !== undefined;
}

/**
 * Resolves the target of a redirect, without its fragment and credentials. If the target is not at the request's own
 * origin, removes the secret parameters from its query, and throws "unavailable" if its address still contains a
 * secret.
 */
export function redirectTarget(hop: URL, location: string, call: WireCall, place: string): URL {
  if (!URL.canParse(location, hop.href))
    throw unavailable(place, "redirects to no address; expected a URL in Location");
  const next = new URL(location, hop);
  next.hash = next.username = next.password = "";
  if (isHome(next, call.request)) return next;
  for (const name of Object.keys(call.request.secretQuery ?? {})) next.searchParams.delete(name);
  if (call.secrets.some((secret) => next.href.includes(secret))) {
    throw unavailable(place, `redirects to ${next.host} with a secret in the address; expected none`);
  }
  return next;
}

function isHome(hop: URL, request: SourceRequest): boolean {
  return hop.origin === new URL(request.url).origin;
}
