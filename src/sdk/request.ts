import type { CallFacts } from "./call-facts.js";
import type { SentRequest } from "./exchange.js";
import { table } from "./generated/table.js";
import type { CallOptions, Settings, WriteOptions } from "./options.js";
import { type AnyParams, queryOf } from "./params.js";

/** Also accepts problem details, because an error body in that format names the failure. */
const ACCEPTED = "application/json, application/problem+json";
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** Returns the facts about a call. Throws `TypeError` for a name that is not in the contract. */
export function factsOf(name: string): CallFacts {
  const facts = Object.hasOwn(table, name) ? table[name] : undefined;
  if (facts === undefined) throw new TypeError(`no call is named "${name}"`);
  return facts;
}

/** Returns the address of a call. */
export function targetOf(settings: Settings, name: string): URL {
  const { path, service } = factsOf(name);
  return urlOf(settings, path ?? `/api/${service}/v1/${name}`);
}

/** Builds the request of a call. Throws `TypeError` for a stream and for an unknown name. */
export function requestOf(settings: Settings, name: string, params: AnyParams, options: WriteOptions): SentRequest {
  const { kind, isKeyed } = factsOf(name);
  const url = targetOf(settings, name);
  const key = isKeyed ? (options.idempotencyKey ?? settings.platform.uuid()) : undefined;
  if (kind === "write") return sent(settings, url, JSON_TYPE, JSON.stringify(params), key, options);
  if (kind === "form") return sent(settings, url, FORM_TYPE, String(formOf(params)), key, options);
  if (kind === "stream") throw new TypeError(`${name} is a stream; use stream()`);
  url.search = String(queryOf(params));
  const { format = "json" } = params;
  return read(settings, url, { isText: kind === "text" || format !== "json" }, options);
}

/** Builds a GET request that asks for the JSON at a path. */
export function getOf(settings: Settings, path: string, options: CallOptions): SentRequest {
  return read(settings, urlOf(settings, path), { isText: false }, options);
}

/** Builds a POST request that sends JSON to a path. */
export function postOf(settings: Settings, path: string, body: unknown, options: WriteOptions): SentRequest {
  return sent(settings, urlOf(settings, path), JSON_TYPE, JSON.stringify(body), options.idempotencyKey, options);
}

/** Returns the URL of a path of the service. If the service's own URL has a path, that path comes first. */
function urlOf({ url }: Settings, path: string): URL {
  return new URL(`${url.pathname.replace(/\/$/, "")}${path}`, url);
}

function read(settings: Settings, url: URL, { isText }: { isText: boolean }, options: CallOptions): SentRequest {
  const { signal, timeoutMs = settings.timeoutMs } = options;
  const headers = { Accept: isText ? "*/*, application/problem+json" : ACCEPTED, ...options.headers };
  return { method: "GET", url, headers, isText, isRepeatable: true, timeoutMs, signal };
}

function sent(
  settings: Settings,
  url: URL,
  contentType: string,
  body: string,
  idempotencyKey: string | undefined,
  options: CallOptions,
): SentRequest {
  const { signal, timeoutMs = settings.timeoutMs } = options;
  const headers = {
    Accept: ACCEPTED,
    "Content-Type": contentType,
    ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
    ...options.headers,
  };
  return { method: "POST", url, headers, body, isRepeatable: idempotencyKey !== undefined, timeoutMs, signal };
}

function formOf(params: AnyParams): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) form.append(name, String(value));
  }
  return form;
}
