/**
 * A name for what reads and writes of an account work with beside snapshots, such as the store of their own account. A
 * service names the ports that it uses; the composition provides them, opened for one call.
 */
export interface Port<T> {
  readonly name: string;
  /** Never set: holds the type. */
  readonly type?: T;
}

export type Ports = Readonly<Record<string, Port<unknown>>>;

/** The opened ports that `run` receives for the declared ones. */
export type PortsOf<U> = { readonly [K in keyof U]: U[K] extends Port<infer T> ? T : never };

/** Declares a port. */
export function port<T>(name: string): Port<T> {
  return { name };
}
