import { expect, test } from "vitest";
import { VALUE_BYTES_MAX } from "../limits.js";
import { boundedValues } from "./bounded-value.js";

const textOf = (bytes: number): string => "x".repeat(bytes - 2);

test.each<readonly [string, unknown]>([
  ["a string", textOf(VALUE_BYTES_MAX)],
  ["an array", [textOf(VALUE_BYTES_MAX - 5), 1]],
  ["an object", { a: textOf(VALUE_BYTES_MAX - 6) }],
  ["an object with undefined members", { a: textOf(VALUE_BYTES_MAX - 6), b: undefined, c: undefined }],
  ["many numbers", new Array((VALUE_BYTES_MAX - 2) / 2).fill(1)],
])("boundedValues keeps %s if its JSON takes at most 4 KB", (_, value) => {
  expect(boundedValues(null, value)).toEqual({ before: null, after: value });
});

test.each<readonly [string, unknown]>([
  ["a string", textOf(VALUE_BYTES_MAX + 1)],
  ["a text with characters of several bytes", "€".repeat(1_366)],
  ["a text with characters that JSON escapes", "\u0001".repeat(700)],
  ["a long list", new Array(100_000).fill({ n: 1 })],
])("boundedValues omits %s if its JSON takes more than 4 KB, and marks the values as truncated", (_, value) => {
  expect(boundedValues(1, value)).toEqual({ before: 1, isTruncated: true });
});

test("boundedValues omits an undefined value", () => {
  expect(boundedValues(undefined, false)).toEqual({ after: false });
});
