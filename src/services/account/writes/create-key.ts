import { Type } from "typebox";
import { KeyName } from "../../../contract/access/account-texts.js";
import { keyRing } from "../../../contract/access/accounts.js";
import type { Principal } from "../../../contract/access/principal.js";
import { isScope, type Scope, scopes } from "../../../contract/access/scopes.js";
import { failure } from "../../../contract/failures.js";
import { write } from "../../../contract/write.js";
import { KeyCard, OtherAccountId } from "../records.js";
import { accountFor } from "../rules/account-for.js";

/** Maximum number of scopes in a request: twice the number that exist, so that duplicates are accepted. */
const SCOPES_MAX = 2 * scopes.length;

/** The last instant that a JavaScript date can represent, epoch ms. */
const INSTANT_MAX = 8_640_000_000_000_000;

export const createKey = write({
  rpc: "create-key",
  summary: "Create a key",
  description:
    "The key is shown only in this answer. Its scopes are limited to those of the caller. Idempotency-Key is ignored.",
  access: { scope: "account:write" },
  success: 201,
  failures: ["itemNotFound", "conflict"],
  isOwnAccount: true,
  repeats: "ignored",
  isTransaction: false,
  uses: { keys: keyRing },
  request: Type.Object(
    {
      name: KeyName,
      scopes: Type.Optional(
        Type.Array(Type.Enum([...scopes]), { minItems: 1, maxItems: SCOPES_MAX, description: "Default: read" }),
      ),
      expiresAt: Type.Optional(Type.Integer({ maximum: INSTANT_MAX, description: "Epoch ms; default: never" })),
      accountId: OtherAccountId,
    },
    { title: "CreateKeyRequest" },
  ),
  example: { name: "nightly job", scopes: ["read"] },
  response: Type.Object(
    { key: Type.String({ description: "The key itself, shown only here" }), card: KeyCard },
    { title: "CreateKeyResponse" },
  ),
  violations: ({ expiresAt }, now) =>
    expiresAt !== undefined && expiresAt <= now ? [{ field: "expiresAt", description: "must be in the future" }] : [],
  async run({ name, scopes: scopeNames = ["read"], expiresAt = null, accountId }, { principal, ports }) {
    const keyScopes = new Set(scopeNames.filter(isScope));
    refuseMoreThanOwn(principal, keyScopes);
    const created = await ports.keys.create({
      accountId: accountFor(principal, accountId),
      name,
      scopes: keyScopes,
      expiresAt,
    });
    if (created === "no such account") throw failure("itemNotFound", { what: "account" });
    if (created === "reserved name")
      throw failure("conflict", { sentence: `The name ${name} is reserved for the owner's key` });
    if (created === "too many keys") throw failure("conflict", { sentence: "Too many keys; revoke one first" });
    return { body: created };
  },
});

function refuseMoreThanOwn(principal: Principal, keyScopes: ReadonlySet<Scope>): void {
  for (const scope of keyScopes) {
    if (!principal.scopes.has(scope)) throw failure("scopeMissing", { scope });
  }
}
