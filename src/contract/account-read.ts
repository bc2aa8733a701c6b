import type { Static, TSchema } from "typebox";
import type { Principal } from "./access/principal.js";
import type { FailureName } from "./failures.js";
import type { Ports, PortsOf } from "./port.js";
import type { QueryFields, QueryOf } from "./query-field.js";

/** The inputs of an account read besides its query. */
export interface AccountReadContext<U> {
  readonly principal: Principal;
  /** The ports that the read uses, opened for this caller. */
  readonly ports: PortsOf<U>;
}

/**
 * A GET that reads through ports (`port.ts`) instead of from snapshots, for example from the caller's account or from
 * the log of datasets. Its answer is never cached. Its path is `/api/<folder of its service>/v1/<rpc>`.
 */
export interface AccountRead<
  Q extends QueryFields = QueryFields,
  Res extends TSchema = TSchema,
  U extends Ports = Ports,
> {
  readonly rpc: string;
  readonly summary: string;
  readonly description: string;
  /** The permitted callers: holders of a scope, or the operator. */
  readonly access: "operator" | { readonly scope: string };
  /**
   * True if the read requires a plan in force and counts against the allowance of the plan. Other reads answer in every
   * state of the plan, and count against the limit `own-account` instead.
   */
  readonly needsPlan?: true;
  /** Failures specific to this read, besides those of every account read. */
  readonly failures?: readonly FailureName[];
  readonly uses: U;
  readonly query: Q;
  readonly response: Res;
  /** Valid queries; the tests run each of them. */
  readonly examples: readonly Readonly<Record<string, string>>[];
  run(query: QueryOf<Q>, context: AccountReadContext<U>): Promise<Static<Res>>;
}

/** An account read of unspecified types, for registries. */
export type AnyAccountRead = AccountRead;

const declared = new WeakSet<object>();

/** Declares an account read, whose query, ports and response must have matching types. */
export function accountRead<const Q extends QueryFields, Res extends TSchema, const U extends Ports>(
  definition: AccountRead<Q, Res, U>,
): AccountRead<Q, Res, U> {
  declared.add(definition);
  return definition;
}

/** Returns true for a value that `accountRead()` has returned. The registry finds account reads by this function. */
export function isAccountRead(value: unknown): value is AnyAccountRead {
  return typeof value === "object" && value !== null && declared.has(value);
}

/** An account read with the path that is derived from its file. */
export interface RegisteredAccountRead {
  readonly service: string;
  readonly path: string;
  readonly read: AnyAccountRead;
}
