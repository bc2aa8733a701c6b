import type { Static, TSchema } from "typebox";
import type { Principal } from "./access/principal.js";
import type { FailureName } from "./failures.js";
import type { Ports, PortsOf } from "./port.js";
import type { Setting } from "./setting.js";

/** A limit of one path, counted for each account, or for each address without one. */
export interface PathLimit {
  /** Name by which `VIGIL_LIMITS` changes it. */
  readonly name: string;
  /** Calls in 60 s, unless the operator changes it. */
  readonly callsMax: number;
}

/** Callers without a credential that sign the body with a shared secret. The path is not there while the secret is unset. */
export interface SignedAccess {
  readonly signedWith: Setting<string | undefined>;
  /** Name of the signer in the audit log. */
  readonly actor: string;
}

/** The permitted callers: everybody, those who sign the body, holders of a credential or of a scope, or the operator. */
export type WriteAccess = "open" | "any" | "operator" | { readonly scope: string } | SignedAccess;

/** The caller that `run` can rely on: none where no credential is asked for. */
type CallerOf<A> = A extends "open" | SignedAccess ? undefined : Principal;

/** The inputs of a write beside its body. */
export interface WriteContext<U, A> {
  readonly principal: CallerOf<A>;
  /** The ports that the write uses. With `isTransaction` they write in one transaction, which holds the kept answer too. */
  readonly ports: PortsOf<U>;
  /** Now, epoch ms. */
  now(): number;
}

/**
 * One POST of a service. Its path is `/api/<folder of its service>/v1/<rpc>`. A batch never reaches it.
 */
export interface Write<
  Req extends TSchema = TSchema,
  Res extends TSchema = TSchema,
  U extends Ports = Ports,
  A extends WriteAccess = WriteAccess,
> {
  readonly rpc: string;
  /** Another path, where a standard fixes it. */
  readonly path?: string;
  readonly summary: string;
  readonly description: string;
  readonly access: A;
  /** About the caller's own account: open whatever has become of its plan. */
  readonly isOwnAccount?: true;
  /** Counts instead of the allowance of the caller's plan, and fails closed. */
  readonly limit?: PathLimit;
  /** The answer to a repeat with the same `Idempotency-Key`; `ignored` for answers that show a secret. */
  readonly repeats: "replayed" | "ignored";
  /** The write runs in a transaction, in which the answer for repeats is kept as well. */
  readonly isTransaction: boolean;
  /** The body is a form of texts, as OAuth 2.0 has it, and the answer carries `Pragma: no-cache` (RFC 6749 §5.1). */
  readonly isForm?: true;
  /** Status of a success; default 200. */
  readonly success?: 201;
  /** Failures of its own, beside those that every POST can meet. */
  readonly failures?: readonly FailureName[];
  readonly uses: U;
  readonly request: Req;
  readonly response: Res;
  /** Refused members of a body that has the right shape, or none. */
  violations?(input: Static<Req>, now: number): readonly { readonly field: string; readonly description: string }[];
  run(input: Static<Req>, context: WriteContext<U, A>): Promise<WriteAnswer<Immutable<Static<Res>>>>;
}

/** A browser session as it was opened. */
export interface OpenedSession {
  readonly token: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** `text` is JSON that is already written; `body` a value to write. */
export type WriteAnswer<Body> = {
  /** The browser session that the caller has from now on. */
  readonly session?: OpenedSession | "ended";
} & ({ readonly body: Body } | { readonly text: string });

/** A write as registries hold it: its request, response and ports are known only to itself. */
export type AnyWrite = Write;

const declared = new WeakSet<object>();

/** Declares a write; the types tie request, response, access and ports together. */
export function write<Req extends TSchema, Res extends TSchema, const U extends Ports, const A extends WriteAccess>(
  definition: Write<Req, Res, U, A>,
): Write<Req, Res, U, A> {
  declared.add(definition);
  return definition;
}

/** True for values made by `write()`, so that a folder can be searched for them. */
export function isWrite(value: unknown): value is AnyWrite {
  return typeof value === "object" && value !== null && declared.has(value);
}

/** A write with the address that its place in the tree gives it. */
export interface RegisteredWrite {
  readonly service: string;
  readonly path: string;
  readonly write: AnyWrite;
}

export function isSigned(access: WriteAccess): access is SignedAccess {
  return typeof access === "object" && "signedWith" in access;
}

/** True where a call needs no credential. */
export function isOpen({ access }: Pick<AnyWrite, "access">): boolean {
  return access === "open" || isSigned(access);
}

/** The same with lists that are only read. */
type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T;
