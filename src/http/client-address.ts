import { BlockList, isIP } from "node:net";

/** The address of a caller, seen through the proxies that the operator trusts. */
export type ClientAddress = (remoteAddress: string, forwardedFor: string | undefined) => string;

/**
 * `proxies` are addresses or networks (`10.0.0.0/8`) whose `X-Forwarded-For` is believed: the last address in it that is
 * not a proxy itself is the caller's. Throws with a sentence on an entry that is neither.
 */
export function clientAddress(proxies: readonly string[]): ClientAddress {
  if (proxies.length === 0) return (remoteAddress) => remoteAddress;
  const trusted = trustedList(proxies);
  const isTrusted = (address: string): boolean => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/, "");
    const family = isIP(plain);
    return family !== 0 && trusted.check(plain, family === 6 ? "ipv6" : "ipv4");
  };
  return (remoteAddress, forwardedFor) => {
    if (forwardedFor === undefined || !isTrusted(remoteAddress)) return remoteAddress;
    const hops = forwardedFor.split(",").map((hop) => hop.trim());
    const caller = hops.findLast((hop) => isIP(hop) !== 0 && !isTrusted(hop));
    return caller ?? remoteAddress;
  };
}

function trustedList(proxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = "", bits] = proxy.split("/");
    const family = isIP(address);
    const most = family === 6 ? 128 : 32;
    const isNetwork = bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= most;
    if (family === 0 || (bits !== undefined && !isNetwork)) {
      throw new Error(`VIGIL_TRUSTED_PROXIES: ${proxy} is no address or network like 10.0.0.0/8`);
    }
    const type = family === 6 ? "ipv6" : "ipv4";
    if (isNetwork) list.addSubnet(address, Number(bits), type);
    else list.addAddress(address, type);
  }
  return list;
}
