import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

/** The address of a caller, seen through the proxies that the operator trusts. */
export type ClientAddress = (remoteAddress: string, forwardedFor: string | undefined) => string;

/**
 * Returns a function that finds the address of a caller. `proxies` are the addresses or networks (`10.0.0.0/8`) whose
 * `X-Forwarded-For` is trusted. The entries of this header are read from the end: the first address that is not a proxy
 * is the caller's. An entry that is not an address ends the reading, because the entries before it cannot be trusted.
 * The last address that was read is then the caller's. Throws an error that names an invalid member of `proxies`.
 */
export function clientAddress(proxies: readonly string[]): ClientAddress {
  if (proxies.length === 0) return (remoteAddress) => remoteAddress;
  const isTrusted = trustedProxy(proxies);
  return (remoteAddress, forwardedFor) => {
    if (forwardedFor === undefined || !isTrusted(remoteAddress)) return remoteAddress;
    let reached = remoteAddress;
    for (const hop of forwardedFor.split(",").toReversed()) {
      const address = hopAddress(hop.trim());
      if (address === undefined) return reached;
      if (!isTrusted(address)) return address;
      reached = address;
    }
    return reached;
  };
}

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/i;

/**
 * True for a caller on this machine. For a forwarded call, the address from a trusted proxy decides; a call forwarded
 * by an unknown proxy on this machine does not count as local.
 */
export function isOnThisMachine(seen: ClientAddress, remoteAddress: string, forwardedFor: string | undefined): boolean {
  const address = seen(remoteAddress, forwardedFor);
  return LOOPBACK.test(address) && (forwardedFor === undefined || address !== remoteAddress);
}

/** Returns a test for the addresses of these proxies. Throws an error that names an invalid entry. */
export function trustedProxy(proxies: readonly string[]): (address: string) => boolean {
  const trusted = trustedList(proxies);
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d)/i, "");
    const family = isIP(plain);
    return family !== 0 && trusted.check(plain, family === 6 ? "ipv6" : "ipv4");
  };
}

/**
 * Returns the address in an entry of `X-Forwarded-For`; undefined if there is none. Some proxies write the address with
 * its port: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
 */
function hopAddress(hop: string): string | undefined {
  if (isIP(hop) !== 0) return hop;
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(hop)?.[1];
  if (bracketed !== undefined) return isIPv6(bracketed) ? bracketed : undefined;
  const [address = "", port = "", ...rest] = hop.split(":");
  return isIPv4(address) && /^\d{1,5}$/.test(port) && rest.length === 0 ? address : undefined;
}

function trustedList(proxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = "", bits] = proxy.split("/");
    const family = isIP(address);
    const most = family === 6 ? 128 : 32;
    const isNetwork = bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
    if (family === 0 || (bits !== undefined && !isNetwork)) {
      throw new Error(`VIGIL_TRUSTED_PROXIES: ${proxy} is not an address or network like 10.0.0.0/8`);
    }
    const type = family === 6 ? "ipv6" : "ipv4";
    if (isNetwork) list.addSubnet(address, Number(bits), type);
    else list.addAddress(address, type);
  }
  return list;
}
