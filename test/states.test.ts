import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../src/kit/clock.js";
import { loadServices } from "../src/services/registry.js";
import { json, type Stack, startStack } from "./support/stack.js";

const noPages = { pagination: { nextCursor: "", totalCount: 0 } };

/** The age of the last confirmation, in minutes, at which each dataset becomes stale. */
const staleAfterMinutes: Readonly<Record<string, number>> = {
  "us-cpi": 4_320,
  "us-treasury-yields": 4_320,
  "climate-anomalies": 540,
  "climate-disasters": 720,
  "co2-monitoring": 4_320,
  "ocean-ice": 2_880,
  "air-quality": 180,
  "climate-news": 90,
  displacement: 3_600,
  "internet-traffic-anomalies": 60,
  "alpha-events": 38,
  "beta-events": 420,
  "humanitarian-summary": 300,
  "airport-delays": 90,
  "aviation-news": 90,
};

test.each(Object.entries(staleAfterMinutes))("the dataset %s is stale after %i minutes", async (name, minutes) => {
  const { datasets } = await loadServices();
  expect(datasets.find((dataset) => dataset.name === name)?.staleAfterMs).toBe(minutes * MINUTE_MS);
});

describe("a partial dataset", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
    await stack.run("us-cpi");
  });
  afterAll(() => stack.close());

  test("is marked partial and not cached, and has the earlier values of the part that could not be read", async () => {
    const before = json(await stack.get("/api/economic/v1/get-us-cpi-monthly")) as { months: { energy?: unknown }[] };
    stack.clock.advance(HOUR_MS);
    stack.simulator.faults.set({ upstream: "fred", match: "CPIENGSL" }, { kind: "status", code: 500 });
    const result = await stack.run("us-cpi");
    expect(result.status.parts["energy"]).toMatchObject({ state: "kept", confirmedAt: stack.clock.now() - HOUR_MS });
    const answer = await stack.get("/api/economic/v1/get-us-cpi-monthly");
    expect(answer.headers).toMatchObject({ "X-Vigil-State": "partial", "Cache-Control": "no-store" });
    expect(json(answer)).toEqual(before);
  });

  test("is as old as its oldest part, so it becomes stale with that part", async () => {
    stack.clock.advance(71 * HOUR_MS);
    await stack.run("us-cpi");
    const answer = await stack.get("/api/economic/v1/get-us-cpi-monthly");
    expect(answer.headers["X-Vigil-State"]).toBe("stale");
  });

  test("is ok again once every part has been read", async () => {
    stack.simulator.faults.clear();
    stack.clock.advance(2 * HOUR_MS);
    await stack.run("us-cpi");
    expect((await stack.get("/api/economic/v1/get-us-cpi-monthly")).headers["X-Vigil-State"]).toBe("ok");
  });
});

test("a dataset becomes stale when its newest observation is too old, although the upstream answers", async () => {
  const stack = await startStack();
  try {
    await stack.run("us-cpi");
    const served = () => stack.service.registry.get(stack.dataset("us-cpi"));
    // On 18 November, the newest month is October. On 15 December, 1 October is 75 days ago, which is the age limit.
    const tooOldAt = Date.UTC(2026, 11, 15);
    // The series stops here: a 304 for every request confirms the old content without anything new.
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

test("incomplete climate normals are kept, but anomalies are not yet served", async () => {
  const stack = await startStack();
  const list = "/api/climate/v1/list-climate-anomalies";
  try {
    await stack.run("climate-anomalies");
    const normals = stack.dataset("climate-normals");
    // Open-Meteo's free API refuses after a few calls; here it refuses the fifth requested zone, the Congo Basin.
    stack.simulator.faults.set(
      { upstream: "open-meteo-archive", match: "latitude=-0.7" },
      { kind: "status", code: 429 },
    );
    const firstRun = await stack.run("climate-normals");
    expect(firstRun.outcome).toBe("published");
    expect(firstRun.generation?.recordCounts).toEqual({ normals: 4 });
    expect(firstRun.status.parts["normals"]).toMatchObject({ state: "kept", error: expect.stringContaining("429") });
    const early = await stack.get(list);
    expect(early.headers["X-Vigil-State"]).toBe("absent");
    expect(json(early)).toEqual({ anomalies: [], ...noPages });
    expect(stack.service.registry.get(normals)).toMatchObject({
      reason: expect.stringContaining("normals are still being collected"),
    });

    stack.simulator.faults.clear();
    stack.clock.advance(HOUR_MS);
    const secondRun = await stack.run("climate-normals");
    expect(secondRun.generation?.recordCounts).toEqual({ normals: 25 });
    expect(secondRun.reports).toHaveLength(11);
    expect((await stack.get(list)).headers["X-Vigil-State"]).toBe("ok");

    stack.clock.advance(30 * DAY_MS);
    const thirdRun = await stack.run("climate-normals");
    expect([thirdRun.outcome, thirdRun.reports]).toEqual(["unchanged", []]);
  } finally {
    await stack.close();
  }
});

test("a source without its key is off, is reported as off and degrades no answer", async () => {
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

test("if a source cannot be read for 12 hours, its rows are removed instead of being served as current", async () => {
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
