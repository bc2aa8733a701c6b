import { expect, test } from "vitest";
import { operatorCaller } from "../../../../test/support/principals.js";
import type { AccountBook } from "../../../contract/access/accounts.js";
import { listAccounts } from "./list-accounts.js";

test("list-accounts requests the page that the query selects and serves the accounts of that page", async () => {
  const pages: unknown[] = [];
  const stored = { id: "acc_2", name: "Acme", plan: "pro", planState: "active", createdAt: 1 } as const;
  const unused = (): never => {
    throw new Error("list-accounts must not call this method");
  };
  const accounts: AccountBook = {
    async list(page) {
      pages.push(page);
      return [stored];
    },
    find: unused,
    create: unused,
    setPlan: unused,
  };
  const context = { principal: operatorCaller, ports: { accounts } };
  expect(await listAccounts.run({ after: "acc_1", limit: 10 }, context)).toEqual({ accounts: [stored] });
  await listAccounts.run({ after: undefined, limit: 50 }, context);
  expect(pages).toEqual([{ after: "acc_1", limit: 10 }, { limit: 50 }]);
});
