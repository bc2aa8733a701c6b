import { BlockList, isIP } from "node:net";

/** IPv4 ranges without public hosts (IANA special-purpose registry, read 2026-11). */
const notPublicIPv4: readonly (readonly [network: string, bits: number])[] = [
  ["0.0.0.0", 8], // this network, unspecified
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // carrier-grade NAT
  ["127.0.0.0", 8], // loopback
  ["169.254.0.0", 16], // link-local, cloud metadata
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocol assignments
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // 6to4 relays, deprecated
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
];

const notPublicIPv6: readonly (readonly [network: string, bits: number])[] = [
  ["::", 96], // unspecified, loopback, IPv4-compatible
  ["::ffff:0:0", 96], // IPv4-mapped
  ["::ffff:0:0:0", 96], // IPv4-translated
  ["64:ff9b:1::", 48], // local NAT64
  ["100::", 64], // discard
  ["2001::", 23], // Teredo and other protocol assignments
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4, embeds an IPv4 address
  ["3fff::", 20], // documentation
  ["5f00::", 16], // segment routing
  ["fc00::", 7], // unique local
  ["fe80::", 10], // link-local
  ["fec0::", 10], // site-local, deprecated
  ["ff00::", 8], // multicast
  // A machine without IPv4 reaches the IPv4 internet through NAT64, so a NAT64 address is refused only if the IPv4
  // address embedded in it is not public.
  ...notPublicIPv4.map(([network, bits]) => [`64:ff9b::${network}`, 96 + bits] as const),
];

// One list per family, because in a shared list the rule for ::ffff:0:0/96 would match every IPv4 address.
const refusedIPv4 = new BlockList();
for (const [network, bits] of notPublicIPv4) refusedIPv4.addSubnet(network, bits, "ipv4");
const refusedIPv6 = new BlockList();
for (const [network, bits] of notPublicIPv6) refusedIPv6.addSubnet(network, bits, "ipv6");

/** Returns true for a literal IP address of the public internet, and false for any other text. */
export function isPublicAddress(address: string): boolean {
  const [bare = ""] = address.split("%"); // A zone ("fe80::1%eth0") names an interface, not another address.
  const family = isIP(bare);
  if (family === 4) return !refusedIPv4.check(bare, "ipv4");
  return family === 6 && !refusedIPv6.check(bare, "ipv6");
}
