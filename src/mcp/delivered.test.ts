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

test("the head of a write is delivered even if no part of its answer fits", () => {
  const head = { status: 201, note: "x".repeat(400) };
  const text = JSON.stringify({ id: "y".repeat(200) });
  const { text: result } = delivered(
    { question: "q", head, text, advice: "read it", isOnce: true },
    { max_bytes: 500 },
  );
  expect(JSON.parse(result)).toEqual({ ...head, cut: { advice: "read it" }, answer: null });
});
