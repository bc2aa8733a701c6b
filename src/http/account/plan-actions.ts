import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { Type } from "typebox";
import { planKeys, planStates } from "../../contract/access/plans.js";
import type { Principal } from "../../contract/access/principal.js";
import { failure } from "../../contract/failures.js";
import { MINUTE_MS, SECOND_MS } from "../../kit/clock.js";
import { type AccountParts, accountAction } from "./parts.js";
import { ACCOUNT_ID_CHARS_MAX, Account } from "./schemas.js";

const PlanChange = {
  accountId: Type.String({ maxLength: ACCOUNT_ID_CHARS_MAX, description: "Account whose plan changes" }),
  plan: Type.Enum([...planKeys], { description: "The plan" }),
  state: Type.Enum([...planStates], { description: "State of the plan" }),
};

const AccountAnswer = Type.Object({ account: Account }, { title: "AccountResponse" });

/** Accounts and their plans, by the operator or by a signed event. */
export function planActions(parts: AccountParts) {
  const { accounts, addressOf } = parts;
  const byOperator = { access: "operator", repeats: "ignored", isTransaction: false } as const;

  const createAccount = accountAction({
    ...byOperator,
    path: "/api/account/v1/create-account",
    success: 201,
    failures: ["conflict"],
    summary: "Make an account (operator)",
    description: "An account without keys; its plan is active from now on. An id that is taken is a 409.",
    request: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 200, description: "Name for people" }),
        plan: Type.Enum([...planKeys], { description: "Plan of the new account" }),
        id: Type.Optional(
          Type.String({
            pattern: "^[A-Za-z0-9._@-]{1,128}$",
            maxLength: 128,
            description: "Id of the new account; default: a random one",
          }),
        ),
      },
      { title: "CreateAccountRequest" },
    ),
    response: AccountAnswer,
    async run({ name, plan, id }, { principal, exchange }) {
      const by = { actor: (principal as Principal).actor, address: addressOf(exchange) };
      const account = await accounts.create({ name, plan, ...(id !== undefined && { id }) }, by);
      if (!account) throw failure("conflict", { sentence: `There is an account ${id} already` });
      return { body: { account } };
    },
  });

  const setPlan = accountAction({
    ...byOperator,
    path: "/api/account/v1/set-plan",
    failures: ["itemNotFound"],
    summary: "Change the plan of an account (operator)",
    description: "Takes effect within a second here, within a minute on every node.",
    request: Type.Object(PlanChange, { title: "SetPlanRequest" }),
    response: AccountAnswer,
    async run({ accountId, plan, state }, { principal, exchange }) {
      const by = { actor: (principal as Principal).actor, address: addressOf(exchange) };
      return { body: { account: await changed(accountId, plan, state, by) } };
    },
  });

  const planEvents = accountAction({
    path: "/api/account/v1/plan-events",
    failures: ["signatureInvalid", "itemNotFound", "conflict", "idempotencyConflict"],
    summary: "A plan changed, told by a billing system",
    description:
      "Signed with the secret of VIGIL_PLAN_EVENTS_SECRET: `X-Vigil-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of `<t>.<body>`>`, at most five minutes old. An event is applied once.",
    access: "open",
    ownLimit: "plan-events",
    repeats: "ignored",
    isTransaction: false,
    request: Type.Object(
      {
        eventId: Type.String({
          minLength: 1,
          maxLength: 200,
          description: "Id of the event; an event is applied once",
        }),
        ...PlanChange,
      },
      { title: "PlanEvent" },
    ),
    response: AccountAnswer,
    async run({ eventId, accountId, plan, state }, { exchange, bytes }) {
      if (!isSigned(parts, exchange.call.header("x-vigil-signature"), bytes)) throw failure("signatureInvalid", null);
      const bodyHash = createHash("sha256").update(bytes).digest("hex");
      const claim = createHash("sha256").update(`plan event ${eventId}`).digest("hex");
      const taken = await parts.idempotency.take(claim, bodyHash, "plan events");
      if (taken.kind === "done") return { text: taken.answer.body };
      if (taken.kind === "other-body") throw failure("conflict", { sentence: `Event ${eventId} was another before` });
      if (taken.kind !== "taken") throw failure("idempotencyConflict", null);
      try {
        const account = await changed(accountId, plan, state, { actor: "plan events", address: addressOf(exchange) });
        const body = JSON.stringify({ account });
        await parts.idempotency.finish(parts.database.db, taken.token, {
          status: 200,
          contentType: "application/json",
          body,
        });
        return { text: body };
      } catch (error) {
        await parts.idempotency.release(parts.database.db, taken.token);
        throw error;
      }
    },
  });

  async function changed(...change: Parameters<typeof accounts.setPlan>) {
    const account = await accounts.setPlan(...change);
    if (!account) throw failure("itemNotFound", { what: "account" });
    await parts.credentials.refresh();
    return account;
  }
  return parts.planEventsSecret === undefined ? [createAccount, setPlan] : [createAccount, setPlan, planEvents];
}

const SIGNATURE = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;
const SIGNATURE_AGE_MS_MAX = 5 * MINUTE_MS;

function isSigned({ planEventsSecret, clock }: AccountParts, header: string | undefined, bytes: Buffer): boolean {
  const [, seconds, signature] = SIGNATURE.exec(header ?? "") ?? [];
  if (planEventsSecret === undefined || seconds === undefined || signature === undefined) return false;
  if (Math.abs(clock.now() - Number(seconds) * SECOND_MS) > SIGNATURE_AGE_MS_MAX) return false;
  const right = createHmac("sha256", planEventsSecret).update(`${seconds}.`).update(bytes).digest();
  return timingSafeEqual(Buffer.from(signature, "hex"), right);
}
