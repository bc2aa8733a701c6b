/** A setting that a source needs before its upstream can be called. `variable` names its environment variable. */
export interface Credential {
  readonly variable: string;
  readonly description: string;
}

/** The values of a source's credentials, by the names of their variables. */
export type CredentialValues = Readonly<Record<string, string>>;

/** The members of a request that prove who is calling. */
export interface Proof {
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly secretQuery?: Readonly<Record<string, string>>;
}

interface WithCredentials {
  /**
   * The required credentials. A source that lacks one of them is `unconfigured`, not failed. If `isOptional` is true, a
   * source that lacks all of them is called without credentials.
   */
  readonly credentials: readonly Credential[];
  /** True if the upstream also answers without credentials. */
  readonly isOptional?: true;
}

/** A key that is sent with every request. */
export interface KeyAuth extends WithCredentials {
  readonly kind: "key";
  proof(values: CredentialValues): Proof;
}

/**
 * A token granted by OAuth 2 and sent as `Authorization: Bearer <token>`. It is kept in memory across runs and renewed
 * before it expires.
 */
export interface OAuth extends WithCredentials {
  readonly kind: "oauth";
  /** The address that grants tokens. */
  readonly url: string;
  /** The non-secret fields of the token request. */
  readonly form: Readonly<Record<string, string>>;
  /** The credential for each secret field of the token request. */
  readonly secretForm: Readonly<Record<string, Credential>>;
  readonly timeoutMs?: number;
}

/** The authentication of a source's requests. The code in `ingest/` attaches it, so a source never sees a secret. */
export type Auth = KeyAuth | OAuth;

/** Declares a key that is sent in a header. A `scheme`, such as `Bearer`, precedes the key. */
export function header(name: string, credential: Credential, scheme?: string): KeyAuth {
  return {
    kind: "key",
    credentials: [credential],
    proof(values) {
      const value = values[credential.variable] ?? "";
      return { secretHeaders: { [name]: scheme === undefined ? value : `${scheme} ${value}` } };
    },
  };
}

/** Declares a key that is sent in the query. */
export function query(name: string, credential: Credential): KeyAuth {
  return {
    kind: "key",
    credentials: [credential],
    proof: (values) => ({ secretQuery: { [name]: values[credential.variable] ?? "" } }),
  };
}

/** Declares an OAuth 2 token. Requires the credential of every secret field of the token request. */
export function oauth(declaration: Omit<OAuth, "kind" | "credentials">): OAuth {
  return { ...declaration, kind: "oauth", credentials: Object.values(declaration.secretForm) };
}

/** Makes an authentication optional, for an upstream that also answers without credentials. */
export function optional<A extends Auth>(auth: A): A {
  return { ...auth, isOptional: true };
}
