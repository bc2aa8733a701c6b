import { expect, test } from "vitest";
import { redactedAddress } from "./redacted-address.js";

test.each([
  ["postgres://vigil:s3cret@db.example:5432/vigil", "postgres://vigil:***@db.example:5432/vigil"],
  ["redis://:s3cret@127.0.0.1:6379", "redis://:***@127.0.0.1:6379"],
  ["postgres://vigil@db.example/vigil", "postgres://vigil@db.example/vigil"],
  ["postgres://vigil:se/cret@db.example:x/vigil", "***"],
  ["https://vigil.example", "https://vigil.example"],
  ["valkey://vigil:s3cret@127.0.0.1:6379", "valkey://vigil:***@127.0.0.1:6379"],
  ["vigil:s3cret@proxy.example:3128", "***"],
  ["mailto:security@vigil.example", "mailto:security@vigil.example"],
  ["vigil@example.com", "vigil@example.com"],
  ["", ""],
])("%j is shown as %j", (text, shown) => {
  expect(redactedAddress(text)).toBe(shown);
});
