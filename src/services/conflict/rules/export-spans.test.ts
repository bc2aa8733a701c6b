import { expect, test } from "vitest";
import { EXPORT_MS, type ExportSpan, joinedSpans, missingExports } from "./export-spans.js";

/** Makes a span from the numbers of its first and last export. */
const span = (first: number, last = first): ExportSpan => ({
  firstExportAt: first * EXPORT_MS,
  lastExportAt: last * EXPORT_MS,
});

test.each<readonly [name: string, spans: readonly ExportSpan[], joined: readonly ExportSpan[]]>([
  ["adjacent spans are joined", [span(10), span(11)], [span(10, 11)]],
  ["adjacent spans are joined in any order", [span(12), span(10), span(11)], [span(10, 12)]],
  ["a gap of one export stays", [span(10), span(12)], [span(10), span(12)]],
  ["a span within another is dropped", [span(10, 20), span(12, 13)], [span(10, 20)]],
  ["overlapping spans are joined", [span(10, 12), span(11, 14)], [span(10, 14)]],
  ["a span before the window is dropped", [span(1, 4), span(6)], [span(6)]],
  ["a span that reaches into the window is cut", [span(1, 7)], [span(5, 7)]],
  ["an empty list stays empty", [], []],
])("%s", (_name, spans, joined) => {
  expect(joinedSpans(spans, 5 * EXPORT_MS)).toEqual(joined);
});

test.each<readonly [name: string, spans: readonly ExportSpan[], max: number, missing: readonly number[]]>([
  ["all, newest first, if there is no span", [], 9, [8, 7, 6, 5]],
  ["those around a span", [span(6, 7)], 9, [8, 5]],
  ["the newest ones, up to the limit", [span(7)], 2, [8, 6]],
  ["none if a span covers them all", [span(5, 8)], 9, []],
])("the missing exports between 5 and 8 are returned: %s", (_name, spans, max, missing) => {
  const range = { from: 5 * EXPORT_MS, to: 9 * EXPORT_MS - 1, max };
  expect(missingExports(spans, range)).toEqual(missing.map((number) => number * EXPORT_MS));
});
