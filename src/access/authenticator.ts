import { LRUCache } from "lru-cache";
import { type Failure, failure } from "../contract/failures.js";
import { type EnterpriseKey, findEnterpriseKey, type Scope, scopes } from "./enterprise-keys.js";
import { hashOfKey, isWellFormedKey } from "./key-format.js";

/** Who is calling. `caller` names the budget that running work counts against; it is never shown. */
export interface Principal {
  readonly kind: "owner" | "enterprise" | "anonymous";
  readonly caller: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** Reads one request header by its lower-case name. */
export type HeaderOf = (name: string) => string | undefined;

export interface Authenticator {
  /** The caller, or the 401 that the contract has for the credential that was sent. */
  authenticate(header: HeaderOf): Principal | Failure;
}

const everyScope: ReadonlySet<Scope> = new Set(scopes);
const owner: Principal = { kind: "owner", caller: "owner", scopes: everyScope };

/** Keys that were found good and need not be hashed again; forgotten when the owner's keys change. */
const REMEMBERED_MAX = 1_000;

/** Keys of operators and of the owner, from `X-Service-Key`, else `X-Api-Key`. */
export function authenticator(given: {
  readonly enterpriseKeys: readonly EnterpriseKey[];
  /** The same set until the keys change. */
  readonly ownerKeyHashes: () => ReadonlySet<string>;
}): Authenticator {
  const remembered = new LRUCache<string, Principal>({ max: REMEMBERED_MAX });
  let rememberedWith: ReadonlySet<string> | undefined;

  function find(key: string, ownerHashes: ReadonlySet<string>): Principal | undefined {
    // Before the shape check: operators choose the shape of their keys.
    const enterprise = findEnterpriseKey(given.enterpriseKeys, key);
    if (enterprise) {
      return { kind: "enterprise", caller: enterprise.digest.toString("hex"), scopes: enterprise.scopes };
    }
    return isWellFormedKey(key) && ownerHashes.has(hashOfKey(key)) ? owner : undefined;
  }

  return {
    authenticate(header) {
      const key = header("x-service-key") || header("x-api-key");
      if (!key) return failure("keyRequired", null);
      const ownerHashes = given.ownerKeyHashes();
      if (rememberedWith !== ownerHashes) remembered.clear();
      rememberedWith = ownerHashes;
      const known = remembered.get(key);
      if (known) return known;
      const found = find(key, ownerHashes);
      if (!found) return failure("keyInvalid", null);
      remembered.set(key, found);
      return found;
    },
  };
}
