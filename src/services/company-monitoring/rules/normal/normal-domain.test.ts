import { describe, expect, test } from "vitest";
import { normalDomain } from "./normal-domain.js";

const label63 = "a".repeat(63);

describe("domains", () => {
  test.each([
    ["example.com", "example.com"],
    [" WWW.Example.COM. ", "example.com"],
    ["www.example.co.uk", "example.co.uk"],
    ["www.com", "www.com"],
    ["www.www.com", "www.com"],
    ["wwwx.com", "wwwx.com"],
    ["xn--mnchen-3ya.de", "xn--mnchen-3ya.de"],
    ["3m.com", "3m.com"],
    [`${label63}.com`, `${label63}.com`],
  ])("the normal form of the domain %j is %j", (text, value) => {
    expect(normalDomain(text)).toEqual({ value });
  });

  test.each([
    "example",
    "example.com..",
    ".example.com",
    "-a.com",
    "a-.com",
    "exa mple.com",
    "https://example.com",
    "example.com/path",
    "example.com:80",
    "münchen.de",
    "192.168.0.1",
    "example.1com",
    `${label63}a.com`,
    "www.",
    "_dmarc.example.com",
  ])("the domain %j is refused", (text) => {
    expect(normalDomain(text)).toHaveProperty("problem");
  });

  test("a domain may have at most 253 bytes", () => {
    const long = `${`${label63}.`.repeat(3)}${"a".repeat(57)}.com`;
    expect([Buffer.byteLength(long), normalDomain(long)]).toEqual([253, { value: long }]);
    expect(normalDomain(`a${long}`)).toHaveProperty("problem");
  });
});
