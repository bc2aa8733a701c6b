import { expect, test } from "vitest";
import { addressBlock } from "./address-block.js";

test.each([
  { address: "192.0.2.1", block: "192.0.2.1" },
  { address: "::ffff:192.0.2.1", block: "192.0.2.1" },
  { address: "::FFFF:192.0.2.1", block: "192.0.2.1" },
  { address: "::ffff:c000:201", block: "192.0.2.1" },
  { address: "0:0:0:0:0:ffff:192.0.2.1", block: "192.0.2.1" },
  { address: "::ffff:0:0", block: "0.0.0.0" },
  { address: "2001:db8:0:1::1", block: "2001:db8:0:1::/64" },
  { address: "2001:0DB8:0000:0001:ffff:ffff:ffff:ffff", block: "2001:db8:0:1::/64" },
  { address: "2001:db8::1", block: "2001:db8:0:0::/64" },
  { address: "2001:db8:0:2::1", block: "2001:db8:0:2::/64" },
  { address: "::1", block: "0:0:0:0::/64" },
  { address: "fe80::1%eth0", block: "fe80:0:0:0::/64" },
  { address: "1::", block: "1:0:0:0::/64" },
  { address: "1:2:3:4:5:6:7:8", block: "1:2:3:4::/64" },
  { address: "64:ff9b::192.0.2.1", block: "64:ff9b:0:0::/64" },
  { address: "1:2:3:4:5:6:192.0.2.1", block: "1:2:3:4::/64" },
  { address: "not:an:address", block: "not:an:address" },
  { address: "", block: "" },
])("the address $address counts as $block", ({ address, block }) => {
  expect(addressBlock(address)).toBe(block);
});
