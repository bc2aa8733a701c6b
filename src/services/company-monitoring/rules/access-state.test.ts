import { expect, test } from "vitest";
import { accessStateOf } from "./access-state.js";

const key = { isOperator: false, kind: "key", plan: "business", planState: "active" } as const;

test.each([
  ["an active plan", key, true, "ENTITLED"],
  ["a key on a plan with a pending renewal", { ...key, planState: "renewal-pending" }, true, "DENIED"],
  [
    "a session on a plan with a pending renewal",
    { ...key, kind: "session", planState: "renewal-pending" },
    true,
    "ENTITLED",
  ],
  ["a lapsed plan", { ...key, planState: "lapsed" }, true, "ENTITLEMENT_LAPSED"],
  ["a key on a plan without keys", { ...key, plan: "pro" }, true, "DENIED"],
  ["a session on a plan without keys", { ...key, kind: "session", plan: "pro" }, true, "ENTITLED"],
  ["the operator without a plan", { ...key, isOperator: true, plan: "free", planState: "lapsed" }, true, "ENTITLED"],
  ["an operator-issued key", { ...key, kind: "enterprise", plan: "free" }, true, "ENTITLED"],
  ["an active plan, if company monitoring is off,", key, false, "DISABLED"],
] as const)("%s has the access state $3", (_name, principal, isEnabled, state) => {
  expect(accessStateOf(principal, isEnabled)).toBe(`COMPANY_MONITORING_ACCESS_STATE_${state}`);
});
