import { beforeAll, describe, expect } from "vitest";
import { DAY_MS } from "../../src/kit/clock.js";
import { mapValues } from "../../src/kit/map-values.js";
import { publishChanged } from "../support/published.js";
import { bodyOf, fieldsRefusedAt, type Sentence, sharedStack, testSentences } from "../support/sentences.js";

/* Ruling 1 and SPEC's pagination envelope, checked for each paged list. */

interface List {
  readonly path: string;
  readonly rows: string;
  readonly sizeMax: number;
  /** True if the list has more rows than a page. */
  readonly isLong: boolean;
  /** A query parameter that filters the list. */
  readonly filter?: string;
  readonly dataset: string;
}

const lists: readonly List[] = [
  {
    path: "/api/aviation/v1/list-airport-delays",
    rows: "alerts",
    sizeMax: 500,
    isLong: false,
    dataset: "airport-delays",
  },
  {
    path: "/api/climate/v1/list-climate-anomalies",
    rows: "anomalies",
    sizeMax: 500,
    isLong: false,
    dataset: "climate-anomalies",
  },
  {
    path: "/api/climate/v1/list-climate-disasters",
    rows: "disasters",
    sizeMax: 100,
    isLong: true,
    dataset: "climate-disasters",
  },
  {
    path: "/api/conflict/v1/list-beta-events",
    rows: "events",
    sizeMax: 2_000,
    isLong: true,
    filter: "country=SD",
    dataset: "beta-events",
  },
];

const stackOf = sharedStack("all");
beforeAll(async () => {
  // The demo has fewer disasters than a page may have, so each of them is published three times.
  await publishChanged<{ readonly id: string }>(stackOf(), "climate-disasters", (records) =>
    mapValues(records, (rows) =>
      rows.flatMap((row) => [1, 2, 3].map((copy) => ({ ...row, id: `${row.id}-${copy}`, name: `Event ${copy}` }))),
    ),
  );
});

interface Page {
  readonly rows: readonly unknown[];
  readonly nextCursor: string;
  readonly totalCount: number;
}

