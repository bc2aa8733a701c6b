import { Type } from "typebox";
import { expect, test } from "vitest";
import { Failure } from "../contract/failures.js";
import { operation, type RegisteredOperation } from "../contract/operation.js";
import { Pagination, pageFields } from "../contract/paging.js";
import type { AnyDataset } from "../contract/product.js";
import { text } from "../contract/query-field.js";
import { tokenSigner } from "../kit/signed-token.js";
import type { SnapshotRegistry } from "../snapshots/registry.js";
import { cursorsOf, isPaged, listContext, pageOf, paginator, refusedCursor, snapshotsAt } from "./paging.js";
import { type ReadQuery, readQuery } from "./query.js";

const NOW = Date.UTC(2026, 10, 25);

function listAt(path: string, query: object): RegisteredOperation {
  const declared = operation({
    rpc: path.split("/").at(-1) ?? "",
    summary: "A list",
    description: "A list of a test.",
    cache: "no-store",
    reads: {},
    query: query as ReturnType<typeof pageFields>,
    response: Type.Object({ rows: Type.Array(Type.Integer()), pagination: Pagination }),
    examples: [{}],
    run: () => ({ rows: [], pagination: { nextCursor: "", totalCount: 0 } }),
  });
  return { service: "test", path, operation: declared };
}

const list = listAt("/api/test/v1/list-rows", { ...pageFields(10), kind: text("Only rows of this kind") });
const other = listAt("/api/test/v1/list-others", { ...pageFields(10), kind: text("Only rows of this kind") });
const plain = listAt("/api/test/v1/list-plain", { kind: text("Only rows of this kind") });
const cursors = cursorsOf(tokenSigner(Buffer.alloc(32, 1)));

const queryOf = (search: string, of = list): ReadQuery => readQuery(of.operation, search, NOW);
const position = { generations: [3, 5], offset: 20 };

/** Returns the description of the violation that `read` throws. The violation must be on the field `cursor`. */
function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { violations } = error.body as { readonly violations: readonly { field: string; description: string }[] };
    expect([error.status, violations.map(({ field }) => field)]).toEqual([400, ["cursor"]]);
    return violations[0]?.description ?? "";
  }
  throw new Error("the cursor was accepted");
}

test("a cursor yields the position from which it was created", () => {
  const cursor = cursors.make(list, queryOf("kind=a"), position);
  expect(cursor).toMatch(/^pg1\./);
  expect(cursors.read(list, queryOf(`kind=a&cursor=${cursor}`))).toEqual(position);
});

test("a cursor remains valid with another page size", () => {
  const cursor = cursors.make(list, queryOf("kind=a&page_size=5"), position);
  expect(cursors.read(list, queryOf(`page_size=7&cursor=${cursor}&kind=a`))).toEqual(position);
});

test.each(["", "kind=b", "kind=ab"])("a cursor is refused with other filters: %s", (filters) => {
  const cursor = cursors.make(list, queryOf("kind=a"), position);
  expect(refusal(() => cursors.read(list, queryOf(`${filters}&cursor=${cursor}`)))).toBe(
    "is not a cursor of this list with these filters; omit it to start again",
  );
});

test("a cursor is refused for another list, and with another signing key", () => {
  const cursor = cursors.make(list, queryOf(""), position);
  const foreign = cursorsOf(tokenSigner(Buffer.alloc(32, 2)));
  expect(refusal(() => cursors.read(other, queryOf(`cursor=${cursor}`, other)))).toContain("is not a cursor");
  expect(refusal(() => foreign.read(list, queryOf(`cursor=${cursor}`)))).toContain("is not a cursor");
});

test.each(["", "cursor="])("a query without a cursor has no position: %j", (search) => {
  expect(cursors.read(list, queryOf(search))).toBeUndefined();
});

