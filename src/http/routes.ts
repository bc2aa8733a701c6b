import type { RegisteredAccountRead } from "../contract/account-read.js";
import type { RegisteredLinkedFeed } from "../contract/linked-feed.js";
import type { RegisteredOperation } from "../contract/operation.js";
import type { RegisteredStream } from "../contract/stream.js";
import type { RegisteredWrite } from "../contract/write.js";
import type { MessageRoute, PlatformRoute, Route } from "./exchange.js";

export type RouteTable = ReadonlyMap<string, Route>;

/** The declarations of the services. Each declaration becomes a route. */
interface Declared {
  readonly operations: readonly RegisteredOperation[];
  readonly accountReads: readonly RegisteredAccountRead[];
  readonly streams: readonly RegisteredStream[];
  readonly linkedFeeds: readonly RegisteredLinkedFeed[];
  readonly writes: readonly RegisteredWrite[];
}

/** The declarations of a node that answers no calls of the API. */
export const nothingDeclared: Declared = {
  operations: [],
  accountReads: [],
  streams: [],
  linkedFeeds: [],
  writes: [],
};

/** Builds the table of all paths. Throws if two declarations claim the same path. */
export function routeTable(declared: Declared, platform: readonly (PlatformRoute | MessageRoute)[]): RouteTable {
  const { operations, accountReads, streams, linkedFeeds, writes } = declared;
  const routes: readonly Route[] = [
    ...operations.map((registered): Route => ({ kind: "operation", path: registered.path, registered })),
    ...accountReads.map((registered): Route => ({ kind: "account-read", path: registered.path, registered })),
    ...streams.map((registered): Route => ({ kind: "stream", path: registered.path, registered })),
    ...linkedFeeds.map((registered): Route => ({ kind: "linked-feed", path: registered.path, registered })),
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
