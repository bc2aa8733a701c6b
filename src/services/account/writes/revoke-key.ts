import { Type } from "typebox";
import { keyRing } from "../../../contract/access/accounts.js";
import { failure } from "../../../contract/failures.js";
import { write } from "../../../contract/write.js";
import { KeyCard, OtherAccountId } from "../records.js";
import { accountFor } from "../rules/account-for.js";

export const revokeKey = write({
  rpc: "revoke-key",
  summary: "Revoke a key",
  description:
    "Revokes a key with its sessions and tokens: within a second on this node, within a minute on all nodes.",
  access: { scope: "account:write" },
  failures: ["itemNotFound"],
  isOwnAccount: true,
  repeats: "ignored",
  isTransaction: false,
  uses: { keys: keyRing },
  request: Type.Object(
    {
      keyId: Type.String({ maxLength: 100, description: "Id of the key, from its card" }),
      accountId: OtherAccountId,
    },
    { title: "RevokeKeyRequest" },
  ),
  example: { keyId: "key_1" },
  response: Type.Object({ card: KeyCard }, { title: "RevokeKeyResponse" }),
  async run({ keyId, accountId }, { principal, ports }) {
    const card = await ports.keys.revoke(accountFor(principal, accountId), keyId);
    if (!card) throw failure("itemNotFound", { what: "key" });
    return { body: { card } };
  },
});
