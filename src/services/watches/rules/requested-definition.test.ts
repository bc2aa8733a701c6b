import { expect, test } from "vitest";
import { definitionMembers, type WatchRequest } from "../records.js";
import { requestedDefinition } from "./requested-definition.js";

const shortest: WatchRequest = {
  name: "Large earthquakes",
  call: "/api/seismology/v1/list-earthquakes",
  on: "WATCH_ON_NEW_ROWS",
};

const longest: WatchRequest = {
  ...shortest,
  on: "WATCH_ON_THRESHOLD_CROSSED",
  condition: "length(earthquakes)",
  identity: "id",
  threshold: { above: 10, clearsAt: 5 },
  quietSeconds: 60,
  grouping: "WATCH_GROUPING_ROW",
  emails: ["desk@example.com"],
};

test("members that a request omits get their defaults", () => {
  expect(requestedDefinition(shortest)).toEqual({
    ...shortest,
    quietSeconds: 0,
    grouping: "WATCH_GROUPING_EVALUATION",
    emails: [],
  });
});

test("a request can set every member of a definition", () => {
  expect(requestedDefinition(longest)).toEqual(longest);
  expect(Object.keys(longest).sort()).toEqual(Object.keys(definitionMembers).sort());
  expect(requestedDefinition({ ...longest, threshold: { below: 3 } }).threshold).toEqual({ below: 3 });
});

test("a request cannot set a member that is not part of a definition", () => {
  const smuggled = {
    ...longest,
    watchId: "other",
    state: "WATCH_STATE_ACTIVE",
    firingCount: 7,
    accountId: "operator",
    threshold: { above: 10, clearsAt: 5, secret: "x" },
  };
  expect(requestedDefinition(smuggled)).toEqual(longest);
});

test("equal addresses are listed once, in their normal form", () => {
  const emails = ["desk@example.com", "desk@EXAMPLE.com", "no address"];
  expect(requestedDefinition({ ...shortest, emails }).emails).toEqual(["desk@example.com", "no address"]);
});
