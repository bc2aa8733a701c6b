import { isIPv4, isIPv6 } from "node:net";

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * The unit in which addresses are counted: an IPv4 address or an IPv6 /64 network, because a single IPv6 host usually
 * has a whole /64. An IPv4-mapped IPv6 address counts as IPv4. Other text is returned unchanged.
 */
export function addressBlock(address: string): string {
  if (!address.includes(":")) return address;
  const [plain = ""] = address.split("%");
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(plain)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  if (!isIPv6(plain)) return address;
  const network = groupsOf(plain).slice(0, NETWORK_GROUPS);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

/** The eight groups of a valid IPv6 address in hexadecimal. A trailing IPv4 address becomes the last two groups. */
function groupsOf(address: string): readonly string[] {
  const [before = "", after] = address.split("::");
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const written = [...head, ...tail];
  const count = written.length + (written.at(-1)?.includes(".") ? 1 : 0);
  return [...head, ...new Array<string>(Math.max(0, GROUPS - count)).fill("0"), ...tail];
}
