import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lacksExplanation } from "../src/contract/explanation.js";
import type { RegisteredOperation } from "../src/contract/operation.js";
import { DAY_MS, HOUR_MS } from "../src/kit/clock.js";
import { seededRandom } from "../src/kit/random.js";
import { post } from "./support/accounts.js";
import { json, NOON, type Stack, startStack } from "./support/stack.js";

interface Explained {
  readonly filters: readonly { name: string; value?: string; leftOut: number; example?: string }[];
  readonly ignored: readonly { name: string; value: string; reason: string }[];
  readonly defaults: readonly { name: string; value: string }[];
  readonly rows: { readonly inSnapshot: number; readonly leftOut: number; readonly inList: number };
  readonly datasets: readonly {
    readonly name: string;
    readonly state: string;
    readonly sources: readonly { readonly source: string; readonly spoke: boolean; readonly reason?: string }[];
  }[];
}

type Body = Readonly<Record<string, unknown>> & { readonly explain?: Explained };

/** Every list that can be explained. `rows` is the member with its rows; `filters` has sample values of its filters. */
const lists: Readonly<
  Record<string, { readonly rows: string; readonly filters?: Readonly<Record<string, readonly string[]>> }>
> = {
  "list-earthquakes": {
    rows: "earthquakes",
    filters: {
      start: [NOON - DAY_MS, NOON - 3 * DAY_MS, NOON + 1].map(String),
      end: [NOON, NOON - 2 * DAY_MS, NOON - 9 * DAY_MS].map(String),
      min_magnitude: ["0", "4.8", "5.5", "9"],
    },
  },
  "list-natural-events": {
    rows: "events",
    filters: { days: ["1", "3", "30"], category: ["severeStorms", "volcanoes", "wildfires"] },
  },
  "list-airport-delays": { rows: "alerts" },
  "list-aviation-news": {
    rows: "items",
    filters: {
      entities: ["Airbus", "Boeing,easyJet", "no such name"],
      window_hours: ["1", "24", "168"],
      max_items: ["1", "50"],
    },
  },
  "list-air-quality-data": { rows: "stations" },
  "list-climate-anomalies": { rows: "anomalies" },
  "list-climate-disasters": { rows: "disasters" },
  "list-climate-news": { rows: "items" },
  "list-alpha-events": {
    rows: "events",
    filters: {
      country: ["UA", "Sudan", "SY", "nowhere"],
      start: [NOON - DAY_MS, NOON - 20 * DAY_MS].map(String),
      end: [NOON - HOUR_MS, NOON - 3 * DAY_MS, NOON - 25 * DAY_MS].map(String),
    },
  },
  "list-beta-events": {
    rows: "events",
    filters: {
      country: ["UA", "Sudan", "nowhere"],
      start: [NOON - 60 * DAY_MS, NOON - 300 * DAY_MS].map(String),
      end: [NOON - 40 * DAY_MS, NOON - 200 * DAY_MS, NOON - 900 * DAY_MS].map(String),
    },
  },
  "list-internet-traffic-anomalies": { rows: "anomalies", filters: { country: ["SY", "US", "Iran", "nowhere"] } },
  "list-material-events": {
    rows: "events",
    filters: { item_code: ["5.02", "9.01", "1.05", "0.00"], limit: ["1", "100"] },
  },
  "list-sanctions-pressure": { rows: "entries", filters: { max_items: ["1", "60"] } },
  "list-feed-digest": { rows: "categories", filters: { variant: ["tech", "full"] } },
  "get-us-cpi-monthly": { rows: "months", filters: { history: ["true", "false"] } },
  "get-us-treasury-par-yield-curve": { rows: "curves", filters: { history: ["true", "false"] } },
};

/** The total number of rows of a list, from the answer with its first page. */
function rowCount(rpc: string, body: Body): number {
  const { pagination } = body as { readonly pagination?: { readonly totalCount: number } };
  const rows = body[lists[rpc]?.rows ?? ""];
  if (pagination && rpc !== "list-alpha-events") return pagination.totalCount;
  if (Array.isArray(rows)) return rows.length;
  return Object.values(rows as Record<string, { readonly items: unknown[] }>).flatMap(({ items }) => items).length;
}

const explainedOf = (body: Body): Explained => {
  if (!body.explain) throw new Error("the answer has no explanation");
  return body.explain;
};

