import { expect, test } from "vitest";
import { isOneLine, oneLine } from "./one-line.js";

test.each([
  ["line ends", "a\r\nBcc: b@example.net", "a Bcc: b@example.net"],
  ["control characters", "a\u0000\u001b\u007f\u0085b", "a b"],
  ["line separators", "a\u2028b\u2029c", "a b c"],
  ["bidirectional controls", "a\u202eb\u2066c\u2069", "a b c"],
])("%s become a space", (_name, text, line) => {
  expect(isOneLine(text)).toBe(false);
  expect(oneLine(text)).toBe(line);
  expect(isOneLine(line)).toBe(true);
});

test.each(["", "Zürich, 東京", "עברית\u200f", "🔥 a  b"])("%j stays as it is", (text) => {
  expect(isOneLine(text)).toBe(true);
  expect(oneLine(text)).toBe(text);
});
