import type { RegisteredOperation } from "../contract/operation.js";
import type { HttpAction } from "./actions.js";
import type { Answer, Exchange } from "./exchange.js";

/** A path of the service that is not an operation of the contract. */
export interface PlatformRoute {
  readonly kind: "platform";
  readonly path: string;
  /** True where this call needs no credential. */
  isOpen(exchange: Exchange): boolean;
  /** Only the operator may ask. */
  readonly operatorOnly?: boolean;
  /** About the caller's own account, whatever has become of its plan. */
  readonly isOwnAccount?: boolean;
  answer(exchange: Exchange): Answer | Promise<Answer>;
}

export interface OperationRoute {
  readonly kind: "operation";
  readonly path: string;
  readonly registered: RegisteredOperation;
}

/** A path that takes POST. */
export interface ActionRoute {
  readonly kind: "action";
  readonly path: string;
  readonly action: HttpAction;
}

export type Route = PlatformRoute | OperationRoute | ActionRoute;

export type RouteTable = ReadonlyMap<string, Route>;

/** All paths; throws when two things claim the same one. */
export function routeTable(
  operations: readonly RegisteredOperation[],
  platform: readonly PlatformRoute[],
  actions: readonly HttpAction[] = [],
): RouteTable {
  const table = new Map<string, Route>();
  const operationRoutes = operations.map(
    (registered): OperationRoute => ({ kind: "operation", path: registered.path, registered }),
  );
  const actionRoutes = actions.map((action): ActionRoute => ({ kind: "action", path: action.path, action }));
  for (const route of [...operationRoutes, ...platform, ...actionRoutes]) {
    if (table.has(route.path)) throw new Error(`two routes claim ${route.path}`);
    table.set(route.path, route);
  }
  return table;
}
