import { expect, test } from "vitest";
import type { Principal } from "../../../contract/access/principal.js";
import { everyScope } from "../../../contract/access/scopes.js";
import { accountFor } from "./account-for.js";

const holder: Principal = {
  kind: "key",
  actor: "key_1",
  accountId: "acc_1",
  scopes: new Set(["read"]),
  plan: "starter",
  planState: "active",
  isOperator: false,
};
const operator: Principal = { ...holder, accountId: "operator", scopes: everyScope, isOperator: true };

test("a call without an account id concerns the caller's own account", () => {
  expect([accountFor(holder, undefined), accountFor(holder, "acc_1")]).toEqual(["acc_1", "acc_1"]);
});

test("a call that names another account is answered with 404, unless the caller is the operator", () => {
  expect(() => accountFor(holder, "acc_2")).toThrow(expect.objectContaining({ failure: "itemNotFound" }));
  expect(accountFor(operator, "acc_2")).toBe("acc_2");
});
