import { expect, test } from "vitest";
import { headersIn, headLines, linesWith } from "./head-lines.js";

const headers = { RateLimit: '"a: b";r=1', "Retry-After": "2" };
const lines = 'RateLimit: "a: b";r=1\r\nRetry-After: 2\r\n';

test("header fields are converted to lines and back", () => {
  expect(headLines(headers)).toBe(lines);
  expect(headersIn(lines)).toEqual(headers);
  expect([headLines({}), headersIn("")]).toEqual(["", {}]);
});

test("lines are selected by field name", () => {
  expect(linesWith(lines, (name) => name !== "RateLimit")).toBe("Retry-After: 2\r\n");
  expect(linesWith(lines, () => false)).toBe("");
});
