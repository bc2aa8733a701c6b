import { Type } from "typebox";
import { expect, test } from "vitest";
import type { ChangeLog } from "../../../contract/change-log.js";
import { filterViolations, isAdmitted } from "./filters.js";

const log = (facets: ChangeLog["facets"]): ChangeLog => ({
  event: "thing.changed",
  description: "A thing changed.",
  scope: "read",
  isPerAccount: true,
  entry: Type.Object({}),
  subject: "thingId",
  facets,
});
const things = log({ thingId: undefined, colour: ["red", "green"] });
const places = log({ place: ["here"] });

test.each([
  [{}, true],
  [{ colour: ["red", "green"] }, true],
  [{ colour: ["green"] }, false],
  [{ thingId: ["t1"], colour: ["red"] }, true],
  [{ thingId: ["t2"], colour: ["red"] }, false],
  [{ place: ["here"] }, true],
])("the filters %j admit a red thing: %s", (filters, isExpected) => {
  expect(isAdmitted({ facets: { thingId: "t1", colour: "red" } }, filters)).toBe(isExpected);
});

test.each([
  [{}, [things], []],
  [{ thingId: ["anything"], colour: ["red"] }, [things], []],
  [{ colour: ["red"], place: ["here"] }, [things, places], []],
  [{ colour: ["blue"] }, [things], ["filters.colour: each must be one of red, green"]],
  [{ place: ["here"] }, [things], ["filters.place: must be a facet of the events: thingId, colour"]],
  [{ place: ["here"] }, [log({})], ["filters.place: must be absent, because the events have no facets"]],
  [{ toString: ["x"] }, [places], ["filters.toString: must be a facet of the events: place"]],
])("filterViolations lists the unknown facets and values of the filters %j", (filters, logs, sentences) => {
  const violations = filterViolations(filters as Record<string, string[]>, logs);
  expect(violations.map(({ field, description }) => `${field}: ${description}`)).toEqual(sentences);
});
