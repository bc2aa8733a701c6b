import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../src/kit/clock.js";
import { seededRandom } from "../src/kit/random.js";
import { json, type Stack, startStack } from "./support/stack.js";

interface PageBody {
  readonly rows: readonly unknown[];
  readonly nextCursor: string;
  readonly totalCount: number;
}

const lists = [
  {
    path: "/api/climate/v1/list-climate-disasters",
    list: "disasters",
    datasets: ["climate-disasters"],
    sizeMax: 100,
    sizeStep: 1,
    renewedAfterMs: DAY_MS,
  },
  {
    path: "/api/climate/v1/list-climate-anomalies",
    list: "anomalies",
    datasets: ["climate-anomalies", "climate-normals"],
    sizeMax: 500,
    sizeStep: 1,
    renewedAfterMs: DAY_MS,
  },
  {
    path: "/api/conflict/v1/list-beta-events",
    list: "events",
    datasets: ["beta-events"],
    sizeMax: 2_000,
    // Larger steps, because the list has several thousand events.
    sizeStep: 120,
    // New events are published monthly.
    renewedAfterMs: 31 * DAY_MS,
  },
  {
    path: "/api/aviation/v1/list-airport-delays",
    list: "alerts",
    datasets: ["airport-delays"],
    sizeMax: 500,
    sizeStep: 1,
    renewedAfterMs: DAY_MS,
  },
];

/** Number of times that a list is read page by page. */
const ROUNDS = 2;
/** Maximum number of builds while one list is read page by page. */
const BUILDS_PER_ROUND_MAX = 4;

describe.each(lists)("$path", ({ path, list, datasets, sizeMax, sizeStep, renewedAfterMs }) => {
  /** Another list. It rejects the cursors of this list, and stays without data. */
  const other = lists.find((candidate) => candidate.path !== path);
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ datasets: [...datasets, ...(other?.datasets ?? [])] });
    for (const name of datasets) await stack.run(name);
  });
  afterAll(() => stack.close());

  async function page(query: Readonly<Record<string, string>>): Promise<PageBody> {
    const answer = await stack.get(`${path}?${new URLSearchParams(query)}`);
    expect(answer.status).toBe(200);
    const body = json(answer) as Record<string, unknown> & { pagination: { nextCursor: string; totalCount: number } };
    return { rows: body[list] as unknown[], ...body.pagination };
  }

  const violationOf = async (query: Readonly<Record<string, string>>) => {
    const answer = await stack.get(`${path}?${new URLSearchParams(query)}`);
    return [
      answer.status,
      (json(answer) as { violations?: { field: string }[] }).violations?.map(({ field }) => field),
    ];
  };

  test("treats an absent page size, 0 and anything above the maximum as the maximum", async () => {
    const whole = await page({});
    expect(whole.rows.length).toBe(Math.min(whole.totalCount, sizeMax));
    expect(whole.totalCount).toBeGreaterThan(10);
    for (const size of ["0", "-0", String(sizeMax), String(sizeMax + 1), "2147483647", "99999999999"]) {
      expect(await page({ page_size: size })).toEqual(whole);
    }
    expect((await page({ page_size: "1" })).rows).toEqual(whole.rows.slice(0, 1));
  });

  test.each(["-1", "1.5", "ten", "1e2", "0x10", " 5", "5;"])("rejects the page size %j", async (size) => {
    expect(await violationOf({ page_size: size })).toEqual([400, ["pageSize"]]);
  });

  test("keeps all pages in the generation of the first page, regardless of page sizes and later builds", async () => {
    const random = seededRandom(7);
    for (let round = 0; round < ROUNDS; round += 1) {
      const whole: unknown[] = [];
      let cursor = "";
      do {
        const { rows, nextCursor } = await page(cursor === "" ? {} : { cursor });
        whole.push(...rows);
        cursor = nextCursor;
      } while (cursor !== "");
      const union: unknown[] = [];
      let { rows, nextCursor, totalCount } = await page({
        page_size: String(sizeStep * (1 + Math.floor(random() * 7))),
      });
      union.push(...rows);
      for (let at = 1; nextCursor !== ""; at += 1) {
        // Builds run before only a few pages, because one build takes longer than reading all pages.
        if (at % 2 === 1 && at < 2 * BUILDS_PER_ROUND_MAX) {
          stack.clock.advance(renewedAfterMs);
          await stack.run(datasets[0] ?? "");
        }
        ({ rows, nextCursor, totalCount } = await page({
          page_size: String(sizeStep * (1 + Math.floor(random() * 9))),
          cursor: nextCursor,
        }));
        union.push(...rows);
      }
      expect(union).toEqual(whole);
      expect(union).toHaveLength(totalCount);
      expect(new Set(union.map((row) => JSON.stringify(row))).size).toBe(union.length);
    }
  });

  test("serves a page with the same generation header and the same body after a later build", async () => {
    const { nextCursor } = await page({ page_size: "2" });
    const target = `${path}?${new URLSearchParams({ cursor: nextCursor, page_size: "2" })}`;
    const answer = await stack.get(target);
    const generation = answer.headers["X-Vigil-Generation"];
    stack.clock.advance(renewedAfterMs);
    await stack.run(datasets[0] ?? "");
    const later = await stack.get(target);
    expect(later.headers["X-Vigil-Generation"]).toBe(generation);
    expect(String(later.body)).toBe(String(answer.body));
    expect((await stack.get(path)).headers["X-Vigil-Generation"]).not.toBe(generation);
  });

  test("rejects a cursor in which any byte was changed", async () => {
    const { nextCursor } = await page({ page_size: "2" });
    for (let at = 0; at < nextCursor.length; at += 1) {
      for (const flip of [1, 2, 0x20]) {
        const code = nextCursor.charCodeAt(at) ^ flip;
        const broken = nextCursor.slice(0, at) + String.fromCharCode(code) + nextCursor.slice(at + 1);
        expect(await violationOf({ cursor: broken })).toEqual([400, ["cursor"]]);
      }
    }
    for (const broken of ["x", ".", "..", nextCursor.slice(1), nextCursor.slice(0, -1), `${nextCursor}A`, "1", "100"]) {
      expect(await violationOf({ cursor: broken })).toEqual([400, ["cursor"]]);
    }
  });

  test("rejects a cursor of another list", async () => {
    const answer = await stack.get(`${other?.path}?cursor=${(await page({ page_size: "2" })).nextCursor}`);
    expect(answer.status).toBe(400);
    expect(json(answer)).toMatchObject({
      violations: [{ field: "cursor", description: expect.stringContaining("is not a cursor of this list") }],
    });
  });

  test("accepts a cursor after a restart and rejects it once its generation is gone", async () => {
    const { nextCursor } = await page({ page_size: "2" });
    const expected = await page({ cursor: nextCursor });
    await stack.restart();
    expect(await page({ cursor: nextCursor })).toEqual(expected);
    stack.clock.advance(renewedAfterMs);
    await stack.run(datasets[0] ?? "");
    await stack.service.database.db
      .deleteFrom("snapshot")
      .where("dataset", "=", datasets[0] ?? "")
      .execute();
    await stack.restart();
    expect(await violationOf({ cursor: nextCursor })).toEqual([400, ["cursor"]]);
  });
});