describe("explain=true", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ filled: "all" });
  }, 60_000);
  afterAll(() => stack.close());

  const operationOf = (rpc: string): RegisteredOperation => {
    const registered = stack.services.operations.find(({ operation }) => operation.rpc === rpc);
    if (!registered) throw new Error(`no operation ${rpc}`);
    return registered;
  };
  const read = async (rpc: string, query: Readonly<Record<string, string>>): Promise<Body> => {
    const answer = await stack.get(`${operationOf(rpc).path}?${new URLSearchParams(query)}`);
    expect(answer.status, String(answer.body)).toBe(200);
    return json(answer) as Body;
  };

  test("explains every list that is answered from snapshots, and this file tests every explained list", () => {
    const explained = stack.services.operations.filter(({ operation }) => lacksExplanation(operation) === undefined);
    expect(explained.map(({ operation }) => operation.rpc).sort()).toEqual(Object.keys(lists).sort());
    const unexplained = stack.services.operations.filter(
      ({ operation }) =>
        operation.rpc.startsWith("list-") && !operation.fetches && lacksExplanation(operation) !== undefined,
    );
    expect(unexplained.map(({ operation }) => operation.rpc)).toEqual([]);
  });

  test.each(Object.keys(lists))(
    "%s: with any filters, kept and excluded rows add up to all rows of the snapshot",
    async (rpc) => {
      const random = seededRandom(rpc.length);
      const { filters = {} } = lists[rpc] ?? {};
      const whole = explainedOf(await read(rpc, { explain: "true" })).rows.inSnapshot;
      expect(whole).toBeGreaterThan(0);
      for (let round = 0; round < 12; round += 1) {
        const chosen = Object.entries(filters).filter(() => random() < 0.6);
        const query = Object.fromEntries(
          chosen.map(([name, values]) => [name, values[Math.floor(random() * values.length)] ?? ""]),
        );
        const body = await read(rpc, { ...query, explain: "true" });
        const { rows, filters: applied } = explainedOf(body);
        expect(rows.inList, JSON.stringify(query)).toBe(rowCount(rpc, body));
        expect(rows.inSnapshot).toBe(rows.inList + rows.leftOut);
        if (rpc !== "list-feed-digest") expect(rows.inSnapshot).toBe(whole);
        expect(applied.reduce((sum, { leftOut }) => sum + leftOut, 0)).toBe(rows.leftOut);
        for (const { leftOut, example = "" } of applied) expect(example !== "").toBe(leftOut > 0);
        expect(applied.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(query)));
      }
    },
  );

  test.each(Object.keys(lists))(
    "%s: adds the member `explain` and changes no other member, except in the digest",
    async (rpc) => {
      const { explain, ...explained } = await read(rpc, { explain: "true" });
      const plain = await read(rpc, {});
      // For the digest, explain also adds the parts of the scores to the items, so the items differ.
      if (rpc !== "list-feed-digest") expect(explained).toEqual(plain);
      expect(Object.keys(plain)).not.toContain("explain");
      expect(explain).toBeDefined();
    },
  );
});

