import { expect, test } from "vitest";
import type { Answer } from "../../src/sdk/index.js";
import { MalformedAnswerError } from "../../src/sdk/index.js";
import { wholeList } from "./whole-list.js";

/** Creates a reader that answers each request with the next of these bodies, and records the cursor of each request. */
function pages(bodies: readonly object[]) {
  const cursors: unknown[] = [];
  const read = async ({ cursor }: Readonly<Record<string, unknown>>) => {
    cursors.push(cursor);
    const data = bodies[cursors.length - 1];
    return { data, status: 200, generation: { list: 7 } } as Partial<Answer<unknown>> as Answer<unknown>;
  };
  return { read, cursors };
}

test("wholeList joins the pages of a list into one answer, with the other members of the last page", async () => {
  const { read, cursors } = pages([
    { rows: [1], nextCursor: "a", total: 3 },
    { rows: [2, 3], nextCursor: "", total: 4 },
  ]);
  const { data, generation } = await wholeList("rows", read);
  expect(data).toEqual({ rows: [1, 2, 3], nextCursor: "", total: 4 });
  expect(generation).toEqual({ list: 7 });
  expect(cursors).toEqual([undefined, "a"]);
});

test("wholeList finds the cursor in the pagination member as well", async () => {
  const { read, cursors } = pages([
    { rows: [1], pagination: { nextCursor: "a", totalCount: 2 } },
    { rows: [2], pagination: { nextCursor: "", totalCount: 2 } },
  ]);
  expect((await wholeList("rows", read)).data).toEqual({
    rows: [1, 2],
    pagination: { nextCursor: "", totalCount: 2 },
  });
  expect(cursors).toEqual([undefined, "a"]);
});

test("wholeList reads at most ten pages, and keeps the cursor of the next page", async () => {
  const { read, cursors } = pages(Array.from({ length: 20 }, (_, at) => ({ rows: [at], nextCursor: `after ${at}` })));
  const { data } = await wholeList("rows", read);
  expect(data).toEqual({ rows: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], nextCursor: "after 9" });
  expect(cursors).toHaveLength(10);
});

test("wholeList rejects an answer that lacks the list, and fails as a whole if one page fails", async () => {
  await expect(wholeList("rows", pages([{}]).read)).rejects.toThrow(MalformedAnswerError);
  const { read } = pages([{ rows: [1], nextCursor: "a" }]);
  const failing = (cursor: Readonly<Record<string, unknown>>) =>
    "cursor" in cursor ? Promise.reject(new Error("lost")) : read(cursor);
  await expect(wholeList("rows", failing)).rejects.toThrow("lost");
});
