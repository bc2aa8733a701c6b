import type { Static, TSchema } from "typebox";
import type { Principal } from "./access/principal.js";
import type { FailureName } from "./failures.js";
import type { Ports, PortsOf } from "./port.js";
import type { QueryFields, QueryOf } from "./query-field.js";

/** The inputs of an account read beside its query. */
export interface AccountReadContext<U> {
  readonly principal: Principal;
  /** The ports that the read uses, opened for this caller. */
  readonly ports: PortsOf<U>;
}

/**
 * One GET about an account: it reads the ports of its caller instead of snapshots, so no cache keeps its answer and nothing
 * is projected. It answers whatever has become of the caller's plan, and costs nothing of the plan's allowance. Its path is
 * `/api/<folder of its service>/v1/<rpc>`.
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
  /** Failures of its own, beside those that every account read can meet. */
  readonly failures?: readonly FailureName[];
  readonly uses: U;
  readonly query: Q;
  readonly response: Res;
  /** Query texts that work: run by the tests. */
  readonly examples: readonly Readonly<Record<string, string>>[];
  run(query: QueryOf<Q>, context: AccountReadContext<U>): Promise<Static<Res>>;
}

/** An account read as registries hold it: its query, ports and response are known only to itself. */
export type AnyAccountRead = AccountRead;

const declared = new WeakSet<object>();

/** Declares an account read; the types tie query, ports and response together. */
export function accountRead<const Q extends QueryFields, Res extends TSchema, const U extends Ports>(
  definition: AccountRead<Q, Res, U>,
): AccountRead<Q, Res, U> {
  declared.add(definition);
  return definition;
}

/** True for values made by `accountRead()`, so that a folder can be searched for them. */
export function isAccountRead(value: unknown): value is AnyAccountRead {
  return typeof value === "object" && value !== null && declared.has(value);
}

/** An account read with the address that its place in the tree gives it. */
export interface RegisteredAccountRead {
  readonly service: string;
  readonly path: string;
  readonly read: AnyAccountRead;
}
