/**
 * The name of an interface, such as the account store. Account reads, linked feeds and writes declare the ports that
 * they use. Each call opens them through the providers in `app/service-pipeline.ts`.
 */
export interface Port<T> {
  readonly name: string;
  /** Never set. Declares `T` for the compiler. */
  readonly type?: T;
}

export type Ports = Readonly<Record<string, Port<unknown>>>;

/** The opened ports that an account read, a linked feed or a write receives. */
export type PortsOf<U> = { readonly [K in keyof U]: U[K] extends Port<infer T> ? T : never };

/** Declares a port. */
export function port<T>(name: string): Port<T> {
  return { name };
}
