import { expect, test } from "vitest";
import { sharedAnswers } from "./shared-answers.js";

const list = { rows: "rows", identity: ({ id }: { id: string }) => id };

function answerOf(rowCount: number) {
  const value = { rows: Array.from({ length: rowCount }, (_, index) => ({ id: `row ${index}` })) };
  return { value, rows: async () => undefined, withRows: () => value };
}

test("an answer that does not fit displaces the least recently used one", () => {
  const shared = sharedAnswers(100_000);
  const [first, second, third] = [answerOf(200), answerOf(200), answerOf(200)];
  shared.keep("first", first, list);
  shared.keep("second", second, list);
  expect(shared.get("first")).toBe(first);
  shared.keep("third", third, list);
  expect(["first", "second", "third"].map((key) => shared.get(key))).toEqual([first, undefined, third]);
});

test("the newest answer is kept, however large it is", () => {
  const shared = sharedAnswers(100_000);
  const large = answerOf(100_000);
  shared.keep("small", answerOf(1), undefined);
  shared.keep("large", large, list);
  expect([shared.get("small"), shared.get("large")]).toEqual([undefined, large]);
});
