import { expect, test } from "vitest";
import type { WatchDefinition } from "../records.js";
import { definitionOf } from "../testing/scripted-call.js";
import { asksTheSame, definitionViolations } from "./definition.js";

const crossing = { on: "WATCH_ON_THRESHOLD_CROSSED", condition: "n", threshold: { above: 5 } } as const;

test.each<Partial<WatchDefinition>>([
  { on: "WATCH_ON_NEW_ROWS" },
  { on: "WATCH_ON_NEW_ROWS", condition: "rows", identity: "id", grouping: "WATCH_GROUPING_ROW" },
  { on: "WATCH_ON_CHANGED", identity: "id" },
  { on: "WATCH_ON_BECOMES_TRUE", condition: "rows" },
  crossing,
  { ...crossing, threshold: { above: 5, clearsAt: 5 } },
  { ...crossing, threshold: { below: 5, clearsAt: 6 } },
  { on: "WATCH_ON_STATE_CHANGES" },
])("the definition %j has no violation", (members) => {
  expect(definitionViolations(definitionOf(members))).toEqual([]);
});

test.each<readonly [Partial<WatchDefinition>, string]>([
  [{ on: "WATCH_ON_BECOMES_TRUE" }, "condition"],
  [{ ...crossing, condition: undefined } as never, "condition"],
  [{ on: "WATCH_ON_STATE_CHANGES", condition: "n" }, "condition"],
  [{ on: "WATCH_ON_BECOMES_TRUE", condition: "n", identity: "id" }, "identity"],
  [{ on: "WATCH_ON_STATE_CHANGES", identity: "id" }, "identity"],
  [{ on: "WATCH_ON_STATE_CHANGES", grouping: "WATCH_GROUPING_ROW" }, "grouping"],
  [{ on: "WATCH_ON_THRESHOLD_CROSSED", condition: "n" }, "threshold"],
  [{ on: "WATCH_ON_BECOMES_TRUE", condition: "n", threshold: { above: 1 } }, "threshold"],
  [{ ...crossing, threshold: {} }, "threshold"],
  [{ ...crossing, threshold: { above: 1, below: 2 } }, "threshold"],
  [{ ...crossing, threshold: { above: 1, clearsAt: 1.1 } }, "threshold.clearsAt"],
  [{ ...crossing, threshold: { below: 1, clearsAt: 0.9 } }, "threshold.clearsAt"],
])("the definition %j is refused for its %s", (members, field) => {
  expect(definitionViolations(definitionOf(members)).map((violation) => violation.field)).toEqual([field]);
});

test("definitions that differ only in name, quiet period, grouping and addresses ask the same question", () => {
  const other = definitionOf({
    ...crossing,
    name: "Other",
    quietSeconds: 60,
    grouping: "WATCH_GROUPING_ROW",
    emails: ["a@b.example"],
  });
  expect(asksTheSame(definitionOf(crossing), other)).toBe(true);
});

test.each<Partial<WatchDefinition>>([
  { call: "/api/trials/v1/list-others" },
  { condition: "m" },
  { identity: "id" },
  { threshold: { above: 6 } },
  { threshold: { above: 5, clearsAt: 4 } },
  { on: "WATCH_ON_BECOMES_TRUE" },
])("a definition that differs in %j asks a different question", (members) => {
  expect(asksTheSame(definitionOf(crossing), definitionOf({ ...crossing, ...members }))).toBe(false);
});
