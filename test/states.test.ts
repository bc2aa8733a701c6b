import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../src/kit/clock.js";
import { loadServices } from "../src/services/registry.js";
import { json, type Stack, startStack } from "./support/stack.js";

interface StateCase {
  readonly path: string;
  /** The dataset whose state is put to the test, then those that must be there beside it. */
  readonly datasets: readonly [string, ...string[]];
  /** What is answered while there is nothing to serve. */
  readonly empty: Readonly<Record<string, unknown>>;
  readonly staleAfterMs: number;
}

const noPages = { pagination: { nextCursor: "", totalCount: 0 } };

const operations: readonly StateCase[] = [
  {
    path: "/api/economic/v1/get-us-cpi-monthly",
    datasets: ["us-cpi"],
    empty: { months: [], unavailable: true },
    staleAfterMs: 72 * HOUR_MS,
  },
  {
    path: "/api/economic/v1/get-us-treasury-par-yield-curve",
    datasets: ["us-treasury-yields"],
    empty: { curves: [], unavailable: true },
    staleAfterMs: 72 * HOUR_MS,
  },
  {
    path: "/api/climate/v1/list-climate-anomalies",
    datasets: ["climate-anomalies", "climate-normals"],
    empty: { anomalies: [], ...noPages },
    staleAfterMs: 540 * MINUTE_MS,
  },
  {
    path: "/api/climate/v1/list-climate-disasters",
    datasets: ["climate-disasters"],
    empty: { disasters: [], ...noPages },
    staleAfterMs: 720 * MINUTE_MS,
  },
  {
    path: "/api/climate/v1/get-co2-monitoring",
    datasets: ["co2-monitoring"],
    empty: {},
    staleAfterMs: 4_320 * MINUTE_MS,
  },
  {
    path: "/api/climate/v1/get-ocean-ice-data",
    datasets: ["ocean-ice"],
    empty: {},
    staleAfterMs: 2_880 * MINUTE_MS,
  },
  {
    path: "/api/climate/v1/list-air-quality-data",
    datasets: ["air-quality"],
    empty: { fetchedAt: 0, stations: [] },
    staleAfterMs: 180 * MINUTE_MS,
  },
  {
    path: "/api/climate/v1/list-climate-news",
    datasets: ["climate-news"],
    empty: { dataAvailable: false, fetchedAt: 0, items: [] },
    staleAfterMs: 90 * MINUTE_MS,
  },
  {
    path: "/api/displacement/v1/get-displacement-summary",
    datasets: ["displacement"],
    empty: { dataAvailable: false, fetchedAt: 0, summary: { countries: [], topFlows: [] } },
    staleAfterMs: 3_600 * MINUTE_MS,
  },
  {
    path: "/api/infrastructure/v1/list-internet-traffic-anomalies",
    datasets: ["internet-traffic-anomalies"],
    empty: { anomalies: [], totalCount: 0 },
    staleAfterMs: 60 * MINUTE_MS,
  },
  {
    path: "/api/conflict/v1/list-alpha-events",
    datasets: ["alpha-events"],
    empty: { events: [], ...noPages },
    staleAfterMs: 38 * MINUTE_MS,
  },
  {
    path: "/api/conflict/v1/list-beta-events",
    datasets: ["beta-events"],
    empty: { events: [], ...noPages },
    staleAfterMs: 420 * MINUTE_MS,
  },
  {
    path: "/api/conflict/v1/get-humanitarian-summary?country_code=SD",
    datasets: ["humanitarian-summary"],
    empty: {},
    staleAfterMs: 300 * MINUTE_MS,
  },
  {
    path: "/api/aviation/v1/list-airport-delays",
    datasets: ["airport-delays"],
    empty: { alerts: [], ...noPages },
    staleAfterMs: 90 * MINUTE_MS,
  },
  {
    path: "/api/aviation/v1/get-airport-ops-summary",
    datasets: ["airport-delays"],
    empty: { cacheHit: false, summaries: [] },
    staleAfterMs: 90 * MINUTE_MS,
  },
  {
    path: "/api/aviation/v1/list-aviation-news",
    datasets: ["aviation-news"],
    empty: { items: [], source: "unavailable", updatedAt: 0 },
    staleAfterMs: 90 * MINUTE_MS,
  },
];

