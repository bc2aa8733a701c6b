/**
 * The name of an interface that account reads and writes use besides snapshots, such as the account store. A service
 * declares the ports that it uses; `app/serve.ts` provides them, opened for one call.
 */
export interface Port<T> {
  readonly name: string;
  /** Never set; carries the type. */
  readonly type?: T;
}

export type Ports = Readonly<Record<string, Port<unknown>>>;

/** The opened ports that `run` receives. */
export type PortsOf<U> = { readonly [K in keyof U]: U[K] extends Port<infer T> ? T : never };

/** Declares a port. */
export function port<T>(name: string): Port<T> {
  return { name };
}
