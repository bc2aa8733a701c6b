import type { Static, TSchema } from "typebox";
import type { FailureName } from "./failures.js";

/** Limits that single paths have, by the names that operators may change them by. */
export type OwnLimit = "batch-execute" | "sign-in" | "token" | "plan-events";

/**
 * One POST of the service. `Context` is what the caller's side hands in: who calls, and the transaction to write in.
 */
export interface Action<Context, Req extends TSchema = TSchema, Res extends TSchema = TSchema> {
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Who may call: everybody, whoever has a credential, holders of a scope, or the operator. */
  readonly access: "open" | "any" | "operator" | { readonly scope: string };
  /** About the caller's own account: open whatever has become of its plan. */
  readonly isOwnAccount?: boolean;
  /** Name of a limit of its own for each account and 60 s, which fails closed. */
  readonly ownLimit?: OwnLimit;
  /** What a repeat with the same `Idempotency-Key` gets; `ignored` for answers that show a secret. */
  readonly repeats: "replayed" | "ignored";
  /** `run` is given a transaction, in which the answer for repeats is kept as well. */
  readonly isTransaction: boolean;
  /** The body is a form (application/x-www-form-urlencoded) of texts. */
  readonly isForm?: boolean;
  /** Status of a success; default 200. */
  readonly success?: 201;
  /** Failures of its own, beside those that every POST can meet. */
  readonly failures?: readonly FailureName[];
  readonly request: Req;
  readonly response: Res;
  /** Refused members of a body that has the right shape, or none. */
  violations?(input: Static<Req>): readonly { readonly field: string; readonly description: string }[];
  run(input: Static<Req>, context: Context): Promise<ActionAnswer<Immutable<Static<Res>>>>;
}

/** `text` is JSON that is already written; `body` a value to write. */
export type ActionAnswer<Body> = {
  readonly headers?: Readonly<Record<string, string>>;
} & ({ readonly body: Body } | { readonly text: string });

/** An action as tables hold it: what its request and response are, only it knows. */
export type AnyAction<Context> = Action<Context>;

/** The same with lists that are only read. */
type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T;