for (const { path, datasets, empty, staleAfterMs } of operations) {
  describe(path, () => {
    const [dataset, ...others] = datasets;
    const generations = (numbers: readonly number[]): string =>
      datasets.map((name, index) => `${name}=${numbers[index]}`).join(", ");
    let stack: Stack;
    beforeAll(async () => {
      stack = await startStack();
    });
    afterAll(() => stack.close());

    const read = async () => {
      const answer = await stack.get(path);
      return { answer, body: json(answer) as Record<string, unknown> };
    };

    test("absent: the empty shape, its marker, and nothing to cache", async () => {
      const { answer, body } = await read();
      expect(answer.status).toBe(200);
      expect(body).toEqual(empty);
      expect(answer.headers).toMatchObject({
        "X-Vigil-State": "absent",
        "X-Vigil-Generation": generations(datasets.map(() => 0)),
        "Cache-Control": "no-store",
      });
      expect(answer.headers).not.toHaveProperty("ETag");
      expect(answer.headers).not.toHaveProperty("Last-Modified");
    });

    test("ok: data, revalidated for free", async () => {
      for (const name of datasets) await stack.run(name);
      const { answer, body } = await read();
      expect(body).not.toEqual(empty);
      expect(answer.headers).toMatchObject({
        "X-Vigil-State": "ok",
        "X-Vigil-Generation": generations(datasets.map(() => 1)),
        "Cache-Control": "private, no-cache",
        "Last-Modified": new Date(stack.clock.now()).toUTCString(),
      });
      const again = await stack.get(path, {
        "x-service-key": stack.service.access.ownerKey.key ?? "",
        "if-none-match": answer.headers["ETag"] ?? "",
      });
      expect(again).toMatchObject({ status: 304, body: undefined, headers: { "X-Vigil-State": "ok" } });
    });

    test("stale: served, said to be stale, and not to be cached", async () => {
      const now = stack.clock.now();
      const fresh = await read();
      stack.clock.advance(staleAfterMs - 1);
      expect((await read()).answer.headers["X-Vigil-State"]).toBe("ok");
      stack.clock.advance(1);
      const { answer, body } = await read();
      expect(body).toEqual(fresh.body);
      expect(answer.headers).toMatchObject({ "X-Vigil-State": "stale", "Cache-Control": "no-store" });
      stack.clock.set(now);
      await stack.service.registry.refresh();
    });

    test("unreadable: answered like absent, and said to be unreadable", async () => {
      const generation = stack.service.registry.generation(stack.dataset(dataset));
      if (!generation) throw new Error("nothing was published");
      await writeFile(join(stack.dataDir, "bodies", generation.contentHash), "not what was stored");
      await stack.restart();
      const { answer, body } = await read();
      expect(answer.status).toBe(200);
      expect(body).toEqual(empty);
      expect(answer.headers).toMatchObject({ "X-Vigil-State": "unreadable", "Cache-Control": "no-store" });
      expect(answer.headers).not.toHaveProperty("ETag");
      stack.clock.advance(DAY_MS);
      await stack.run(dataset);
      for (const name of others) await stack.run(name);
      expect((await read()).answer.headers["X-Vigil-State"]).toBe("ok");
    });
  });
}

test("every operation of aviation and conflict that reads a dataset is in this table", async () => {
  const { operations: all } = await loadServices();
  const reading = all.filter(
    ({ service, operation }) => ["aviation", "conflict"].includes(service) && Object.keys(operation.reads).length > 0,
  );
  const tested = operations.map(({ path }) => path.split("?")[0]);
  expect(tested).toEqual(expect.arrayContaining(reading.map(({ path }) => path)));
});

describe("partial", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
    await stack.run("us-cpi");
  });
  afterAll(() => stack.close());

  test("a component that cannot be read keeps its values; the answer says partial and is not cached", async () => {
    const before = json(await stack.get("/api/economic/v1/get-us-cpi-monthly")) as { months: { energy?: unknown }[] };
    stack.clock.advance(HOUR_MS);
    stack.simulator.faults.set({ upstream: "fred", match: "CPIENGSL" }, { kind: "status", code: 500 });
    const result = await stack.run("us-cpi");
    expect(result.status.parts["energy"]).toMatchObject({ state: "kept", confirmedAt: stack.clock.now() - HOUR_MS });
    const answer = await stack.get("/api/economic/v1/get-us-cpi-monthly");
    expect(answer.headers).toMatchObject({ "X-Vigil-State": "partial", "Cache-Control": "no-store" });
    expect(json(answer)).toEqual(before);
  });

  test("the age of a partial dataset is that of its oldest part", async () => {
    stack.clock.advance(71 * HOUR_MS);
    await stack.run("us-cpi");
    const answer = await stack.get("/api/economic/v1/get-us-cpi-monthly");
    expect(answer.headers["X-Vigil-State"]).toBe("stale");
  });

  test("it is ok again once every part was read", async () => {
    stack.simulator.faults.clear();
    stack.clock.advance(2 * HOUR_MS);
    await stack.run("us-cpi");
    expect((await stack.get("/api/economic/v1/get-us-cpi-monthly")).headers["X-Vigil-State"]).toBe("ok");
  });
});

