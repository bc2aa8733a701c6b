import type { RegisteredAccountRead } from "./account-read.js";
import type { RegisteredLinkedFeed } from "./linked-feed.js";
import type { RegisteredOperation } from "./operation.js";
import type { RegisteredGroup } from "./service-group.js";
import type { RegisteredStream } from "./stream.js";
import type { RegisteredWrite } from "./write.js";

/**
 * `served`: has operations. `planned`: has no operations yet. `contract-only`: has operations that are published but
 * not routed.
 */
export type GroupStatus = "served" | "planned" | "contract-only";

/** One operation in the catalogue. */
export interface CatalogueOperation {
  readonly path: string;
  readonly method: "GET" | "POST";
  readonly summary: string;
  readonly status: "served";
}

export interface CatalogueGroup {
  readonly name: string;
  /** Path segment of the group's operations; absent while the group has none. */
  readonly service?: string;
  readonly description: string;
  readonly status: GroupStatus;
  readonly operations: readonly (CatalogueOperation | { readonly path: string; readonly status: "contract-only" })[];
}

/**
 * The groups of the contract, in the contract's order. A group with contract-only calls is not in `groups`: the
 * catalogue has a separate member for it. Platform groups are left out.
 */
export interface Catalogue {
  readonly groups: readonly CatalogueGroup[];
  readonly [member: string]: CatalogueGroup | readonly CatalogueGroup[];
}

/** The calls that are routed. */
export interface Answering {
  readonly operations: readonly RegisteredOperation[];
  readonly accountReads: readonly RegisteredAccountRead[];
  readonly streams: readonly RegisteredStream[];
  readonly linkedFeeds: readonly RegisteredLinkedFeed[];
  readonly writes: readonly RegisteredWrite[];
}

/**
 * Builds the catalogue: every service group with its registered operations, account reads, streams, feeds and writes.
 */
export function catalogue(
  groups: readonly RegisteredGroup[],
  { operations, accountReads, streams, linkedFeeds, writes }: Answering,
): Catalogue {
  const served = [
    ...operations.map(
      ({ path, operation: { summary } }) => ({ path, method: "GET", summary, status: "served" }) as const,
    ),
    ...accountReads.map(({ path, read: { summary } }) => ({ path, method: "GET", summary, status: "served" }) as const),
    ...streams.map(({ path, stream: { summary } }) => ({ path, method: "GET", summary, status: "served" }) as const),
    ...linkedFeeds.map(({ path, feed: { summary } }) => ({ path, method: "GET", summary, status: "served" }) as const),
    ...writes.map(({ path, write: { summary } }) => ({ path, method: "POST", summary, status: "served" }) as const),
  ];
  const servedIn = (service: string): readonly CatalogueOperation[] =>
    served.filter(({ path }) => path.startsWith(`/api/${service}/`));

  function rowOf({ name, service, description, contractOnly }: RegisteredGroup): CatalogueGroup {
    const routed = servedIn(service);
    const unrouted = (contractOnly?.rpcs ?? [])
      .map((rpc) => `/api/${service}/v1/${rpc}`)
      .filter((path) => !routed.some((operation) => operation.path === path))
      .map((path) => ({ path, status: "contract-only" }) as const);
    const isPlanned = routed.length === 0 && unrouted.length === 0;
    return {
      name,
      ...(isPlanned ? {} : { service }),
      description,
      status: unrouted.length > 0 ? "contract-only" : isPlanned ? "planned" : "served",
      operations: [...routed, ...unrouted],
    };
  }

  const beside = groups.flatMap((group) =>
    group.contractOnly ? [[group.contractOnly.member, rowOf(group)] as const] : [],
  );
  return {
    groups: groups.filter(({ contractOnly, isPlatform }) => !contractOnly && !isPlatform).map(rowOf),
    ...Object.fromEntries(beside),
  };
}
