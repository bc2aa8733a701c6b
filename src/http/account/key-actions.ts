import { Type } from "typebox";
import { INSTANT_MAX, OPERATOR_ACCOUNT } from "../../access/accounts.js";
import type { Principal } from "../../contract/access/principal.js";
import { isScope, type Scope, scopes } from "../../contract/access/scopes.js";
import { failure } from "../../contract/failures.js";
import type { ActionContext } from "../actions.js";
import { type AccountParts, accountAction } from "./parts.js";
import { ACCOUNT_ID_CHARS_MAX, KeyCard } from "./schemas.js";

/** More than there are, so that naming one twice does no harm. */
const SCOPES_MAX = 2 * scopes.length;

const ACCOUNT_WRITE = { scope: "account:write" } as const;

const AccountId = Type.Optional(
  Type.String({ maxLength: ACCOUNT_ID_CHARS_MAX, description: "Another account; for the operator alone" }),
);

/** Making and revoking keys. */
export function keyActions(parts: AccountParts) {
  const { accounts, clock, addressOf } = parts;

  const createKey = accountAction({
    path: "/api/account/v1/create-key",
    summary: "Make a key",
    description: "The key is shown only here. It can carry no scope that the caller lacks. Idempotency-Key is ignored.",
    access: ACCOUNT_WRITE,
    success: 201,
    failures: ["itemNotFound", "conflict"],
    isOwnAccount: true,
    repeats: "ignored",
    isTransaction: false,
    request: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 100, description: "Name to recognise the key by" }),
        scopes: Type.Optional(
          Type.Array(Type.Enum([...scopes]), { minItems: 1, maxItems: SCOPES_MAX, description: "Default: read" }),
        ),
        expiresAt: Type.Optional(Type.Integer({ maximum: INSTANT_MAX, description: "Epoch ms; default: never" })),
        accountId: AccountId,
      },
      { title: "CreateKeyRequest" },
    ),
    response: Type.Object(
      { key: Type.String({ description: "The key itself, shown only here" }), card: KeyCard },
      { title: "CreateKeyResponse" },
    ),
    violations: ({ expiresAt }) =>
      expiresAt !== undefined && expiresAt <= clock.now()
        ? [{ field: "expiresAt", description: "must be in the future" }]
        : [],
    async run({ name, scopes: scopeNames = ["read"], expiresAt, accountId }, context) {
      const principal = callerOf(context);
      const wanted = new Set(scopeNames.filter(isScope));
      refuseMoreThanOwn(principal, wanted);
      const account = accountFor(principal, accountId);
      const by = { actor: principal.actor, address: addressOf(context.exchange) };
      const created = await accounts.createKey(
        { accountId: account, name, scopes: wanted, expiresAt: expiresAt ?? null },
        by,
      );
      if (created === "no such account") throw failure("itemNotFound", { what: "account" });
      if (created === "reserved name")
        throw failure("conflict", { sentence: `No key but the owner's is called ${name}` });
      if (created === "too many keys") throw failure("conflict", { sentence: "Too many keys; revoke one first" });
      return { body: created };
    },
  });

  const revokeKey = accountAction({
    path: "/api/account/v1/revoke-key",
    summary: "Revoke a key",
    description: "Ends a key, its sessions and its tokens: here within a second, on every node within a minute.",
    access: ACCOUNT_WRITE,
    failures: ["itemNotFound"],
    isOwnAccount: true,
    repeats: "ignored",
    isTransaction: false,
    request: Type.Object(
      { keyId: Type.String({ maxLength: 100, description: "Id of the key, from its card" }), accountId: AccountId },
      { title: "RevokeKeyRequest" },
    ),
    response: Type.Object({ card: KeyCard }, { title: "RevokeKeyResponse" }),
    async run({ keyId, accountId }, context) {
      const principal = callerOf(context);
      const by = { actor: principal.actor, address: addressOf(context.exchange) };
      const card = await accounts.revokeKey(accountFor(principal, accountId), keyId, by);
      if (!card) throw failure("itemNotFound", { what: "key" });
      await parts.credentials.refresh();
      return { body: { card } };
    },
  });
  return [createKey, revokeKey];
}

function callerOf({ principal }: ActionContext): Principal {
  // The credential step ran before; only a bug could leave it out.
  return principal as Principal;
}

function refuseMoreThanOwn(principal: Principal, wanted: ReadonlySet<Scope>): void {
  for (const scope of wanted) {
    if (!principal.scopes.has(scope)) throw failure("scopeMissing", { scope });
  }
}

/** The account that a call is about: one's own, or for the operator any. */
export function accountFor(principal: Principal, named: string | undefined): string {
  const own = principal.accountId ?? OPERATOR_ACCOUNT;
  if (named === undefined || named === own) return own;
  if (!principal.isOperator) throw failure("itemNotFound", { what: "account" });
  return named;
}