function rowsAbout(list: List): readonly Sentence[] {
  const { path, sizeMax, isLong, filter } = list;
  const page = async (query = ""): Promise<Page> => {
    const body = await bodyOf<Readonly<Record<string, unknown>> & { readonly pagination: Omit<Page, "rows"> }>(
      stackOf(),
      query === "" ? path : `${path}?${query}`,
    );
    return { rows: body[list.rows] as readonly unknown[], ...body.pagination };
  };
  const refused = (query: string): Promise<readonly string[]> => fieldsRefusedAt(stackOf(), `${path}?${query}`);
  return [
    {
      place: "RULINGS 1",
      sentence: isLong
        ? `without page_size, a page has the maximum of ${sizeMax} rows`
        : `without page_size, a page has the whole list, which is shorter than the maximum of ${sizeMax} rows`,
      check: async () => {
        const { rows, totalCount } = await page();
        expect([rows.length, totalCount > sizeMax]).toEqual([isLong ? sizeMax : totalCount, isLong]);
      },
    },
    ...["0", "", String(sizeMax), String(sizeMax + 1), "2147483647"].map(
      (size): Sentence => ({
        place: "RULINGS 1",
        sentence: `page_size=${size} means the maximum page size`,
        check: async () => expect(await page(`page_size=${size}`)).toEqual(await page()),
      }),
    ),
    ...["-1", "1.5", "ten"].map(
      (size): Sentence => ({
        place: "RULINGS 1",
        sentence: `page_size=${size} is a 400 on pageSize`,
        check: async () => expect(await refused(`page_size=${size}`)).toEqual(["pageSize"]),
      }),
    ),
    {
      place: "RULINGS 1",
      sentence: "consecutive pages of three rows have the rows of the list, each row once and in the list's order",
      check: async () => {
        const collected: unknown[] = [];
        for (let cursor = ""; ; ) {
          const { rows, nextCursor } = await page(`page_size=3&cursor=${encodeURIComponent(cursor)}`);
          collected.push(...rows);
          cursor = nextCursor;
          if (cursor === "" || collected.length >= 12) break;
        }
        expect(collected).toEqual((await page()).rows.slice(0, collected.length));
        expect(collected.length).toBeGreaterThan(9);
      },
    },
    {
      place: "SPEC resources, pagination envelope",
      sentence: "totalCount on each page is the number of rows in the whole list",
      check: async () => {
        const { totalCount, nextCursor } = await page("page_size=2");
        expect(totalCount).toBe((await page()).totalCount);
        expect((await page(`page_size=2&cursor=${nextCursor}`)).totalCount).toBe(totalCount);
      },
    },
    {
      place: "RULINGS 1",
      sentence: "nextCursor is empty on the last page",
      check: async () => {
        let last = await page();
        while (last.nextCursor !== "") last = await page(`cursor=${last.nextCursor}`);
        expect(last.nextCursor).toBe("");
        expect(last.rows.length).toBeGreaterThan(0);
      },
    },
    ...["x", "1", "100", "pg1.AAAA.BBBB"].map(
      (cursor): Sentence => ({
        place: "RULINGS 1",
        sentence: `the malformed cursor ${cursor} is a 400 on cursor`,
        check: async () => expect(await refused(`cursor=${cursor}`)).toEqual(["cursor"]),
      }),
    ),
    {
      place: "RULINGS 1",
      sentence: "a cursor of another list is a 400 on cursor",
      check: async () => {
        const other = lists.find((candidate) => candidate !== list);
        const { pagination } = await bodyOf<{ pagination: Page }>(stackOf(), `${other?.path}?page_size=2`);
        expect(await refused(`cursor=${pagination.nextCursor}`)).toEqual(["cursor"]);
      },
    },
    {
      place: "RULINGS 1",
      sentence: "a cursor is signed: one changed character is a 400 on cursor",
      check: async () => {
        const { nextCursor } = await page("page_size=2");
        const middle = Math.floor(nextCursor.length / 2);
        const swapped = nextCursor[middle] === "A" ? "B" : "A";
        const changed = nextCursor.slice(0, middle) + swapped + nextCursor.slice(middle + 1);
        expect(await refused(`cursor=${encodeURIComponent(changed)}`)).toEqual(["cursor"]);
      },
    },
    ...(filter === undefined
      ? []
      : [
          {
            place: "RULINGS 1",
            sentence: `a cursor is bound to its filters: adding ${filter} later is a 400 on cursor`,
            check: async () => {
              const { nextCursor } = await page("page_size=2");
              expect(await refused(`${filter}&cursor=${nextCursor}`)).toEqual(["cursor"]);
              const filtered = await page(`${filter}&page_size=2`);
              expect((await page(`${filter}&cursor=${filtered.nextCursor}`)).rows.length).toBeGreaterThan(0);
            },
          },
        ]),
    {
      place: "RULINGS 1",
      sentence: "pages never shift: the pages after a cursor stay the same after a later build",
      check: async () => {
        const { nextCursor } = await page("page_size=2");
        const before = await page(`cursor=${nextCursor}`);
        const generation = async (): Promise<string | undefined> =>
          (await stackOf().get(`${path}?page_size=1`)).headers["X-Vigil-Generation"];
        const published = await generation();
        stackOf().clock.advance(31 * DAY_MS);
        await stackOf().run(list.dataset);
        expect(await generation()).not.toBe(published);
        expect(await page(`cursor=${nextCursor}`)).toEqual(before);
      },
    },
  ];
}

describe.each(lists)("$path", (list) => {
  testSentences(rowsAbout(list));
});

describe("an empty list", () => {
  const emptyStackOf = sharedStack([]);

  testSentences(
    lists.map(({ path, rows }) => ({
      place: "RULINGS 1",
      sentence: `pagination is always present, even without data: ${path}`,
      check: async () =>
        expect(await bodyOf(emptyStackOf(), path)).toEqual({
          [rows]: [],
          pagination: { nextCursor: "", totalCount: 0 },
        }),
    })),
  );
});
