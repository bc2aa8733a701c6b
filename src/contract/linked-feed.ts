import type { Feed } from "./feed.js";
import type { Ports, PortsOf } from "./port.js";
import type { QueryFields, QueryOf } from "./query-field.js";

/**
 * A GET that answers with a feed instead of JSON. Feed readers follow a link and send no key. Instead, a token in the
 * query grants the right to read. The path is `/api/<folder of the feed's service>/v1/<rpc>`.
 */
export interface LinkedFeed<Q extends QueryFields = QueryFields, U extends Ports = Ports> {
  readonly rpc: string;
  readonly summary: string;
  readonly description: string;
  readonly uses: U;
  readonly query: Q;
  /** Returns undefined if the token is not valid. The service then answers with 404. */
  run(query: QueryOf<Q>, ports: PortsOf<U>): Promise<Feed | undefined>;
}

/** A linked feed of unspecified types, for registries. */
export type AnyLinkedFeed = LinkedFeed;

const declared = new WeakSet<object>();

/** Declares a linked feed, whose query and ports must have matching types. */
export function linkedFeed<const Q extends QueryFields, const U extends Ports>(
  definition: LinkedFeed<Q, U>,
): LinkedFeed<Q, U> {
  declared.add(definition);
  return definition;
}

/** Returns true for a value that `linkedFeed()` has returned. The registry finds linked feeds by this function. */
export function isLinkedFeed(value: unknown): value is AnyLinkedFeed {
  return typeof value === "object" && value !== null && declared.has(value);
}

/** A linked feed with the path that is derived from its file. */
export interface RegisteredLinkedFeed {
  readonly service: string;
  readonly path: string;
  readonly feed: AnyLinkedFeed;
}
