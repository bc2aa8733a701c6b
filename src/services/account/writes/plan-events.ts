import { Type } from "typebox";
import { accountBook, planEventLedger } from "../../../contract/access/accounts.js";
import { failure } from "../../../contract/failures.js";
import { write } from "../../../contract/write.js";
import { AccountResponse, planChange } from "../records.js";
import { changedPlan } from "../rules/changed-plan.js";
import { planEventsSecret } from "../service.js";

export const planEvents = write({
  rpc: "plan-events",
  summary: "Apply a plan change from a billing system",
  description:
    "The request must be signed with the secret in VIGIL_PLAN_EVENTS_SECRET: `X-Vigil-Signature: t=<unix seconds>,v1=<hex>`, where `<hex>` is the HMAC-SHA256 of `<t>.<body>`, in hexadecimal, and `t` is within five minutes of now. An event is applied once.",
  access: { signedWith: planEventsSecret, actor: "plan events" },
  failures: ["signatureInvalid", "itemNotFound", "conflict", "idempotencyConflict"],
  limit: { name: "plan-events", callsMax: 600 },
  repeats: "ignored",
  isTransaction: false,
  uses: { accounts: accountBook, events: planEventLedger },
  request: Type.Object(
    {
      eventId: Type.String({
        minLength: 1,
        maxLength: 200,
        description: "Id of the event; an event is applied once",
      }),
      ...planChange,
    },
    { title: "PlanEvent" },
  ),
  example: { eventId: "evt_1", accountId: "acc_desk", plan: "pro", state: "active" },
  response: AccountResponse,
  async run({ eventId, ...change }, { ports: { accounts, events } }) {
    const outcome = await events.once(eventId, async () =>
      JSON.stringify({ account: await changedPlan(accounts, change) }),
    );
    if (outcome === "other body")
      throw failure("conflict", { sentence: `Event ${eventId} was sent before with another body` });
    if (outcome === "running") throw failure("idempotencyConflict", null);
    return outcome;
  },
});
