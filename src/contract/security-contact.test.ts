import { expect, test } from "vitest";
import { securityContact } from "./security-contact.js";

test("contacts are addresses with mailto: or https:, and there are none by default", () => {
  expect(securityContact.read(securityContact.default)).toEqual([]);
  expect(securityContact.read("mailto:a@example.com, https://example.com/report")).toEqual([
    "mailto:a@example.com",
    "https://example.com/report",
  ]);
});

test.each(["security@example.com", "http://example.com", "https://", "mailto:a@b\nExpires: never"])(
  "%j is not a contact",
  (text) => {
    expect(() => securityContact.read(text)).toThrow("must be addresses that begin with mailto: or https://");
  },
);
