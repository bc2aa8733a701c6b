import { createHash, timingSafeEqual } from "node:crypto";
import type { Principal } from "../contract/access/principal.js";
import { OPERATOR_ACCOUNT } from "../contract/access/principal.js";
import { isScope, type Scope, scopes } from "../contract/access/scopes.js";

export interface EnterpriseKey {
  readonly digest: Buffer;
  readonly scopes: ReadonlySet<Scope>;
}

const KEY_LENGTH_MIN = 24;

/** Parses `VIGIL_ENTERPRISE_KEYS`. Throws an error that states the position of a bad entry, but never the key. */
export function parseEnterpriseKeys(entries: readonly string[]): readonly EnterpriseKey[] {
  return entries.map((entry, index) => {
    // A key may itself end in "=", so the text after the last "=" is a list of scopes only if every name in it is a
    // known scope.
    const at = entry.lastIndexOf("=");
    const named = at > 0 ? entry.slice(at + 1).split("+") : [];
    const limited = named.length > 0 && named.every(isScope);
    const key = limited ? entry.slice(0, at) : entry;
    if (key.length < KEY_LENGTH_MIN) {
      throw new Error(`VIGIL_ENTERPRISE_KEYS: key ${index + 1} must have at least ${KEY_LENGTH_MIN} characters`);
    }
    if (!limited && named.some((name) => name.includes(":") || isScope(name))) {
      throw new Error(
        `VIGIL_ENTERPRISE_KEYS: key ${index + 1} names an unknown scope; the known scopes are ${scopes.join(", ")}`,
      );
    }
    return { digest: digestOf(key), scopes: new Set(limited ? named.filter(isScope) : scopes) };
  });
}

/** Finds a presented key, in the same time for known and unknown keys. */
export function findEnterpriseKey(keys: readonly EnterpriseKey[], presented: string): EnterpriseKey | undefined {
  const digest = digestOf(presented);
  let presentedKey: EnterpriseKey | undefined;
  for (const key of keys) {
    if (timingSafeEqual(key.digest, digest)) presentedKey = key;
  }
  return presentedKey;
}

function digestOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** Returns the principal of a caller with this operator-issued key. */
export function enterprisePrincipal({ digest, scopes: carried }: EnterpriseKey): Principal {
  return {
    kind: "enterprise",
    actor: `enterprise_${digest.toString("hex").slice(0, 24)}`,
    accountId: OPERATOR_ACCOUNT,
    scopes: carried,
    plan: "enterprise",
    planState: "active",
    isOperator: carried.has("account:write"),
  };
}