describe("an explained answer", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({
      datasets: ["earthquakes", "airport-delays"],
      filled: ["earthquakes", "airport-delays"],
    });
  });
  afterAll(() => stack.close());

  const EARTHQUAKES = "/api/seismology/v1/list-earthquakes";
  const DELAYS = "/api/aviation/v1/list-airport-delays";
  const explainedAt = async (target: string): Promise<Explained> => explainedOf(json(await stack.get(target)) as Body);

  test("reports filters, ignored parameters and defaults with the values that the service used", async () => {
    expect(
      await explainedAt(`${EARTHQUAKES}?min_magnitude=005.0&start=0&explain=1&colour=red&page_size=&x=1&x=2`),
    ).toMatchObject({
      filters: [{ name: "min_magnitude", value: "5" }],
      ignored: [
        { name: "colour", value: "red", reason: "unknown parameter" },
        { name: "x", value: "1,2", reason: "unknown parameter" },
      ],
      defaults: [{ name: "page_size", value: "500" }],
    });
    expect(await explainedAt(`${DELAYS}?region=EU&explain=true&page_size=3`)).toMatchObject({
      filters: [],
      ignored: [{ name: "region", value: "EU", reason: "accepted and ignored" }],
      defaults: [],
    });
    const many = Array.from({ length: 30 }, (_, index) => `p${index}=${"x".repeat(99)}`).join("&");
    const { ignored } = await explainedAt(`${EARTHQUAKES}?explain=true&${many}`);
    expect([ignored.length, ignored[0]?.value.length, ignored.at(-1)]).toEqual([
      21,
      40,
      { name: "…", value: "10", reason: "further unknown parameters" },
    ]);
  });

  test("has the same counts on every page, and the same cursors as the unexplained list", async () => {
    interface Page {
      readonly pagination: { readonly nextCursor: string; readonly totalCount: number };
      readonly explain: Explained;
    }
    const page = async (query: string) => json(await stack.get(`${EARTHQUAKES}?page_size=3&${query}`)) as Page;
    const first = await page("explain=true&min_magnitude=5");
    const cursor = encodeURIComponent(first.pagination.nextCursor);
    expect(cursor).not.toBe("");
    const second = await page(`explain=true&min_magnitude=5&cursor=${cursor}`);
    expect(second.explain.rows).toEqual(first.explain.rows);
    expect(second.explain.filters).toEqual(first.explain.filters);
    expect((await page(`min_magnitude=5&cursor=${cursor}`)).pagination).toEqual(second.pagination);
    expect(first.explain.rows.inList).toBe(first.pagination.totalCount);
  });

  test("can be projected, batched and read as of an instant", async () => {
    const { rows } = await explainedAt(`${EARTHQUAKES}?explain=true`);
    expect(json(await stack.get(`${EARTHQUAKES}?explain=true&jmespath=explain.rows`))).toEqual(rows);
    const key = stack.service.access.ownerKey.key ?? "";
    const operations = [{ path: `${EARTHQUAKES}?explain=true` }];
    const batch = await post(stack.answer, "/api/batch/v1/execute", { operations }, { "x-service-key": key });
    expect(json(batch)).toMatchObject({ results: [{ status: 200, body: { explain: { rows } } }] });
    const then = await stack.get(`${EARTHQUAKES}?explain=true&as_of=${stack.clock.now()}`);
    expect(then.status).toBe(200);
    expect((json(then) as Body).explain?.rows).toEqual(rows);
  });

  test("has its own ETag, which also changes if a source fails and the content stays the same", async () => {
    const plain = await stack.get(EARTHQUAKES);
    const explained = await stack.get(`${EARTHQUAKES}?explain=true`);
    expect(explained.headers["ETag"]).not.toBe(plain.headers["ETag"]);
    const key = stack.service.access.ownerKey.key ?? "";
    const again = (etag = "") =>
      stack.get(`${EARTHQUAKES}?explain=true`, { "x-service-key": key, "if-none-match": etag });
    expect((await again(explained.headers["ETag"])).status).toBe(304);
    stack.simulator.faults.set({ upstream: "nrcan-earthquakes" }, { kind: "status", code: 503 });
    await stack.run("earthquakes");
    const failing = await again(explained.headers["ETag"]);
    expect(failing.status).toBe(200);
    const { datasets } = explainedOf(json(failing) as Body);
    expect(datasets[0]).toMatchObject({ name: "earthquakes", state: "partial" });
    expect(datasets[0]?.sources.map(({ source, spoke, reason }) => [source, spoke, reason !== undefined])).toEqual([
      ["usgs-earthquakes", true, false],
      ["nrcan-earthquakes", true, true],
    ]);
  });

  test.each([
    ["/api/sanctions/v1/lookup-sanction-entity?q=bank", "only lists that are answered from snapshots are explained"],
    ["/api/aviation/v1/track-aircraft?icao24=abc123", "only lists that are answered from snapshots are explained"],
    ["/api/datasets/v1/list-dataset-states?", "only lists that are answered from snapshots are explained"],
    ["/api/datasets/v1/stream-dataset-changes?", "is not available for streams"],
  ])("explain is refused for anything but a list from snapshots: %s", async (target, reason) => {
    const refused = await stack.get(`${target}&explain=true`);
    expect([refused.status, json(refused)]).toEqual([
      400,
      { violations: [{ field: "explain", description: expect.stringContaining(reason) }] },
    ]);
  });

  test.each(["yes", "2", "true&explain=false"])("explain=%s is refused with a 400", async (text) => {
    expect((await stack.get(`${EARTHQUAKES}?explain=${text}`)).status).toBe(400);
  });
});
