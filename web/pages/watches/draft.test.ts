import { expect, test } from "vitest";
import type { Watch } from "../../../src/sdk/index.js";
import { callOf, draftOf, draftOfWatch, paramsIn, requestOf, valueTrouble } from "./draft.js";

test("a watch made from a view has the call of the view, without the parameters that a watch must not have", () => {
  const draft = draftOf("list-earthquakes", '{"minMagnitude":5,"pageSize":50,"asOf":"2026-11-18T00:00:00Z"}');
  expect(requestOf(draft)).toEqual({
    name: "list earthquakes",
    call: "/api/seismology/v1/list-earthquakes?min_magnitude=5",
    on: "WATCH_ON_NEW_ROWS",
  });
  expect(draftOf("get-us-cpi-monthly", "")).toMatchObject({ on: "WATCH_ON_CHANGED", params: "" });
});

test("a definition has only the members that its trigger accepts", () => {
  const all = {
    ...draftOf("list-earthquakes", ""),
    condition: "max(earthquakes[].magnitude)",
    identity: "id",
    threshold: "6",
    clearsAt: "5.5",
    quietMinutes: "1.5",
    isByRow: true,
    emails: "a@example.com, b@example.com\n",
  };
  const call = "/api/seismology/v1/list-earthquakes";
  const shared = { name: all.name, call, quietSeconds: 90, emails: ["a@example.com", "b@example.com"] };
  const { condition } = all;
  expect(requestOf({ ...all, on: "WATCH_ON_STATE_CHANGES" })).toEqual({ ...shared, on: "WATCH_ON_STATE_CHANGES" });
  expect(requestOf({ ...all, on: "WATCH_ON_CHANGED" })).toEqual({
    ...shared,
    on: "WATCH_ON_CHANGED",
    condition,
    identity: "id",
    grouping: "WATCH_GROUPING_ROW",
  });
  expect(requestOf({ ...all, on: "WATCH_ON_THRESHOLD_CROSSED", side: "below" })).toEqual({
    ...shared,
    on: "WATCH_ON_THRESHOLD_CROSSED",
    condition,
    threshold: { below: 6, clearsAt: 5.5 },
  });
});

test("if the parameters are neither a JSON object nor blank, or if the operation is unknown, the call is empty", () => {
  expect([paramsIn(" "), paramsIn("[1]"), paramsIn("{"), paramsIn("null")]).toEqual([
    {},
    undefined,
    undefined,
    undefined,
  ]);
  expect(callOf({ operation: "list-nothing", params: "" })).toBe("");
  expect(callOf({ operation: "list-earthquakes", params: "{" })).toBe("");
  expect(draftOf("list-earthquakes", "{").params).toBe("{");
});

test.each([
  ["WATCH_ON_NEW_ROWS", [], undefined],
  ["WATCH_ON_NEW_ROWS", {}, "The trigger “new rows” needs a condition that yields an array."],
  ["WATCH_ON_THRESHOLD_CROSSED", null, undefined],
  ["WATCH_ON_THRESHOLD_CROSSED", 1, undefined],
  ["WATCH_ON_THRESHOLD_CROSSED", "1", "A threshold needs a condition that yields a number."],
  ["WATCH_ON_BECOMES_TRUE", "1", undefined],
] as const)("for %s and the value %j, valueTrouble returns: %s", (on, value, trouble) =>
  expect(valueTrouble(on, value)).toBe(trouble),
);

test("a draft made from a watch yields the definition of the watch, without default values", () => {
  const call = "/api/seismology/v1/list-earthquakes?min_magnitude=5&state=ok&state=stale";
  const definition = {
    name: "Strong ones",
    call,
    on: "WATCH_ON_THRESHOLD_CROSSED",
    condition: "max(earthquakes[].magnitude)",
    threshold: { below: 6, clearsAt: 0 },
    quietSeconds: 90,
    emails: ["a@example.com", "b@example.com"],
  } as const;
  const watch = { ...definition, grouping: "WATCH_GROUPING_EVALUATION" } as Partial<Watch> as Watch;
  expect(requestOf(draftOfWatch(watch))).toEqual(definition);
  const rows = { name: "Any", call: "/api/seismology/v1/list-earthquakes", on: "WATCH_ON_CHANGED" } as const;
  const plain = { ...rows, quietSeconds: 0, emails: [] };
  expect(requestOf(draftOfWatch({ ...plain, grouping: "WATCH_GROUPING_ROW" } as Partial<Watch> as Watch))).toEqual({
    ...rows,
    grouping: "WATCH_GROUPING_ROW",
  });
});
