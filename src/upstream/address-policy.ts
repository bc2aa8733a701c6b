import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "../kit/public-address.js";

/** Resolves a name to all of its addresses, in order of preference. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Origins that are allowed at any address, including private ones. */
export type Origins = Pick<ReadonlySet<string>, "has">;

/** Resolves through the machine's resolver. */
export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

/** A host that this process must not connect to. The message names the host and no other part of the request. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/**
 * Returns the reason for refusing `url`, or undefined if it is allowed. A host name is checked twice: the name here,
 * and its resolved addresses when the connection opens.
 */
export function refusalOf(url: URL, allowedOrigins: Origins): string | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return `the scheme of the address is ${url.protocol.slice(0, -1)}; expected http or https`;
  }
  if (allowedOrigins.has(url.origin)) return undefined;
  const hostname = bareHostname(url.hostname);
  const isLocalName = /(^|\.)localhost\.?$/i.test(hostname);
  if (isLocalName || (isIP(hostname) !== 0 && !isPublicAddress(hostname))) return notPublic(hostname);
  return undefined;
}

/**
 * Creates a lookup for `net.connect` that yields only public addresses, and thereby defeats DNS rebinding to a private
 * address.
 */
export function publicLookup(resolve: Resolve): LookupFunction {
  return lookupWith(async (hostname) => {
    const addresses = await resolve(hostname);
    const usable = addresses.filter(({ address }) => isPublicAddress(address));
    if (usable.length === 0) throw new AddressRefused(notPublic(hostname));
    return usable;
  });
}

/** Creates an unrestricted lookup for `net.connect`, for origins that the operator configured. */
export function lookupWith(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) return callback(new Error(`${hostname} has no address`), "");
        if (options.all) return callback(null, [...addresses]);
        callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
}

/** Returns the host of a URL without IPv6 brackets. */
export function bareHostname(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

export function notPublic(hostname: string): string {
  return `${hostname} is not a public address; expected a public address or an allowed private origin`;
}
