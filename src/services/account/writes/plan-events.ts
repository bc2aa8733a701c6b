import { Type } from "typebox";
import { planEventLedger } from "../../../contract/access/accounts.js";
import { failure } from "../../../contract/failures.js";
import { write } from "../../../contract/write.js";
import { AccountResponse, planChange } from "../records.js";
import { planEventsSecret } from "../service.js";

export const planEvents = write({
  rpc: "plan-events",
  summary: "Apply a plan change from a billing system",
  description:
    "The request must be signed with the secret in VIGIL_PLAN_EVENTS_SECRET: `X-Vigil-Signature: t=<unix seconds>,v1=<hex>`, where `<hex>` is the HMAC-SHA256 of `<t>.<body>`, in hexadecimal, and `t` is within five minutes of now. An event is applied once.",
  access: { signedWith: planEventsSecret, actor: "plan events" },
  failures: ["signatureInvalid", "itemNotFound", "conflict"],
  limit: { name: "plan-events", callsMax: 600 },
  repeats: "ignored",
  isTransaction: false,
  uses: { events: planEventLedger },
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
  async run(event, { ports: { events } }) {
    const outcome = await events.apply(event);
    if (outcome === undefined) throw failure("itemNotFound", { what: "account" });
    if (outcome === "other body")
      throw failure("conflict", { sentence: `Event ${event.eventId} was sent before with another body` });
    return { body: { account: outcome } };
  },
});
