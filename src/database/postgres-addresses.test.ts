import { expect, test } from "vitest";
import { addressesIn, postgresAddresses } from "./postgres-addresses.js";

test.each([
  ["postgres://u:p@a:1/db", ["postgres://u:p@a:1/db"]],
  [
    "postgres://u:p@a:1,b,[::1]:3/db?x=1",
    ["postgres://u:p@a:1/db?x=1", "postgres://u:p@b/db?x=1", "postgres://u:p@[::1]:3/db?x=1"],
  ],
  ["postgresql://a,b", ["postgresql://a", "postgresql://b"]],
  ["postgres://u:p,q@a/db", ["postgres://u:p,q@a/db"]],
  ["a,b", ["a,b"]],
])("%s names the servers %j", (url, addresses) => {
  expect(addressesIn(url)).toEqual(addresses);
});

test("several failed connections to one address switch to the next address only once, and the first address follows the last", () => {
  const addresses = postgresAddresses("postgres://a,b/db");
  const [first, second] = addressesIn("postgres://a,b/db");
  for (const _ of [1, 2, 3]) addresses.leave(first ?? "");
  expect(addresses.current()).toBe(second);
  addresses.leave(second ?? "");
  expect(addresses.current()).toBe(first);
});
