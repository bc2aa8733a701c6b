import type { Kysely } from "kysely";
import type { Port, Ports, PortsOf } from "../contract/port.js";
import type { Database } from "../database/schema.js";
import type { Clock } from "../kit/clock.js";
import type { Exchange } from "./exchange.js";

/** The call for which ports are opened. */
export interface PortCall {
  readonly exchange: Exchange;
  /** Name of the caller in the audit log. */
  readonly actor: string;
  /** The caller's address, as seen through trusted proxies. */
  readonly address: string;
  /** The raw body; empty for a read. */
  readonly bytes: Buffer;
  /**
   * The database to use. In a write with `isTransaction`, this is the transaction of the write. It also stores the
   * answer to the call, which is sent again if the call is repeated.
   */
  readonly db: Kysely<Database>;
}

/** A port and the function that opens it. */
export interface Provider {
  readonly port: Port<unknown>;
  open(call: PortCall): unknown;
}

/** Provides a port, with the type of its opened value checked. */
export function provide<T>(port: Port<T>, open: (call: PortCall) => T): Provider {
  return { port, open };
}

/** Opens the ports that a declaration uses, for one call. */
export type OpenPorts = <U extends Ports>(uses: U, call: PortCall) => PortsOf<U>;

/** The dependencies of a route that opens ports. */
export interface PortParts {
  readonly clock: Clock;
  readonly db: Kysely<Database>;
  readonly openPorts: OpenPorts;
  /** The caller's address, as seen through trusted proxies. */
  readonly addressOf: (exchange: Exchange) => string;
}

const noBytes = Buffer.alloc(0);

/** The port call of a read, which has neither a body nor a transaction. */
export function readCall({ db, addressOf }: PortParts, exchange: Exchange, actor: string): PortCall {
  return { exchange, actor, address: addressOf(exchange), bytes: noBytes, db };
}

/** Creates the function that opens ports. Throws if `users` use a port without a provider. */
export function portOpener(providers: readonly Provider[], users: readonly { readonly uses: Ports }[]): OpenPorts {
  const byPort = new Map(providers.map((provider) => [provider.port, provider]));
  const providerOf = (port: Port<unknown>): Provider => {
    const provider = byPort.get(port);
    if (!provider) throw new Error(`no provider for the port ${port.name}; add one in src/app/service-pipeline.ts`);
    return provider;
  };
  for (const { uses } of users) Object.values(uses).forEach(providerOf);
  return <U extends Ports>(uses: U, call: PortCall) => {
    const opened = Object.entries(uses).map(([name, port]) => [name, providerOf(port).open(call)]);
    // The cast is safe, because the type of `provide` ties each opened value to its port.
    return Object.fromEntries(opened) as PortsOf<U>;
  };
}
