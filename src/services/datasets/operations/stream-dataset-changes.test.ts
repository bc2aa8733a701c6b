import { expect, test } from "vitest";
import { isWanted, type LogEntry } from "../../../contract/change-log.js";
import { streamDatasetChanges } from "./stream-dataset-changes.js";

const { dataset, state } = streamDatasetChanges.filters;

const entries = [
  ["us-cpi", "ok"],
  ["us-cpi", "stale"],
  ["earthquakes", "ok"],
].map(([name = "", value = ""], at): LogEntry => {
  return { position: at + 1, subject: name, facets: { dataset: name, state: value }, text: "" };
});

/** Returns the positions that a stream with these values delivers. */
function delivered(datasets: readonly string[], states: readonly string[]): readonly number[] {
  const decoded = [dataset?.decode(datasets, 0), state?.decode(states, 0)];
  const [names, values] = decoded.map((field) => {
    if (field === undefined || "violation" in field) throw new Error("refused");
    return field.value;
  });
  return entries
    .filter((entry) => isWanted(entry, { dataset: names ?? [], state: values ?? [] }))
    .map(({ position }) => position);
}

test("a stream without filters delivers every change", () => {
  expect(delivered([], [])).toEqual([1, 2, 3]);
});

test("a stream with filters delivers a change only if its dataset and its new state are selected", () => {
  expect(delivered(["us-cpi"], [])).toEqual([1, 2]);
  expect(delivered([], ["ok,partial"])).toEqual([1, 3]);
  expect(delivered(["us-cpi"], ["ok"])).toEqual([1]);
});

test("a stream refuses a filter with a nonexistent state", () => {
  expect(() => delivered([], ["fine"])).toThrow("refused");
});
