import { failure } from "../contract/failures.js";
import type { RegisteredOperation } from "../contract/operation.js";
import type { Page, Rows } from "../contract/paging.js";
import type { AnyDataset } from "../contract/product.js";
import type { AvailableSnapshot, Snapshot } from "../contract/snapshot.js";
import type { TokenSigner } from "../kit/signed-token.js";
import type { SnapshotRegistry } from "../snapshots/registry.js";
import type { ReadQuery } from "./query.js";

const PREFIX = "pg1";

/** The start of a page, and the generations from which all pages of the list are read. */
export interface Position {
  readonly generations: readonly number[];
  readonly offset: number;
}

/** Signs and reads positions in lists. A cursor is valid only for its own operation and filters. */
export interface Cursors {
  make(list: RegisteredOperation, query: ReadQuery, position: Position): string;
  /** The position in the query's cursor; undefined if there is no cursor. Throws the 400 if the cursor is not valid. */
  read(list: RegisteredOperation, query: ReadQuery): Position | undefined;
}

export function cursorsOf(signer: TokenSigner): Cursors {
  return {
    make: (list, query, { generations, offset }) =>
      signer.sign(PREFIX, JSON.stringify([generations, offset]), listContext(list, query)),
    read(list, query) {
      const cursor = query.values["cursor"];
      if (!isPaged(list) || typeof cursor !== "string" || cursor === "") return undefined;
      const payload = signer.open(PREFIX, cursor, listContext(list, query));
      if (payload === undefined) {
        throw refusedCursor("is not a cursor of this list with these filters; omit it to start again");
      }
      // The cast is safe, because every value signed here has this shape.
      const [generations, offset] = JSON.parse(payload) as [number[], number];
      return { generations, offset };
    },
  };
}

/** True for lists whose query has the `pageFields`. */
export function isPaged({ operation }: RegisteredOperation): boolean {
  return "cursor" in operation.query && "pageSize" in operation.query;
}

/** Identifies a list by its operation and filters, independently of page, page size and explanation. */
export function listContext({ path }: RegisteredOperation, { canonical }: ReadQuery): string {
  const filters = canonical.split("&").filter((pair) => !/^(?:cursor|pageSize|explain)=/.test(pair));
  return `${path}?${filters.join("&")}`;
}

/** The snapshots of a position. Throws the 400 on `cursor` if one of its generations no longer exists. */
export async function snapshotsAt(
  registry: SnapshotRegistry,
  reads: readonly (readonly [name: string, dataset: AnyDataset])[],
  { generations }: Position,
): Promise<Readonly<Record<string, Snapshot<unknown>>>> {
  const snapshots = reads.map(async ([name, dataset], index): Promise<[string, AvailableSnapshot<unknown>]> => {
    const generation = generations[index] ?? 0;
    const snapshot = await registry.at(dataset, generation);
    if (snapshot) return [name, snapshot];
    throw refusedCursor(
      `belongs to generation ${generation} of ${dataset.name}, a generation that no longer exists; omit the cursor to start again`,
    );
  });
  return Object.fromEntries(await Promise.all(snapshots));
}

/** The 400 for a refused cursor. */
export function refusedCursor(description: string): Error {
  return failure("validation", { violations: [{ field: "cursor", description }] });
}

/** The requested page of a list of `length` rows: the range of its rows, and its `pagination` member. */
export function pageOf(
  cursors: Cursors,
  list: RegisteredOperation,
  query: ReadQuery,
  { generations, offset }: Position,
  length: number,
): { readonly from: number; readonly to: number; readonly pagination: Page<unknown>["pagination"] } {
  const to = Math.max(offset, Math.min(length, offset + Number(query.values["pageSize"])));
  const nextCursor = to < length ? cursors.make(list, query, { generations, offset: to }) : "";
  return { from: offset, to, pagination: { nextCursor, totalCount: length } };
}

/** Returns the function that slices the requested page from a list. */
export function paginator(
  cursors: Cursors,
  list: RegisteredOperation,
  query: ReadQuery,
  position: Position,
): <T>(rows: Rows<T>) => Page<T> {
  return (all) => {
    if (!isPaged(list)) throw new Error(`${list.operation.rpc} calls paginate() but its query has no pageFields`);
    const { from, to, pagination } = pageOf(cursors, list, query, position, all.length);
    return { rows: all.slice(from, to), pagination };
  };
}
