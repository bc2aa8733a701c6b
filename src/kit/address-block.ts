import { isIPv6 } from "node:net";

const GROUPS = 8;
const NETWORK_GROUPS = 4;
const MAPPED_GROUPS = 6;
/** The first groups of an IPv4-mapped address. */
const MAPPED = [0, 0, 0, 0, 0, 0xffff].join();

/**
 * The unit in which addresses are counted: an IPv4 address or an IPv6 /64 network, because a single IPv6 host usually
 * has a whole /64. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1` or `::ffff:c000:201`) counts as IPv4. Other text is
 * returned unchanged.
 */
export function addressBlock(address: string): string {
  if (!address.includes(":")) return address;
  const [plain = ""] = address.split("%");
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  if (groups.slice(0, MAPPED_GROUPS).join() === MAPPED) {
    return groups
      .slice(MAPPED_GROUPS)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join(".");
  }
  const network = groups.slice(0, NETWORK_GROUPS);
  return `${network.map((group) => group.toString(16)).join(":")}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const [before = "", after = ""] = address.split("::");
  const [head, tail] = [numbersIn(before), numbersIn(after)];
  return [...head, ...new Array<number>(GROUPS - head.length - tail.length).fill(0), ...tail];
}

/** The groups in a part of an address. An IPv4 address at its end becomes two groups. */
function numbersIn(part: string): readonly number[] {
  if (part === "") return [];
  return part.split(":").flatMap((group) => {
    if (!group.includes(".")) return Number.parseInt(group, 16);
    const [first = 0, second = 0, third = 0, fourth = 0] = group.split(".").map(Number);
    return [first * 256 + second, third * 256 + fourth];
  });
}
