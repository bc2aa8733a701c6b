import { expect, test } from "vitest";
import { operatorCaller } from "../../../../test/support/principals.js";
import type { AuditQuery } from "../../../contract/access/accounts.js";
import { listAuditEvents } from "./list-audit-events.js";

const created = { id: 2, at: 9, action: "account.created", actor: "operator", detail: { plan: "pro" } };
const signedOut = { id: 1, at: 8, action: "session.ended", actor: "key_1" };

test("list-audit-events passes its filters to the log and serves the events in the order of the log", async () => {
  const queries: AuditQuery[] = [];
  const audit = {
    async events(query: AuditQuery) {
      queries.push(query);
      return [created, signedOut];
    },
  };
  const context = { principal: operatorCaller, ports: { audit } };
  const filters = { action: "account.created", accountId: "acc_1", before: 3, limit: 10 };
  expect(await listAuditEvents.run(filters, context)).toEqual({ events: [created, signedOut] });
  await listAuditEvents.run({ action: undefined, accountId: undefined, before: undefined, limit: 50 }, context);
  expect(queries).toEqual([filters, { limit: 50 }]);
});
