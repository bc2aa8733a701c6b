import { expect, test } from "vitest";
import { keyHolder, operatorCaller } from "../../../../test/support/principals.js";
import type { Principal } from "../../../contract/access/principal.js";
import { listSessions } from "./list-sessions.js";

const unused = (): never => {
  throw new Error("list-sessions must not call this method");
};

/** Returns the account whose sessions are listed for a caller and a query. */
async function listedFor(principal: Principal, accountId?: string): Promise<unknown> {
  const sessions = {
    list: async (id: string) => [
      { id: "ses_1", keyId: id, keyName: "Test", address: null, createdAt: 1, expiresAt: 2, isCurrent: false },
    ],
    endOne: unused,
    open: unused,
    end: unused,
  };
  const answer = await listSessions.run({ accountId }, { principal, ports: { sessions } });
  return answer.sessions[0]?.keyId;
}

test("list-sessions serves the sessions of the caller's account, or of the account that the operator names", async () => {
  expect(await listedFor(keyHolder)).toBe("acc_1");
  expect(await listedFor(operatorCaller)).toBe("operator");
  expect(await listedFor(operatorCaller, "acc_1")).toBe("acc_1");
});

test("list-sessions answers 404 if a caller other than the operator names another account, whether or not that account exists", async () => {
  await expect(listedFor(keyHolder, "acc_2")).rejects.toMatchObject({ failure: "itemNotFound", status: 404 });
});
