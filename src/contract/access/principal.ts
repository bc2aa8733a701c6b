import type { PlanKey, PlanState } from "./plans.js";
import type { Scope } from "./scopes.js";

/** The caller, the kind of its credential, and what the credential opens. */
export interface Principal {
  /** `enterprise`: an operator-issued key; `anonymous`: nobody in particular, where reads are public. */
  readonly kind: "key" | "enterprise" | "session" | "bearer" | "anonymous";
  /** The actor in the audit log: the id of a key, or of the account of a token; never a secret. */
  readonly actor: string;
  /** Undefined only for anonymous callers. */
  readonly accountId: string | undefined;
  readonly scopes: ReadonlySet<Scope>;
  readonly plan: PlanKey;
  readonly planState: PlanState;
  /** May do what the operator does on the command line. */
  readonly isOperator: boolean;
}

/** Whose running work and allowances a caller's count against; never shown. */
export function budgetOf({ accountId }: Principal): string {
  return accountId ?? "anonymous";
}

/** The account that is always there: the owner's key and the operator-issued keys belong to it. */
export const OPERATOR_ACCOUNT = "operator";
