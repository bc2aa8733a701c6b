import { expect, test } from "vitest";
import { keyHolder, operatorCaller } from "../../../../test/support/principals.js";
import type { Principal } from "../../../contract/access/principal.js";
import { listKeys } from "./list-keys.js";

const unused = (): never => {
  throw new Error("list-keys must not call this method");
};

/** Returns the account whose keys are listed for a caller and a query. */
async function listedFor(principal: Principal, accountId?: string): Promise<unknown> {
  const keys = {
    list: async (id: string) => [
      {
        id: "key_1",
        accountId: id,
        name: "Test",
        hint: "vgl_1234",
        scopes: ["read"] as const,
        createdAt: 1,
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null,
      },
    ],
    create: unused,
    revoke: unused,
  };
  const answer = await listKeys.run({ accountId }, { principal, ports: { keys } });
  return answer.keys[0]?.accountId;
}

test("list-keys serves callers their own account's keys, and serves the operator any account's keys", async () => {
  expect(await listedFor(keyHolder)).toBe("acc_1");
  expect(await listedFor(operatorCaller)).toBe("operator");
  expect(await listedFor(operatorCaller, "acc_1")).toBe("acc_1");
});

test("list-keys answers 404 if a caller other than the operator names another account, whether or not that account exists", async () => {
  await expect(listedFor(keyHolder, "acc_2")).rejects.toMatchObject({ failure: "itemNotFound", status: 404 });
});
