import type { ListDelta } from "../../src/contract/list-delta.js";
import type { RegisteredOperation } from "../../src/contract/operation.js";
import { type AnyRowList, identityIn, rowsIn } from "../../src/contract/row-list.js";
import { json, type Stack } from "./stack.js";

/** A consumer's copy of a list, with its generations. */
export interface HeldList {
  readonly rows: readonly unknown[];
  readonly generations: string;
  /** The state in the latest answer. */
  readonly state: string;
}

/** Reads a list and its changes as a consumer does, page by page. */
export interface ListReader {
  whole(query: URLSearchParams): Promise<HeldList>;
  /** Updates a copy, and returns it with the changes since it was read; undefined if there is no data now. */
  updated(
    held: HeldList,
    query: URLSearchParams,
  ): Promise<{ readonly held: HeldList; readonly delta: ListDelta } | undefined>;
}

type Body = Readonly<Record<string, unknown>> & {
  readonly pagination?: { readonly nextCursor: string; readonly totalCount: number };
  readonly delta?: ListDelta;
};

interface PageRead {
  readonly body: Body;
  readonly generations: string;
  readonly state: string;
}

export function listReader(stack: Stack, { path, operation }: RegisteredOperation): ListReader {
  const { list } = operation;
  if (list === undefined) throw new Error(`${operation.rpc} has no list`);

  /** The answers of all pages. */
  async function pages(query: URLSearchParams): Promise<readonly PageRead[]> {
    const read: PageRead[] = [];
    const params = new URLSearchParams(query);
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      if (cursor !== "") params.set("cursor", cursor);
      const answer = await stack.get(`${path}?${params}`);
      if (answer.status !== 200) throw new Error(`${path}?${params}: ${answer.status} ${answer.body}`);
      const body = json(answer) as Body;
      const [generations, state] = ["X-Vigil-Generation", "X-Vigil-State"].map((name) => answer.headers[name] ?? "");
      read.push({ body, generations: generations ?? "", state: state ?? "" });
      cursor = body.pagination?.nextCursor || undefined;
    }
    return read;
  }

  return {
    async whole(query) {
      const read = await pages(query);
      const rows = read.flatMap(({ body }) => rowsIn(list, body));
      return { rows, generations: read[0]?.generations ?? "", state: read[0]?.state ?? "" };
    },
    async updated(held, query) {
      const params = new URLSearchParams(query);
      params.set("since_generation", held.generations);
      const read = await pages(params);
      const deltas = read.flatMap(({ body }) => body.delta ?? []);
      const [first] = deltas;
      if (!first) return undefined;
      const delta = { ...first, changes: deltas.flatMap(({ changes }) => changes) };
      const rows = applied(
        list,
        held.rows,
        delta,
        read.flatMap(({ body }) => rowsIn(list, body)),
      );
      return { held: { rows, generations: first.to, state: read[0]?.state ?? "" }, delta };
    },
  };
}

/**
 * Applies the changes to the rows, as docs/deltas.md describes: removes every row whose id is in a change, and then
 * inserts the added and changed rows at their indexes.
 */
function applied(
  list: AnyRowList,
  held: readonly unknown[],
  { changes }: ListDelta,
  changedRows: readonly unknown[],
): readonly unknown[] {
  const named = new Set(changes.map(({ id }) => id));
  const ids = identitiesOf(list, held);
  const rows = held.filter((_, index) => !named.has(ids[index] as string));
  const places = changes.flatMap(({ index }) => index ?? []);
  if (places.length !== changedRows.length) throw new Error(`${changedRows.length} rows for ${places.length} changes`);
  for (const [at, place] of places.entries()) rows.splice(place, 0, changedRows[at]);
  return rows;
}

/** The identity of each row; the second row with the same id gets `<id>#2`. */
export function identitiesOf(list: AnyRowList, rows: readonly unknown[]): readonly string[] {
  const counts = new Map<string, number>();
  return rows.map((row) => {
    const id = identityIn(list, row);
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}#${count}`;
  });
}
