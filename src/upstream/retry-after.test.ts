import { expect, it } from "vitest";
import { DAY_MS } from "../kit/clock.js";
import { retryAtFrom } from "./retry-after.js";

const now = Date.UTC(2026, 10, 21, 12);

it.each([
  ["0", now],
  [" 30 ", now + 30_000],
  ["99999999999999999999", now + DAY_MS],
  ["Sat, 21 Nov 2026 12:00:10 GMT", now + 10_000],
  ["Fri, 20 Nov 2026 12:00:00 GMT", now],
  ["Sun, 21 Nov 2060 12:00:00 GMT", now + DAY_MS],
  ["Sat, 99 Nov 2026 12:00:10 GMT", undefined],
  ["1.5", undefined],
  ["-1", undefined],
  ["2026", now + 2_026_000],
  ["tomorrow", undefined],
  ["", undefined],
  [undefined, undefined],
])(
  "retryAtFrom converts %j to a time from now to a day later, or to undefined if the header is unusable",
  (header, retryAt) => {
    expect(retryAtFrom(header, now)).toBe(retryAt);
  },
);
