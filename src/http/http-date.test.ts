import { expect, test } from "vitest";
import { httpDate } from "./http-date.js";

test.each(["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])(
  "%s is an HTTP date",
  (text) => {
    expect(httpDate(text)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
  },
);

test.each([
  "",
  "1994",
  "784111777",
  "1994-11-06T08:49:37Z",
  "Sun, 06 Nov 1994 08:49:37",
  "Sun, 06 Nov 1994 99:99:99 GMT",
])("%j is not an HTTP date", (text) => {
  expect(httpDate(text)).toBeUndefined();
});
