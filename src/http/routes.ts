import type { RegisteredAccountRead } from "../contract/account-read.js";
import type { RegisteredOperation } from "../contract/operation.js";
import type { RegisteredWrite } from "../contract/write.js";
import type { Answer, Exchange } from "./exchange.js";

/** A path of the service that is not an operation of the contract. */
export interface PlatformRoute {
  readonly kind: "platform";
  readonly path: string;
  /** True if this call needs no credential. */
  isOpen(exchange: Exchange): boolean;
  answer(exchange: Exchange): Answer | Promise<Answer>;
}

export interface OperationRoute {
  readonly kind: "operation";
  readonly path: string;
  readonly registered: RegisteredOperation;
}

/** A path for POST. */
export interface WriteRoute {
  readonly kind: "write";
  readonly path: string;
  readonly registered: RegisteredWrite;
}

/** A path for GET about the caller's account. */
export interface AccountReadRoute {
  readonly kind: "account-read";
  readonly path: string;
  readonly registered: RegisteredAccountRead;
}

export type Route = PlatformRoute | OperationRoute | AccountReadRoute | WriteRoute;

export type RouteTable = ReadonlyMap<string, Route>;

/** Declarations of services that become routes. */
interface Declared {
  readonly operations: readonly RegisteredOperation[];
  readonly accountReads: readonly RegisteredAccountRead[];
  readonly writes: readonly RegisteredWrite[];
}

/** Builds the table of all paths. Throws if two declarations claim the same path. */
export function routeTable(declared: Declared, platform: readonly PlatformRoute[]): RouteTable {
  const { operations, accountReads, writes } = declared;
  const routes: readonly Route[] = [
    ...operations.map((registered): Route => ({ kind: "operation", path: registered.path, registered })),
    ...accountReads.map((registered): Route => ({ kind: "account-read", path: registered.path, registered })),
    ...writes.map((registered): Route => ({ kind: "write", path: registered.path, registered })),
    ...platform,
  ];
  const table = new Map<string, Route>();
  for (const route of routes) {
    if (table.has(route.path)) throw new Error(`two routes claim ${route.path}`);
    table.set(route.path, route);
  }
  return table;
}
