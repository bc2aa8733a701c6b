import { Type } from "typebox";
import { auditTrail } from "../../../contract/access/accounts.js";
import { accountRead } from "../../../contract/account-read.js";
import { firstText, firstWhole, listLimit } from "../rules/fields.js";

const AuditEvent = Type.Object({
  id: Type.Integer({ description: "Position in the log" }),
  at: Type.Integer({ description: "Epoch ms" }),
  action: Type.String({ description: "Kind of the event" }),
  actor: Type.String({ description: "Id of the key with which the call was made, or name of the caller" }),
  accountId: Type.Optional(Type.String({ description: "Account that the event concerns" })),
  subject: Type.Optional(Type.String({ description: "Id of the key, session or token that the event concerns" })),
  address: Type.Optional(Type.String({ description: "Address of the caller" })),
  detail: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "Details of the event" })),
});

export const listAuditEvents = accountRead({
  rpc: "list-audit-events",
  summary: "Changes to accounts and keys, sign-ins and refused writes (operator)",
  description: "The audit log, newest first.",
  access: "operator",
  failures: ["validation"],
  uses: { audit: auditTrail },
  query: {
    action: firstText("Only events of this kind"),
    accountId: firstText("Only events of this account"),
    before: firstWhole("Only events before this position"),
    limit: listLimit(),
  },
  response: Type.Object(
    { events: Type.Array(AuditEvent, { description: "Events, newest first" }) },
    { title: "ListAuditEventsResponse" },
  ),
  examples: [{}, { action: "account.created", limit: "10" }],
  async run({ action, accountId, before, limit }, { ports }) {
    const events = await ports.audit.events({
      limit,
      ...(action !== undefined && { action }),
      ...(accountId !== undefined && { accountId }),
      ...(before !== undefined && { before }),
    });
    return { events: events.map(({ detail, ...event }) => ({ ...event, ...(detail && { detail: { ...detail } }) })) };
  },
});
