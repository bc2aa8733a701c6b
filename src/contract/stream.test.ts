import { Type } from "typebox";
import { expect, test } from "vitest";
import { texts } from "./query-field.js";
import { isStream, stream } from "./stream.js";

const log = {
  event: "thing.changed",
  description: "A thing changed.",
  scope: "read",
  isPerAccount: false,
  entry: Type.Object({}),
  subject: "thing",
  facets: { colour: ["red"] },
} as const;
const words = { summary: "Things", description: "Things.", log, filters: { colour: texts("Colours") } };

test("a stream takes a cursor and its filters", () => {
  const declared = stream({ ...words, rpc: "stream-things" });
  expect([isStream(declared), Object.keys(declared.query)]).toEqual([true, ["cursor", "colour"]]);
});

test("a stream whose name lacks the prefix is refused, because the registry would not find the stream", () => {
  expect(() => stream({ ...words, rpc: "follow-things" })).toThrow("follow-things must begin with stream-");
});

test("a stream with a filter that is not a facet of its log is refused", () => {
  expect(() => stream({ ...words, rpc: "stream-things", filters: { size: texts("Sizes") } })).toThrow(
    /filters by size/,
  );
});
