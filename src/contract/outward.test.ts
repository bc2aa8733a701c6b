import { expect, test } from "vitest";
import { originIn, refusedTarget } from "./outward.js";

const HTTPS = "must begin with https://";
const HOST = "must name a public host";
const USER = "must not contain a user or a password";

test.each([
  "https://receiver.example/hooks?tenant=1",
  "https://receiver.example:443/",
  "https://93.184.216.34/hooks",
  "https://[2606:2800:220:1:248:1893:25c8:1946]/",
])("the target %s is allowed", (url) => expect(refusedTarget(url, [])).toBeUndefined());

test.each([
  // Schemes and forms.
  ["receiver.example/hooks", "must be an absolute https address"],
  ["https://", "must be an absolute https address"],
  ["http://receiver.example/", HTTPS],
  ["ftp://receiver.example/", HTTPS],
  ["file:///etc/passwd", HTTPS],
  ["https://receiver.example/#part", "must not contain a fragment"],
  // Users.
  ["https://user@receiver.example/", USER],
  ["https://user:password@receiver.example/", USER],
  ["https://receiver.example@127.0.0.1/", USER],
  // Ports.
  ["https://receiver.example:8443/", "must use port 443, got 8443"],
  ["https://receiver.example:22/", "must use port 443, got 22"],
  // Names of this machine and of its network.
  ["https://localhost/", HOST],
  ["https://localhost./", HOST],
  ["https://LOCALHOST/", HOST],
  ["https://a.localhost/", HOST],
  ["https://intranet/", HOST],
  // IPv4: loopback, private, link-local, cloud metadata, carrier-grade NAT, unspecified, multicast.
  ["https://127.0.0.1/", HOST],
  ["https://127.255.255.254/", HOST],
  ["https://10.0.0.1/", HOST],
  ["https://172.16.0.1/", HOST],
  ["https://192.168.0.1/", HOST],
  ["https://169.254.169.254/latest/meta-data", HOST],
  ["https://100.64.0.1/", HOST],
  ["https://0.0.0.0/", HOST],
  ["https://224.0.0.1/", HOST],
  ["https://255.255.255.255/", HOST],
  // Other spellings of IPv4: decimal, octal, hexadecimal, short, full-width.
  ["https://2130706433/", HOST],
  ["https://0177.0.0.1/", HOST],
  ["https://0x7f.0.0.1/", HOST],
  ["https://0x7f000001/", HOST],
  ["https://127.1/", HOST],
  ["https://①②⑦.0.0.1/", HOST],
  ["https://127.0.0.1./", HOST],
  // IPv6: loopback, unspecified, local, mapped, translated, NAT64, 6to4, Teredo.
  ["https://[::1]/", HOST],
  ["https://[::]/", HOST],
  ["https://[fe80::1]/", HOST],
  ["https://[fc00::1]/", HOST],
  ["https://[::ffff:127.0.0.1]/", HOST],
  ["https://[::ffff:a9fe:a9fe]/", HOST],
  ["https://[::127.0.0.1]/", HOST],
  ["https://[64:ff9b::10.0.0.1]/", HOST],
  ["https://[64:ff9b:1::1]/", HOST],
  ["https://[2002:7f00:1::]/", HOST],
  ["https://[2001:0:7f00:1::]/", HOST],
])("the target %s is refused: %s", (url, reason) => expect(refusedTarget(url, [])).toBe(reason));

test("a private origin that the operator allows may use http and any port, and no other origin may", () => {
  const allowed = ["http://10.0.0.5:8080"];
  expect(refusedTarget("http://10.0.0.5:8080/hooks", allowed)).toBeUndefined();
  expect(refusedTarget("http://10.0.0.5:8081/hooks", allowed)).toBe(HTTPS);
  expect(refusedTarget("https://10.0.0.5/hooks", allowed)).toBe(HOST);
  expect(refusedTarget("http://user@10.0.0.5:8080/hooks", allowed)).toBe(USER);
});

test.each([
  ["http://10.0.0.5:8080", "http://10.0.0.5:8080"],
  ["https://hooks.internal/", "https://hooks.internal"],
  ["https://hooks.internal/path", undefined],
  ["ftp://hooks.internal", undefined],
  ["hooks.internal", undefined],
])("the origin in %s is %s", (text, origin) => expect(originIn(text)).toBe(origin));
