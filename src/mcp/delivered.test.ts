import { expect, test } from "vitest";
import { delivered, LARGER_BUDGET } from "./delivered.js";

test.each([
  { advice: LARGER_BUDGET, remedy: "set a larger max_bytes" },
  { advice: "set limit", remedy: "set a larger max_bytes, or set limit" },
])("a budget that holds no part of the answer is refused with the remedy: $remedy", ({ advice, remedy }) => {
  const delivery = { question: "q", head: { state: "ok" }, text: JSON.stringify(["a", "b"]), advice };
  expect(() => delivered(delivery, { max_bytes: 10 })).toThrow(
    `max_bytes is too small for any part of the answer; ${remedy}`,
  );
  expect(delivered(delivery, {}).text).toBe('{"state":"ok","answer":["a","b"]}');
});
