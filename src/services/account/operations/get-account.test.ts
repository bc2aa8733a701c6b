import { expect, test } from "vitest";
import { keyHolder } from "../../../../test/support/principals.js";
import type { AccountBook } from "../../../contract/access/accounts.js";
import { getAccount } from "./get-account.js";

const stored = { id: "acc_1", name: "Acme", plan: "starter", planState: "active", createdAt: 1 } as const;

function bookOf(find: AccountBook["find"]): AccountBook {
  const unused = (): never => {
    throw new Error("get-account must not call this method");
  };
  return { find, list: unused, create: unused, setPlan: unused };
}

const answerFor = (accountId: string | undefined) =>
  getAccount.run(
    {},
    {
      principal: { ...keyHolder, accountId },
      ports: { accounts: bookOf(async (id) => (id === stored.id ? stored : undefined)) },
    },
  );

test("get-account serves the caller's account and the rights of the caller's credential", async () => {
  expect(await answerFor("acc_1")).toEqual({
    account: stored,
    credential: "key",
    scopes: ["read"],
    plan: "starter",
    planState: "active",
    tier: 2,
  });
});

test("get-account leaves `account` out for a caller without a stored account", async () => {
  for (const accountId of [undefined, "acc_2"]) expect(await answerFor(accountId)).not.toHaveProperty("account");
});
