import type { Authenticator } from "../access/authenticator.js";
import { entitlementFailure } from "../access/entitlement.js";
import type { Assurance } from "../access/store-contact.js";
import type { Principal } from "../contract/access/principal.js";
import { Failure, failure } from "../contract/failures.js";
import { isOpen, type WriteAccess } from "../contract/write.js";
import type { CallLimits } from "./call-limits.js";
import type { ClientAddress } from "./client-address.js";
import type { Exchange, Route } from "./exchange.js";

/** The parts of the pipeline that decide who may call a path. */
export interface AccessParts {
  readonly authenticator: Authenticator;
  readonly limits: Pick<CallLimits, "chargeRefusedCredential">;
  readonly clientAddress: ClientAddress;
  /**
   * True if callers without a credential may send MCP messages and call GET operations, except Pro operations and those
   * with `keyAlways`.
   */
  readonly publicReads: boolean;
}

const anonymous: Principal = {
  kind: "anonymous",
  actor: "anonymous",
  accountId: undefined,
  scopes: new Set(["read"]),
  plan: "free",
  planState: "active",
  isOperator: false,
};

/** Identifies the caller. Open paths need no credential. Throws the 401 for a missing or invalid credential. */
export function checkCredential(exchange: Exchange, parts: AccessParts): undefined | Promise<undefined> {
  const { route, call } = exchange;
  if (call.batchedFor && !bringsToken(exchange, call.batchedFor)) {
    exchange.principal = call.batchedFor;
    return;
  }
  if (route?.kind === "platform" && route.isOpen(exchange)) return;
  if (route?.kind === "linked-feed") return;
  if (route?.kind === "write" && isOpen(route.registered.write)) return;
  // An unknown path outside the API needs no credential; it gets a 404.
  if (!route && !exchange.path.startsWith("/api")) return;
  const caller = parts.authenticator.authenticate((name) => call.header(name), tierOf(route) > 0, assuranceOf(route));
  if (!(caller instanceof Promise)) return admit(caller, exchange, parts);
  return caller.then((settled) => admit(settled, exchange, parts));
}

/**
 * The check that the credential of a call to this path needs. For a write, except one that only reads (`isRead`), the
 * store must have confirmed the credential.
 */
function assuranceOf(route: Route | undefined): Assurance {
  return route?.kind === "write" && route.registered.write.isRead !== true ? "confirmed" : "remembered";
}

/**
 * True for a batch item that calls a Pro operation, if the batch was authenticated by its session but also has a token.
 * Such an item is authenticated by the token.
 */
function bringsToken({ call, route }: Exchange, { kind }: Principal): boolean {
  return kind === "session" && tierOf(route) > 0 && call.header("authorization") !== undefined;
}

function admit(caller: Principal | Failure, exchange: Exchange, parts: AccessParts): undefined | Promise<undefined> {
  if (!(caller instanceof Failure)) {
    exchange.principal = caller;
    return undefined;
  }
  if (refusedCredentials.has(caller.failure)) return refuseCredential(caller, exchange, parts);
  if (!(caller.failure === "keyRequired" && parts.publicReads && isPublic(exchange.route))) throw caller;
  exchange.principal = anonymous;
  return undefined;
}

/** The failures that mean an invalid credential. */
const refusedCredentials: ReadonlySet<string> = new Set(["keyInvalid", "sessionInvalid", "bearerInvalid"]);

/** Throws the 401, or the 429 for an address with too many invalid credentials. */
function refuseCredential(refused: Failure, exchange: Exchange, parts: AccessParts): Promise<undefined> | undefined {
  const charged = parts.limits.chargeRefusedCredential(addressOf(exchange, parts));
  if (!(charged instanceof Promise)) throw refused;
  return charged.then(() => {
    throw refused;
  });
}

/** True for a path that callers without a credential may call while public reads are on. */
function isPublic(route: Route | undefined): boolean {
  // The API calls that an MCP message makes are checked separately.
  if (route?.kind === "message") return true;
  return route?.kind === "operation" && tierOf(route) === 0 && route.registered.operation.keyAlways !== true;
}

/** The plan tier that a path needs. */
function tierOf(route: Route | undefined): number {
  return route?.kind === "operation" ? (route.registered.operation.tier ?? 0) : 0;
}

/** Throws the 403 if the caller lacks the scope that the path needs or, on an operator's path, is not the operator. */
export function checkScope({ principal, route }: Exchange): undefined {
  if (!principal || !route) return;
  if (accessOf(route) === "operator") {
    if (!principal.isOperator) throw failure("operatorOnly", null);
    return;
  }
  const scope = scopeOf(route);
  if (scope === undefined) return;
  if (!(principal.scopes as ReadonlySet<string>).has(scope)) throw failure("scopeMissing", { scope });
}

/** The access rule that a write or an account read declares; undefined for every other path. */
function accessOf(route: Route): WriteAccess | undefined {
  if (route.kind === "write") return route.registered.write.access;
  return route.kind === "account-read" ? route.registered.read.access : undefined;
}

/** The scope that a path needs; undefined if any credential is enough. */
function scopeOf(route: Route): string | undefined {
  if (route.kind === "message") return undefined;
  if (route.kind === "stream") return route.registered.stream.log.scope;
  const access = accessOf(route);
  if (access === "any") return undefined;
  return typeof access === "object" && "scope" in access ? access.scope : "read";
}

/** True for paths about the caller's own account: account reads without `needsPlan`, and writes with `isOwnAccount`. */
export function isAboutOwnAccount(route: Route | undefined): boolean {
  if (route?.kind === "account-read") return route.registered.read.needsPlan !== true;
  return route?.kind === "write" && route.registered.write.isOwnAccount === true;
}

/** Checks the plan. MCP messages, and paths about the caller's own account, are open to every plan. */
export function checkEntitlement({ principal, route }: Exchange): undefined {
  if (!principal) return;
  if (isAboutOwnAccount(route) || route?.kind === "message") return;
  const refused = entitlementFailure(principal, tierOf(route));
  if (refused) throw refused;
}

/**
 * Guards against cross-site requests, which carry the browser's cookies. A write or MCP message with a session cookie
 * must have an `Origin` header, or be marked as same-origin by the browser. An earlier step has checked the `Origin`
 * header.
 */
export function checkCookieOrigin({ principal, route, call }: Exchange): undefined {
  if ((route?.kind !== "write" && route?.kind !== "message") || principal?.kind !== "session") return;
  if (call.header("x-service-key") || call.header("x-api-key")) return;
  if (call.header("origin") !== undefined || call.header("sec-fetch-site") === "same-origin") return;
  throw failure("originRefused", null);
}

/** True while the credential of an open stream still belongs to the same account and still permits the stream. */
export async function isStillAllowed({ call, route, principal }: Exchange, parts: AccessParts): Promise<boolean> {
  const caller = await parts.authenticator.authenticate((name) => call.header(name), false, assuranceOf(route));
  if (caller instanceof Failure || caller.accountId !== principal?.accountId) return false;
  const scope = route && scopeOf(route);
  const hasScope = scope === undefined || (caller.scopes as ReadonlySet<string>).has(scope);
  return hasScope && entitlementFailure(caller, tierOf(route)) === undefined;
}

/** The address against which limits are counted. */
export function addressOf({ call }: Exchange, parts: AccessParts): string {
  return parts.clientAddress(call.remoteAddress, call.header("x-forwarded-for"));
}
