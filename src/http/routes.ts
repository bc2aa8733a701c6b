import type { RegisteredOperation } from "../contract/operation.js";
import type { Answer, Exchange } from "./exchange.js";

/** A path of the service that is not an operation of the contract. */
export interface PlatformRoute {
  readonly kind: "platform";
  readonly path: string;
  /** True where this call needs no credential. */
  isOpen(exchange: Exchange): boolean;
  answer(exchange: Exchange): Answer | Promise<Answer>;
}

export interface OperationRoute {
  readonly kind: "operation";
  readonly path: string;
  readonly registered: RegisteredOperation;
}

export type Route = PlatformRoute | OperationRoute;

export type RouteTable = ReadonlyMap<string, Route>;

/** All paths; throws when two things claim the same one. */
export function routeTable(operations: readonly RegisteredOperation[], platform: readonly PlatformRoute[]): RouteTable {
  const table = new Map<string, Route>();
  const operationRoutes = operations.map(
    (registered): OperationRoute => ({ kind: "operation", path: registered.path, registered }),
  );
  for (const route of [...operationRoutes, ...platform]) {
    if (table.has(route.path)) throw new Error(`two routes claim ${route.path}`);
    table.set(route.path, route);
  }
  return table;
}