test("a list without pages ignores a cursor", () => {
  expect([isPaged(list), isPaged(plain)]).toEqual([true, false]);
  expect(cursors.read(plain, queryOf("cursor=any", plain))).toBeUndefined();
  expect(isPaged(listAt("/api/test/v1/half", { cursor: pageFields(1).cursor }))).toBe(false);
  expect(isPaged(listAt("/api/test/v1/half", { pageSize: pageFields(1).pageSize }))).toBe(false);
});

test("the context of a list contains its path and filters, but not `explain` or the parameters of paging", () => {
  expect(listContext(list, queryOf("page_size=5&kind=cursor"))).toBe("/api/test/v1/list-rows?kind=cursor");
  const canonical = "a=cursor=x&cursor=y&explain=true&kind=a&pageSize=5&xpageSize=1";
  expect(listContext(list, { ...queryOf(""), canonical })).toBe("/api/test/v1/list-rows?a=cursor=x&kind=a&xpageSize=1");
});

test("a page is a range of the list, with the total count and the cursor of the next page", () => {
  const query = queryOf("page_size=10");
  const { from, to, pagination } = pageOf(cursors, list, query, { generations: [3], offset: 10 }, 25);
  expect([from, to, pagination.totalCount]).toEqual([10, 20, 25]);
  const next = cursors.read(list, queryOf(`cursor=${pagination.nextCursor}`));
  expect(next).toEqual({ generations: [3], offset: 20 });
});

test.each([
  { length: 25, offset: 20, range: [20, 25] },
  { length: 20, offset: 10, range: [10, 20] },
  { length: 0, offset: 0, range: [0, 0] },
  // An offset beyond the end of the list gives an empty range, not a negative one.
  { length: 5, offset: 20, range: [20, 20] },
])(
  "in a list of $length rows, the page that begins at offset $offset is the last and has no next cursor",
  ({ length, offset, range }) => {
    const page = pageOf(cursors, list, queryOf("page_size=10"), { generations: [], offset }, length);
    expect([page.from, page.to]).toEqual(range);
    expect(page.pagination).toEqual({ nextCursor: "", totalCount: length });
  },
);

test("a paginator returns the rows of the requested page", () => {
  const rows = Array.from({ length: 25 }, (_, index) => index);
  const paginate = paginator(cursors, list, queryOf("page_size=10"), { generations: [], offset: 20 });
  expect(paginate(rows)).toEqual({ rows: [20, 21, 22, 23, 24], pagination: { nextCursor: "", totalCount: 25 } });
});

test("a paginator throws an error that names the operation if its query has no page fields", () => {
  const paginate = paginator(cursors, plain, queryOf("", plain), { generations: [], offset: 0 });
  expect(() => paginate([])).toThrow("list-plain calls paginate() but its query has no pageFields");
});

test("a position yields the snapshots of its generations, keyed by the operation's names for the datasets", async () => {
  const dataset = (name: string) => ({ name }) as AnyDataset;
  const reads = [
    ["cpi", dataset("us-cpi")],
    ["yields", dataset("us-yields")],
  ] as const;
  const registry = {
    at: async ({ name }: AnyDataset, generation: number) =>
      name === "us-yields" && generation === 9 ? undefined : { name, generation },
  } as unknown as SnapshotRegistry;
  expect(await snapshotsAt(registry, reads, position)).toEqual({
    cpi: { name: "us-cpi", generation: 3 },
    yields: { name: "us-yields", generation: 5 },
  });
  await expect(snapshotsAt(registry, reads, { generations: [3, 9], offset: 0 })).rejects.toMatchObject({
    body: {
      violations: [
        {
          field: "cursor",
          description:
            "belongs to generation 9 of us-yields, a generation that no longer exists; omit the cursor to start again",
        },
      ],
    },
  });
  expect(await snapshotsAt(registry, reads, { generations: [3], offset: 0 })).toMatchObject({
    yields: { generation: 0 },
  });
});

test("a refused cursor is a 400 whose violation is on the field `cursor`", () => {
  expect(refusedCursor("is wrong")).toMatchObject({
    status: 400,
    body: { violations: [{ field: "cursor", description: "is wrong" }] },
  });
});
