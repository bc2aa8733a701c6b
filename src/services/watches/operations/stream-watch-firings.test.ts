import { expect, test } from "vitest";
import { isWanted, type LogEntry } from "../../../contract/change-log.js";
import { streamWatchFirings } from "./stream-watch-firings.js";

const { watchId, kind } = streamWatchFirings.filters;
const [first, second] = ["wch_00000000000000000000000001", "wch_00000000000000000000000002"];

const entries = [
  [first, "fired"],
  [first, "failed"],
  [second, "fired"],
].map(([subject = "", value = ""], at): LogEntry => {
  return { position: at + 1, subject, facets: { watchId: subject, kind: value, on: "WATCH_ON_CHANGED" }, text: "" };
});

/** Returns the positions that a stream with these query values delivers. */
function delivered(watches: readonly string[], kinds: readonly string[]): readonly number[] {
  const decoded = [watchId?.decode(watches, 0), kind?.decode(kinds, 0)];
  const [ids, values] = decoded.map((field) => {
    if (field === undefined || "violation" in field) throw new Error("refused");
    return field.value;
  });
  return entries
    .filter((entry) => isWanted(entry, { watchId: ids ?? [], kind: values ?? [] }))
    .map(({ position }) => position);
}

test("a stream without filters delivers every firing", () => {
  expect(delivered([], [])).toEqual([1, 2, 3]);
});

test("a stream delivers only the firings of the named watches and kinds", () => {
  expect(delivered([first], [])).toEqual([1, 2]);
  expect(delivered([], ["fired"])).toEqual([1, 3]);
  expect(delivered([first], ["WATCH_FIRING_KIND_FAILED"])).toEqual([2]);
});

test("a stream refuses a kind that does not exist", () => {
  expect(() => delivered([], ["burnt"])).toThrow("refused");
});
