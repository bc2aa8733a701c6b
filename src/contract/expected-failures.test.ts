import { expect, test } from "vitest";
import type { AnyAccountRead } from "./account-read.js";
import {
  accountReadFailures,
  linkedFeedFailures,
  operationFailures,
  platformFailures,
  streamFailures,
  writeFailures,
} from "./expected-failures.js";
import { failure } from "./failures.js";
import type { AnyOperation } from "./operation.js";
import type { AnyWrite } from "./write.js";

const everywhere = ["originRefused", "methodNotAllowed", "internal"];
const withCredential = [
  "keyRequired",
  "keyInvalid",
  "sessionInvalid",
  "bearerInvalid",
  "scopeMissing",
  "planWithoutKeys",
  "subscriptionLapsed",
  "renewalPending",
  "entitlementUnavailable",
];
const limited = ["accountLimit", "tooManyRequests", "limiterUnavailable"];
const called = [...everywhere, ...withCredential, ...limited, "overloaded"];

// Each declaration has only the members that decide how its calls can fail.
const operationWith = (members: object): AnyOperation =>
  ({ rpc: "list-things", reads: {}, query: {}, fetches: { positions: {} }, ...members }) as object as AnyOperation;
const readWith = (members: object): AnyAccountRead =>
  ({ rpc: "get-thing", access: "any", ...members }) as object as AnyAccountRead;
const writeWith = (members: object): AnyWrite =>
  ({ rpc: "make-thing", access: { scope: "read" }, repeats: "ignored", ...members }) as object as AnyWrite;

/** Sorts failures, so that a comparison ignores their order but not duplicates. */
const sorted = (names: readonly string[]): readonly string[] => names.toSorted();

test("an on-demand operation without a tier or a quota can fail only in the ways that all operations share", () => {
  const failures = operationFailures(operationWith({}));
  expect(sorted(failures)).toEqual(sorted([...called, "notFound", "validation", "projection"]));
});

test("an operation without on-demand reads can also fail if the requested instant is before the kept history", () => {
  const failures = operationFailures(operationWith({ fetches: {} }));
  expect(sorted(failures)).toEqual(sorted([...called, "notFound", "validation", "projection", "historyGone"]));
});

test("a list of rows from stored data can also fail because a requested generation is gone or not loaded", () => {
  const failures = operationFailures(operationWith({ reads: { things: {} }, fetches: {}, list: { rows: "things" } }));
  expect(failures).toEqual(expect.arrayContaining(["historyGone", "generationGone", "generationNotLoaded"]));
});

test("an operation with a tier can also fail for callers below that tier", () => {
  const more = operationFailures(operationWith({ tier: 1 })).slice(-2);
  expect(more).toEqual(["proRequired", "tierTooLow"]);
});

test("an operation with a daily quota can also fail because the quota is used up or cannot be checked", () => {
  const more = operationFailures(operationWith({ dailyQuota: {} })).slice(-2);
  expect(more).toEqual(["quotaUsedUp", "quotaUnavailable"]);
});

test("an account read can fail like any call, and in the ways that it declares", () => {
  expect(sorted(accountReadFailures(readWith({ failures: ["itemNotFound"] })))).toEqual(
    sorted([...called, "validation", "projection", "itemNotFound"]),
  );
  expect(sorted(accountReadFailures(readWith({})))).toEqual(sorted([...called, "validation", "projection"]));
});

test("only operator-only account reads and writes can fail because the caller is not the operator", () => {
  expect(accountReadFailures(readWith({ access: "operator" }))).toContain("operatorOnly");
  expect(accountReadFailures(readWith({}))).not.toContain("operatorOnly");
  expect(writeFailures(writeWith({ access: "operator" }))).toContain("operatorOnly");
  expect(writeFailures(writeWith({}))).not.toContain("operatorOnly");
});

test("a stream can also be refused because too many streams are open or its position is outside its log", () => {
  expect(sorted(streamFailures())).toEqual(sorted([...called, "tooManyStreams", "validation", "positionGone"]));
});

test("a linked feed never fails because of a credential", () => {
  expect(sorted(linkedFeedFailures())).toEqual(
    sorted([...everywhere, ...limited, "overloaded", "validation", "notFound"]),
  );
});

test("a write can fail because of its body and in the ways that it declares", () => {
  expect(sorted(writeFailures(writeWith({ failures: ["conflict"] })))).toEqual(
    sorted([...called, "validation", "bodyInvalid", "payloadTooLarge", "conflict"]),
  );
});

test("a write with a failure of its own for an invalid body fails with that one instead of the general ones", () => {
  const inputFailure = () => failure("tokenRequestInvalid", { violations: [] });
  expect(sorted(writeFailures(writeWith({ inputFailure, failures: ["tokenRequestInvalid"] })))).toEqual(
    sorted([...called, "payloadTooLarge", "tokenRequestInvalid"]),
  );
});

test("a write whose answers are replayed can also fail because of the Idempotency-Key", () => {
  expect(sorted(writeFailures(writeWith({ repeats: "replayed" })))).toEqual(
    sorted([
      ...called,
      "validation",
      "bodyInvalid",
      "payloadTooLarge",
      "idempotencyKeyInvalid",
      "idempotencyConflict",
      "idempotencyKeyReused",
    ]),
  );
});

test("an open write never fails because of a credential, but can fail because access cannot be verified", () => {
  expect(sorted(writeFailures(writeWith({ access: "open" })))).toEqual(
    sorted([
      ...everywhere,
      ...limited,
      "overloaded",
      "entitlementUnavailable",
      "validation",
      "bodyInvalid",
      "payloadTooLarge",
    ]),
  );
});

test("calls of platform paths are never shed, open paths have no limits, and other paths need a credential", () => {
  expect(platformFailures({ isOpen: true })).toEqual(everywhere);
  expect(sorted(platformFailures({ isOpen: false, failures: ["notReady"] }))).toEqual(
    sorted([...everywhere, ...withCredential, ...limited, "notReady"]),
  );
});
