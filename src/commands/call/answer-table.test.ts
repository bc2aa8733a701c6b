import { expect, test } from "vitest";
import { isOneLine } from "../../kit/one-line.js";
import { answerTable } from "./answer-table.js";

test("each row of a list is a line, with nested members in separate columns", () => {
  const data = {
    events: [
      { id: "a", location: { latitude: 1, longitude: 2 }, tags: ["x"] },
      { id: "b", magnitude: 5 },
    ],
    sources: [],
  };
  expect(answerTable(data, "events").split("\n")).toEqual([
    "id  location.latitude  location.longitude  tags   magnitude",
    "--  -----------------  ------------------  -----  ---------",
    'a   1                  2                   ["x"]',
    "b                                                 5",
  ]);
});

test("an answer with a single array is shown as a list, and so is a projection to an array", () => {
  expect(answerTable({ months: [{ month: 1 }], unavailable: false }, undefined)).toBe("month\n-----\n1");
  expect(answerTable([3, 4], undefined)).toBe("value\n-----\n3\n4");
});

test("an answer without an array is listed member by member", () => {
  expect(
    answerTable({ monitoring: { ppm: 420 }, name: "co2" }, undefined)
      .split("\n")
      .slice(2),
  ).toEqual(["monitoring.ppm  420", "name            co2"]);
  expect(answerTable(7, undefined)).toBe("member  value\n------  -----\nvalue   7");
});

test("a text that is too long for its cell ends with an ellipsis, and a text of the full length is whole", () => {
  const cells = answerTable([{ id: "a".repeat(60) }, { id: "b".repeat(61) }], undefined)
    .split("\n")
    .slice(2);
  expect(cells).toEqual(["a".repeat(60), `${"b".repeat(59)}…`]);
});

test("a list without rows is reported as empty", () => {
  expect(answerTable({ events: [] }, "events")).toBe("no rows");
});

test("control characters from upstreams do not reach the terminal", () => {
  const shown = answerTable([{ title: "a\u001b[31mb\nc\u009bd" }], undefined);
  expect(shown.split("\n").every(isOneLine)).toBe(true);
  expect(shown.split("\n")).toHaveLength(3);
});
