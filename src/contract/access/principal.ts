import type { PlanKey, PlanState } from "./plans.js";
import type { Scope } from "./scopes.js";

/** The caller, the kind of its credential, and the rights that the credential grants. */
export interface Principal {
  /** `enterprise`: an operator-issued key; `anonymous`: no credential, on an instance with public reads. */
  readonly kind: "key" | "enterprise" | "session" | "bearer" | "anonymous";
  /**
   * The actor in the audit log; never a secret. It is the id of a key, also for a session or a token of that key;
   * `openid <account>` for a token of the OpenID provider; or `anonymous`.
   */
  readonly actor: string;
  /** Undefined for anonymous callers only. */
  readonly accountId: string | undefined;
  readonly scopes: ReadonlySet<Scope>;
  readonly plan: PlanKey;
  readonly planState: PlanState;
  /** True if the caller has the same rights as an operator who uses the command line. */
  readonly isOperator: boolean;
}

/**
 * Returns the id of the caller's account, or `anonymous`. The allowances and the concurrent work of an account are
 * counted under its id, and so are the sizes of the answers that are stored for repeated writes. There are two
 * exceptions: the allowances and the work of the operator's account are counted by key (`subjectOf` in
 * `http/call-limits.ts`), and so are the calls of an enterprise account. The calls of anonymous callers are counted by
 * address.
 */
export function budgetOf({ accountId }: Principal): string {
  return accountId ?? "anonymous";
}

/** The account that always exists. The owner's key and the operator-issued keys belong to it. */
export const OPERATOR_ACCOUNT = "operator";
