import { describe, expect, test } from "vitest";
import { clientAddress, isOnThisMachine } from "./client-address.js";

const trusting = clientAddress(["10.0.0.0/8", "192.0.2.7", "fd00::/8"]);

describe("the caller's address", () => {
  test.each([
    { remote: "203.0.113.5", forwarded: undefined, is: "203.0.113.5" },
    { remote: "203.0.113.5", forwarded: "198.51.100.1", is: "203.0.113.5" },
    { remote: "10.1.2.3", forwarded: "198.51.100.1", is: "198.51.100.1" },
    { remote: "::ffff:10.1.2.3", forwarded: "198.51.100.1", is: "198.51.100.1" },
    { remote: "192.0.2.7", forwarded: "198.51.100.1", is: "198.51.100.1" },
    { remote: "192.0.2.8", forwarded: "198.51.100.1", is: "192.0.2.8" },
    { remote: "fd00::1", forwarded: "2001:db8::1", is: "2001:db8::1" },
    { remote: "10.1.2.3", forwarded: "1.1.1.1, 198.51.100.1, 10.9.9.9", is: "198.51.100.1" },
    // If every hop is inside the trusted networks, the first hop is the caller.
    { remote: "10.1.2.3", forwarded: "10.0.0.1, 10.0.0.2", is: "10.0.0.1" },
    { remote: "10.1.2.3", forwarded: "not an address", is: "10.1.2.3" },
    { remote: "10.1.2.3", forwarded: "", is: "10.1.2.3" },
    { remote: "10.1.2.3", forwarded: "198.51.100.1, not an address", is: "10.1.2.3" },
    { remote: "10.1.2.3", forwarded: "198.51.100.1, unknown, 10.9.9.9", is: "10.9.9.9" },
    { remote: "10.1.2.3", forwarded: "not an address, 198.51.100.1", is: "198.51.100.1" },
    { remote: "10.1.2.3", forwarded: "198.51.100.1:4711", is: "198.51.100.1" },
    { remote: "10.1.2.3", forwarded: "198.51.100.1:4711, 10.9.9.9:80", is: "198.51.100.1" },
    { remote: "10.1.2.3", forwarded: "[2001:db8::1]:4711", is: "2001:db8::1" },
    { remote: "10.1.2.3", forwarded: "[2001:db8::1]", is: "2001:db8::1" },
    { remote: "10.1.2.3", forwarded: "2001:db8::1, [fd00::2]:443", is: "2001:db8::1" },
    { remote: "10.1.2.3", forwarded: "198.51.100.1:port", is: "10.1.2.3" },
    { remote: "10.1.2.3", forwarded: "[198.51.100.1]:80", is: "10.1.2.3" },
    { remote: "10.1.2.3", forwarded: "198.51.100.1,", is: "10.1.2.3" },
    { remote: "10.1.2.3", forwarded: undefined, is: "10.1.2.3" },
  ])("a call from $remote with X-Forwarded-For $forwarded has the address $is", ({ remote, forwarded, is }) => {
    expect(trusting(remote, forwarded)).toBe(is);
  });

  test("the headers of a proxy that is not configured are ignored", () => {
    expect(clientAddress([])("10.1.2.3", "198.51.100.1")).toBe("10.1.2.3");
  });

  test.each(["proxy.example", "10.0.0.0/33", "10.0.0.0/x", "fd00::/129", ""])("the proxy %j is refused", (entry) => {
    expect(() => clientAddress([entry])).toThrow("VIGIL_TRUSTED_PROXIES");
  });
});

describe("a caller on this machine", () => {
  const seen = clientAddress(["127.0.0.1", "10.0.0.0/8"]);

  test.each([
    { remote: "127.0.0.1", forwarded: undefined, is: true },
    { remote: "::1", forwarded: undefined, is: true },
    { remote: "::ffff:127.0.0.1", forwarded: undefined, is: true },
    { remote: "127.0.0.1", forwarded: "203.0.113.9", is: false },
    { remote: "127.0.0.1", forwarded: "127.0.0.1, 203.0.113.9", is: false },
    { remote: "127.0.0.1", forwarded: "not an address", is: false },
    { remote: "10.0.0.1", forwarded: undefined, is: false },
    { remote: "203.0.113.9", forwarded: "127.0.0.1", is: false },
    { remote: "10.0.0.1", forwarded: "127.0.0.2", is: true },
  ])("a call from $remote with X-Forwarded-For $forwarded is local: $is", ({ remote, forwarded, is }) => {
    expect(isOnThisMachine(seen, remote, forwarded)).toBe(is);
  });

  test("a call forwarded by an unknown proxy on this machine is not local", () => {
    const direct = clientAddress([]);
    expect(isOnThisMachine(direct, "127.0.0.1", "203.0.113.9")).toBe(false);
    expect(isOnThisMachine(direct, "127.0.0.1", "127.0.0.1")).toBe(false);
  });
});
