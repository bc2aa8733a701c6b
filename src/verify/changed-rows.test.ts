import { expect, test } from "vitest";
import { changedRows } from "./changed-rows.js";

const none = { added: 0, changed: 0, removed: 0 };

test("rows are compared by their identity", () => {
  const before = { a: [{ id: 1, value: 1 }, { id: 2, value: 1 }, { id: 3 }], b: [{ id: 1 }] };
  const after = { a: [{ id: 4 }, { id: 2, value: 2 }, { id: 1, value: 1 }], b: [{ id: 1 }] };
  expect(changedRows(before, after, {})).toEqual({ a: { added: 1, changed: 1, removed: 1 }, b: undefined });
});

test.each([
  ["an identity without members", [], [{ at: 1 }], [{ at: 2 }], { ...none, changed: 1 }],
  [
    "an identity with two members",
    ["day", "name"],
    [{ day: 1, name: "a" }],
    [{ day: 2, name: "a" }],
    { ...none, added: 1, removed: 1 },
  ],
  ["rows without an identifier", ["id"], [{ at: 1 }], [{ at: 1 }, { at: 1 }], { ...none, added: 1 }],
  [
    "rows with the same identifier, which are compared in their order",
    ["id"],
    [
      { id: 1, at: 1 },
      { id: 1, at: 2 },
    ],
    [{ id: 1, at: 1 }],
    { ...none, removed: 1 },
  ],
])("changed rows are counted for %s", (_name, identity, before, after, counts) => {
  expect(changedRows({ part: before }, { part: after }, { part: identity })).toEqual({ part: counts });
});

test("the rows of a part that is new or gone are counted as added or removed", () => {
  expect(changedRows({ old: [{ id: 1 }] }, { fresh: [{ id: 1 }] }, {})).toEqual({
    old: { ...none, removed: 1 },
    fresh: { ...none, added: 1 },
  });
});
