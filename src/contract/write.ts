import type { Static, TSchema } from "typebox";
import type { Principal } from "./access/principal.js";
import type { Failure, FailureName, Violation } from "./failures.js";
import type { Ports, PortsOf } from "./port.js";
import type { Setting } from "./setting.js";

/**
 * A limit of one path. It is counted by account, or by address if the caller has no account. In the operator's account,
 * it is counted by key.
 */
export interface PathLimit {
  /** Its name in `VIGIL_LIMITS`. */
  readonly name: string;
  /** Calls per 60 s; operators can change it. */
  readonly callsMax: number;
}

/**
 * Access for callers who have no credential but sign the body with a shared secret. The path answers 404 while the
 * secret is unset.
 */
export interface SignedAccess {
  readonly signedWith: Setting<string | undefined>;
  /** Name of the signer in the audit log. */
  readonly actor: string;
}

/** The permitted callers: everybody, signers of the body, holders of any credential or of a scope, or the operator. */
export type WriteAccess = "open" | "any" | "operator" | { readonly scope: string } | SignedAccess;

/** The caller that `run` receives: undefined if no credential is required. */
type CallerOf<A> = A extends "open" | SignedAccess ? undefined : Principal;

/** The inputs of a write besides its body. */
export interface WriteContext<U, A> {
  readonly principal: CallerOf<A>;
  /**
   * The ports that the write uses. With `isTransaction` they share one transaction, which also stores the answer for
   * repeats.
   */
  readonly ports: PortsOf<U>;
  /** Now, epoch ms. */
  now(): number;
}

/** The page of a write that people reach through a link in an email. */
export interface WritePage {
  readonly title: string;
  /** The effect of the button, as a sentence. */
  readonly question: string;
  readonly button: string;
  /** The result, as a sentence. */
  readonly done: string;
  /** Shown for an invalid link. */
  readonly refused: string;
}

/** One POST of a service. Its path is `/api/<folder of its service>/v1/<rpc>`. It cannot be part of a batch. */
export interface Write<
  Req extends TSchema = TSchema,
  Res extends TSchema = TSchema,
  U extends Ports = Ports,
  A extends WriteAccess = WriteAccess,
> {
  readonly rpc: string;
  /** The path, if a standard prescribes it. */
  readonly path?: string;
  readonly summary: string;
  readonly description: string;
  readonly access: A;
  /**
   * True if the write concerns the caller's own account. It then works even if the plan has lapsed, and counts against
   * the limit `own-account` instead of the plan's allowance.
   */
  readonly isOwnAccount?: true;
  /** A limit that replaces the allowance of the caller's plan. If it cannot be checked, the call is refused. */
  readonly limit?: PathLimit;
  /**
   * `replayed`: a repeat with the same `Idempotency-Key` gets the stored answer. `ignored`: the key has no effect, for
   * example because the answer contains a secret.
   */
  readonly repeats: "replayed" | "ignored";
  /** True if the POST only reads. Like a GET, it then accepts remembered credentials while the store is lost. */
  readonly isRead?: true;
  /** True if the write runs in a transaction, which also stores the answer for repeats. */
  readonly isTransaction: boolean;
  /** True if the body is a form, as in OAuth 2.0; the answer has `Pragma: no-cache` (RFC 6749 §5.1). */
  readonly isForm?: true;
  /**
   * Creates the failure for an invalid body, if a standard prescribes its shape. `violations` is empty if the body is
   * not a form. Default: `validation`, or `bodyInvalid` for a body that is not a form or not JSON.
   */
  readonly inputFailure?: (violations: readonly Violation[]) => Failure;
  /**
   * The page that a GET of the path shows. Its button POSTs to the same address, so that scanners that open links
   * change nothing. Only for open writes with `isForm`. The members of their body may also be sent in the query, as in
   * one-click links (RFC 8058), and browsers get a page as the answer.
   */
  readonly page?: WritePage;
  /** Status of a success; default 200. */
  readonly success?: 201;
  /** Failures specific to this write, besides those of every POST. */
  readonly failures?: readonly FailureName[];
  readonly uses: U;
  readonly request: Req;
  /** An example body for the documentation. Its ids are placeholders; the documented answer was made with real ids. */
  readonly example: Immutable<Static<Req>>;
  readonly response: Res;
  /** Lists the invalid members of a body of valid shape; empty if there are none. */
  violations?(input: Static<Req>, now: number): readonly Violation[];
  run(input: Static<Req>, context: WriteContext<U, A>): Promise<WriteAnswer<Immutable<Static<Res>>>>;
}

/** A newly opened browser session. */
export interface OpenedSession {
  readonly token: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** The answer of a write: `text` is serialised JSON; `body` is a value to serialise. */
export type WriteAnswer<Body> = {
  /** The caller's browser session from now on. */
  readonly session?: OpenedSession | "ended";
} & ({ readonly body: Body } | { readonly text: string });

/** A write of unspecified types, for registries. */
export type AnyWrite = Write;

const declared = new WeakSet<object>();

/** Declares a write, whose request, response, access and ports must have matching types. */
export function write<Req extends TSchema, Res extends TSchema, const U extends Ports, const A extends WriteAccess>(
  definition: Write<Req, Res, U, A>,
): Write<Req, Res, U, A> {
  declared.add(definition);
  return definition;
}

/** Returns true for a value that `write()` has returned. The registry finds writes by this function. */
export function isWrite(value: unknown): value is AnyWrite {
  return typeof value === "object" && value !== null && declared.has(value);
}

/** A write with the path that is derived from its file. */
export interface RegisteredWrite {
  readonly service: string;
  readonly path: string;
  readonly write: AnyWrite;
}

export function isSigned(access: WriteAccess): access is SignedAccess {
  return typeof access === "object" && "signedWith" in access;
}

/** True if a call needs no credential. */
export function isOpen({ access }: Pick<AnyWrite, "access">): boolean {
  return access === "open" || isSigned(access);
}

/** The same type, with all lists and members read-only. */
export type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T;