test("newest observation past its age makes a dataset stale although the upstream answers", async () => {
  const stack = await startStack();
  try {
    await stack.run("us-cpi");
    const served = () => stack.service.registry.get(stack.dataset("us-cpi"));
    // October is the newest month on 18 November, and 75 days after 1 October is 15 December.
    const tooOldAt = Date.UTC(2026, 11, 15);
    // Frozen here: with 304 to every question the upstream confirms what it said without anything new.
    stack.clock.set(tooOldAt - HOUR_MS);
    stack.simulator.faults.set({ upstream: "fred" }, { kind: "status", code: 304 });
    await stack.run("us-cpi");
    expect(served()).toMatchObject({ newestAt: Date.UTC(2026, 9), state: "ok" });
    stack.clock.set(tooOldAt);
    expect(served()).toMatchObject({ newestAt: Date.UTC(2026, 9), state: "stale" });
  } finally {
    await stack.close();
  }
});

test("normals that are still being collected are kept and not yet served", async () => {
  const stack = await startStack();
  const list = "/api/climate/v1/list-climate-anomalies";
  try {
    await stack.run("climate-anomalies");
    const normals = stack.dataset("climate-normals");
    // The free service refuses after a few calls; here at the Congo Basin, the fifth zone asked for.
    stack.simulator.faults.set(
      { upstream: "open-meteo-archive", match: "latitude=-0.7" },
      { kind: "status", code: 429 },
    );
    const first = await stack.run("climate-normals");
    expect(first.outcome).toBe("published");
    expect(first.generation?.recordCounts).toEqual({ normals: 4 });
    expect(first.status.parts["normals"]).toMatchObject({ state: "kept", error: expect.stringContaining("429") });
    const early = await stack.get(list);
    expect(early.headers["X-Vigil-State"]).toBe("absent");
    expect(json(early)).toEqual({ anomalies: [], ...noPages });
    expect(stack.service.registry.get(normals)).toMatchObject({
      reason: expect.stringContaining("normals are still being collected"),
    });

    stack.simulator.faults.clear();
    stack.clock.advance(HOUR_MS);
    const second = await stack.run("climate-normals");
    expect(second.generation?.recordCounts).toEqual({ normals: 25 });
    expect(second.reports).toHaveLength(11);
    expect((await stack.get(list)).headers["X-Vigil-State"]).toBe("ok");

    stack.clock.advance(30 * DAY_MS);
    const third = await stack.run("climate-normals");
    expect([third.outcome, third.reports]).toEqual(["unchanged", []]);
  } finally {
    await stack.close();
  }
});

test("a source without its key is off, said to be, and missing to nobody", async () => {
  const stack = await startStack({ keyless: true });
  try {
    expect((await stack.run("air-quality")).outcome).toBe("published");
    const answer = await stack.get("/api/climate/v1/list-air-quality-data");
    expect(answer.headers["X-Vigil-State"]).toBe("ok");
    const sources = (json(answer) as { stations: { source: string }[] }).stations.map(({ source }) => source);
    expect(new Set(sources)).toEqual(new Set(["Open-Meteo (model)"]));
    expect((await stack.run("internet-traffic-anomalies")).outcome).toBe("unconfigured");
    const health = json(await stack.get("/api/health")) as { datasets: { name: string; error: string | null }[] };
    expect(health.datasets.find(({ name }) => name === "internet-traffic-anomalies")?.error).toContain(
      "CLOUDFLARE_API_TOKEN",
    );
    const cards = json(await stack.get("/api/datasets")) as {
      datasets: { name: string; parts: { name: string; state: string; error: string | null }[] }[];
    };
    const card = cards.datasets.find(({ name }) => name === "air-quality");
    expect(card?.parts.find(({ name }) => name === "openaq")).toMatchObject({
      state: "off",
      error: expect.stringContaining("OPENAQ_API_KEY"),
    });
  } finally {
    await stack.close();
  }
});

test("a list that cannot be read for long is taken out instead of passing for present", async () => {
  const stack = await startStack();
  const sourcesOf = async (): Promise<Set<string>> => {
    const answer = await stack.get("/api/climate/v1/list-climate-disasters");
    return new Set((json(answer) as { disasters: { source: string }[] }).disasters.map(({ source }) => source));
  };
  try {
    await stack.run("climate-disasters");
    expect(await sourcesOf()).toContain("GDACS");
    stack.simulator.faults.set({ upstream: "gdacs" }, { kind: "status", code: 500 });
    stack.clock.advance(12 * HOUR_MS - 1);
    await stack.run("climate-disasters");
    expect(await sourcesOf()).toContain("GDACS");
    stack.clock.advance(1);
    await stack.run("climate-disasters");
    expect(await sourcesOf()).not.toContain("GDACS");
    const answer = await stack.get("/api/climate/v1/list-climate-disasters");
    expect(answer.headers).toMatchObject({ "X-Vigil-State": "partial", "Cache-Control": "no-store" });
  } finally {
    await stack.close();
  }
});
