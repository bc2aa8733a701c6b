import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AnyDataset } from "../src/contract/dataset.js";
import { MINUTE_MS } from "../src/kit/clock.js";
import { loadServices } from "../src/services/registry.js";
import type { Fault } from "../src/simulator/faults.js";
import { json, NOON, type Stack, startStack } from "./support/stack.js";

/** What every way of failing must leave alone: the stored generation, its content and its time. */
interface FailureCase {
  readonly name: string;
  readonly fault: Fault;
  /** What health says of it. */
  readonly says: RegExp;
  /** Faults that answer only when time moves on. */
  readonly waitMs?: number;
}

const cases: readonly FailureCase[] = [
  { name: "404", fault: { kind: "status", code: 404 }, says: /unavailable: .*404/ },
  { name: "500", fault: { kind: "status", code: 500 }, says: /unavailable: .*500/ },
  {
    name: "429 with Retry-After",
    fault: { kind: "status", code: 429, retryAfter: 120 },
    says: /unavailable: .*(429|asked to be left alone)/,
  },
  { name: "no answer in time", fault: { kind: "hang" }, says: /unavailable: .*within \d+ ms/, waitMs: 2 * MINUTE_MS },
  { name: "a cut body", fault: { kind: "cut", afterRatio: 0.5 }, says: /unavailable: / },
  { name: "a body cut at a chunk", fault: { kind: "cut", afterRatio: 0.5, framing: "chunked" }, says: /unavailable: / },
  { name: "an HTML page", fault: { kind: "html" }, says: /changed: / },
  { name: "no bytes", fault: { kind: "blank" }, says: /empty: / },
  { name: "no rows", fault: { kind: "empty" }, says: /(empty|changed): / },
  { name: "another shape", fault: { kind: "changed" }, says: /changed: / },
];

interface Feed {
  readonly dataset: string;
  /** What is struck: one upstream, or all of a dataset that has several. */
  readonly upstream: string;
  readonly path: string;
  /** Requests that a single bad row is put into; all of them unless said. */
  readonly badRowMatch?: string;
  /** Without keys, so that other sources are read than with them. */
  readonly keyless?: true;
  /** False where a broken row is no bad one: a feed's item without a date is left out like any other. */
  readonly countsBadRows?: false;
}

const feeds: readonly Feed[] = [
  { dataset: "us-cpi", upstream: "fred", path: "/api/economic/v1/get-us-cpi-monthly?history=true" },
  {
    dataset: "us-treasury-yields",
    upstream: "treasury",
    path: "/api/economic/v1/get-us-treasury-par-yield-curve?history=true",
  },
  { dataset: "co2-monitoring", upstream: "noaa-gml", path: "/api/climate/v1/get-co2-monitoring" },
  { dataset: "ocean-ice", upstream: "*", path: "/api/climate/v1/get-ocean-ice-data", badRowMatch: "extent_daily" },
  {
    dataset: "climate-anomalies",
    upstream: "open-meteo-archive",
    path: "/api/climate/v1/list-climate-anomalies",
    // The zones of the other calls are mandatory.
    badRowMatch: "latitude=48.4",
  },
  {
    dataset: "climate-disasters",
    upstream: "*",
    path: "/api/climate/v1/list-climate-disasters",
    badRowMatch: "rss.xml",
  },
  { dataset: "air-quality", upstream: "*", path: "/api/climate/v1/list-air-quality-data" },
  { dataset: "climate-news", upstream: "*", path: "/api/climate/v1/list-climate-news", badRowMatch: "reports" },
  {
    dataset: "displacement",
    upstream: "unhcr",
    path: "/api/displacement/v1/get-displacement-summary",
    // The current year is not published yet.
    badRowMatch: "year=2025",
  },
  {
    dataset: "internet-traffic-anomalies",
    upstream: "cloudflare-radar",
    path: "/api/infrastructure/v1/list-internet-traffic-anomalies",
  },
  {
    dataset: "alpha-events",
    upstream: "*",
    path: "/api/conflict/v1/list-alpha-events",
    badRowMatch: "api/acled/read",
  },
  {
    dataset: "beta-events",
    upstream: "ucdp",
    path: "/api/conflict/v1/list-beta-events",
    // Newer releases are not published yet.
    badRowMatch: "gedevents/26.0.10",
  },
  {
    dataset: "humanitarian-summary",
    upstream: "hdx-hapi",
    path: "/api/conflict/v1/get-humanitarian-summary?country_code=SD",
  },
  {
    dataset: "airport-delays",
    upstream: "*",
    path: "/api/aviation/v1/list-airport-delays",
    badRowMatch: "dep_iata=LHR",
  },
  {
    dataset: "aviation-news",
    upstream: "*",
    // So far back that no item leaves the window while the cases go by.
    path: "/api/aviation/v1/list-aviation-news?window_hours=168&max_items=50",
    countsBadRows: false,
  },
  {
    ...{ dataset: "alpha-events", upstream: "gdelt", keyless: true, path: "/api/conflict/v1/list-alpha-events" },
    // What is no line of the list is not read, and an export that is not the listed one is not taken.
    ...{ badRowMatch: "masterfilelist", countsBadRows: false },
  },
  {
    ...{ dataset: "humanitarian-summary", upstream: "hdx-hapi", keyless: true, badRowMatch: "_2026.csv" },
    path: "/api/conflict/v1/get-humanitarian-summary?country_code=SD",
  },
  {
    ...{ dataset: "airport-delays", upstream: "faa-nas-status", keyless: true },
    path: "/api/aviation/v1/list-airport-delays",
  },
];

for (const { dataset, upstream, path, badRowMatch, countsBadRows, keyless = false } of feeds) {
  describe(`${dataset} fed by ${upstream}${keyless ? ", without keys" : ""}`, () => {
    let stack: Stack;
    let before: { generation: unknown; body: string; lastModified: string | undefined };

    beforeAll(async () => {
      stack = await startStack({ keyless });
      await stack.run(dataset);
      if (dataset === "climate-anomalies") await stack.run("climate-normals");
      // So that departures are due again when the first case begins.
      if (dataset === "airport-delays") stack.clock.advance(30 * MINUTE_MS);
      const answer = await stack.get(path);
      const generation = stack.service.registry.generation(stack.dataset(dataset));
      before = { generation, body: String(answer.body), lastModified: answer.headers["Last-Modified"] };
    });
    afterAll(() => stack.close());
    beforeEach(() => {
      stack.simulator.faults.clear();
      // Far enough for every breaker and Retry-After of the case before to be over.
      stack.clock.advance(30 * MINUTE_MS);
    });

    async function runWith({ fault, waitMs }: Pick<FailureCase, "fault" | "waitMs">) {
      stack.simulator.faults.set({ upstream }, fault);
      const running = stack.run(dataset);
      if (waitMs === undefined) return running;
      let isDone = false;
      const done = running.finally(() => {
        isDone = true;
      });
      while (!isDone) {
        // Requests that wait for their turn begin their time limit only then.
        if (stack.clock.sleeping > 0 && stack.simulator.requests.list().at(-1)?.fault === "hang")
          stack.clock.advance(waitMs);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return done;
    }

    async function expectUntouched(says: RegExp): Promise<void> {
      expect(stack.service.registry.generation(stack.dataset(dataset))).toEqual(before.generation);
      const answer = await stack.get(path);
      expect(String(answer.body)).toBe(before.body);
      expect(answer.headers["Last-Modified"]).toBe(before.lastModified);
      const health = json(await stack.get("/api/health")) as { datasets: { name: string; error: string }[] };
      expect(health.datasets.find(({ name }) => name === dataset)?.error).toMatch(says);
    }

    test.each(cases)("$name leaves the stored snapshot, its generation and its time untouched", async (failing) => {
      const result = await runWith(failing);
      expect(result.outcome).toBe("failed");
      await expectUntouched(failing.says);
    });

    test("a refused connection leaves the stored snapshot untouched", async () => {
      const result = await runWith({ fault: { kind: "down" } });
      expect(result.outcome).toBe("failed");
      await expectUntouched(/unavailable: /);
    });

    test("Retry-After puts the next run off until then", async () => {
      const result = await runWith({ fault: { kind: "status", code: 429, retryAfter: 1_800 } });
      expect(result.status.nextAt).toBeGreaterThanOrEqual(stack.clock.now() + 1_790_000);
    });

    test("one bad row is counted, skipped and the rest published", async () => {
      const fresh = await startStack({ at: NOON, keyless });
      try {
        const match = badRowMatch ?? "";
        fresh.simulator.faults.set({ upstream, match }, { kind: "bad-row" });
        const result = await fresh.run(dataset);
        expect(result.outcome).toBe("published");
        const struck = result.reports.filter(({ url }) => url.includes(match));
        expect(struck.length).toBeGreaterThan(0);
        expect(struck.map(({ rowsBad }) => rowsBad)).toEqual(struck.map(() => (countsBadRows === false ? 0 : 1)));
      } finally {
        await fresh.close();
      }
    });

    test("the upstream's return is taken up by the next run", async () => {
      await runWith({ fault: { kind: "status", code: 500 } });
      stack.simulator.faults.clear();
      stack.clock.advance(2 * MINUTE_MS);
      const result = await stack.run(dataset);
      // Some upstreams have more to tell by now.
      expect(["unchanged", "published"]).toContain(result.outcome);
      expect(result.status).toMatchObject({ error: null, failuresInRow: 0 });
    });
  });
}

/** Every group of a dataset that can fail alone: the upstream behind it, and which of its requests. */
const groups: readonly {
  readonly dataset: string;
  readonly part: string;
  readonly upstream: string;
  readonly match?: string | readonly string[];
  /** Names of cases that mean something else here. */
  readonly except?: readonly string[];
}[] = [
  { dataset: "us-cpi", part: "energy", upstream: "fred", match: "CPIENGSL" },
  { dataset: "co2-monitoring", part: "daily", upstream: "noaa-gml", match: "co2_daily" },
  { dataset: "co2-monitoring", part: "monthly", upstream: "noaa-gml", match: "co2_mm" },
  { dataset: "co2-monitoring", part: "methane", upstream: "noaa-gml", match: "ch4" },
  { dataset: "co2-monitoring", part: "nitrousOxide", upstream: "noaa-gml", match: "n2o" },
  { dataset: "ocean-ice", part: "extent", upstream: "nsidc", match: "extent_daily" },
  { dataset: "ocean-ice", part: "median", upstream: "nsidc", match: "climatology" },
  { dataset: "ocean-ice", part: "seaLevel", upstream: "nasa-sea-level" },
  { dataset: "ocean-ice", part: "heat", upstream: "ncei", match: "h22" },
  { dataset: "ocean-ice", part: "temperature", upstream: "ncei", match: "timeseries" },
  { dataset: "climate-anomalies", part: "zones1", upstream: "open-meteo-archive", match: "latitude=48.4" },
  { dataset: "climate-disasters", part: "gdacs", upstream: "gdacs" },
  { dataset: "climate-disasters", part: "eonet", upstream: "nasa-eonet" },
  { dataset: "climate-disasters", part: "nhc", upstream: "nhc" },
  { dataset: "climate-disasters", part: "reliefweb", upstream: "reliefweb" },
  { dataset: "air-quality", part: "openaq", upstream: "openaq" },
  { dataset: "air-quality", part: "waqi", upstream: "waqi" },
  { dataset: "air-quality", part: "cities", upstream: "open-meteo-air-quality" },
  { dataset: "climate-news", part: "carbonBrief", upstream: "www.carbonbrief.org" },
  { dataset: "climate-news", part: "climateCentral", upstream: "www.climatecentral.org" },
  { dataset: "climate-news", part: "reliefweb", upstream: "reliefweb" },
  { dataset: "alpha-events", part: "acled", upstream: "acled" },
  { dataset: "alpha-events", part: "gdelt", upstream: "gdelt" },
  {
    dataset: "beta-events",
    part: "annual",
    upstream: "ucdp",
    match: ["gedevents/26.1", "downloads/ged/ged261"],
    // A release that is not there leads to the one before; a host that wants to be left alone serves neither series.
    except: ["404", "429 with Retry-After"],
  },
  { dataset: "beta-events", part: "candidate", upstream: "ucdp", match: ["gedevents/26.0", "candidateged"] },
  { dataset: "airport-delays", part: "faa", upstream: "faa-nas-status" },
  { dataset: "airport-delays", part: "departures", upstream: "aviationstack" },
  { dataset: "airport-delays", part: "notams", upstream: "icao-notams" },
  { dataset: "aviation-news", part: "flightGlobal", upstream: "www.flightglobal.com" },
  { dataset: "aviation-news", part: "simpleFlying", upstream: "simpleflying.com" },
].map(({ match, ...group }) => ({ ...group, ...(match !== undefined && { match }) }));

test("every dataset and every part of aviation and conflict is in these tables", async () => {
  const { operations } = await loadServices();
  const datasets = operations
    .filter(({ service }) => ["aviation", "conflict"].includes(service))
    .flatMap(({ operation }) => Object.values(operation.reads as Record<string, AnyDataset>));
  for (const { name, parts } of datasets) {
    expect(feeds.map(({ dataset }) => dataset)).toContain(name);
    const failing = groups.filter(({ dataset }) => dataset === name).map(({ part }) => part);
    // A part that is alone fails with its dataset; of the publishers, which are declared alike, two stand for all.
    const isTold = name === "aviation-news" || Object.keys(parts).length === 1;
    if (!isTold) expect(failing.toSorted()).toEqual(Object.keys(parts).toSorted());
  }
});

describe("a group that fails keeps its records while the others are renewed", () => {
  const stacks = new Map<string, Stack>();
  afterAll(() => Promise.all([...stacks.values()].map((stack) => stack.close())));

  async function builtStack(dataset: string): Promise<Stack> {
    const known = stacks.get(dataset) ?? (await startStack());
    if (!stacks.has(dataset) && dataset === "airport-delays") {
      // The first run asks for every airport; an hour later some are due in every run.
      await known.run(dataset);
      known.clock.advance(30 * MINUTE_MS);
    }
    stacks.set(dataset, known);
    known.simulator.faults.clear();
    known.clock.advance(30 * MINUTE_MS);
    await known.run(dataset);
    expect(known.service.registry.get(known.dataset(dataset)).state).toBe("ok");
    return known;
  }

  const kinds = cases.filter(({ name }) => name !== "no answer in time");
  const table = groups.flatMap(({ except = [], ...group }) =>
    kinds.filter(({ name }) => !except.includes(name)).map((kind) => ({ ...group, ...kind })),
  );

  test.each(table)("$dataset $part: $name", async ({ dataset, part, upstream, match, fault, says }) => {
    const stack = await builtStack(dataset);
    const recordsOf = async (): Promise<readonly unknown[] | undefined> => {
      const generation = stack.service.registry.generation(stack.dataset(dataset));
      return generation && (await stack.service.store.records(generation))[part];
    };
    const before = await recordsOf();
    stack.clock.advance(30 * MINUTE_MS);
    if (match === undefined) stack.simulator.faults.set({ upstream }, fault);
    for (const one of [match ?? []].flat()) stack.simulator.faults.set({ upstream, match: one }, fault);
    const result = await stack.run(dataset);
    // A list without any storm is an answer, not a failure.
    if (part === "nhc" && fault.kind === "empty" && result.status.error === null) return;
    const { [part]: failed, ...others } = result.status.parts;
    expect(failed).toMatchObject({ state: "kept", error: expect.any(String) });
    expect(`${failed?.error}`).not.toBe("");
    expect(result.status.error).toMatch(says);
    // Retry-After concerns a host, and with it the groups that share it.
    const isLeftAlone = Object.values(others).filter(({ error }) => error?.includes("asked to be left alone") === true);
    const renewed = Object.values(others).filter((other) => !isLeftAlone.includes(other));
    expect(isLeftAlone.length === 0 || (fault.kind === "status" && fault.code === 429)).toBe(true);
    expect(renewed.map(({ state }) => state)).toEqual(renewed.map(() => "fresh"));
    expect(await recordsOf()).toEqual(before);
    expect(stack.service.registry.get(stack.dataset(dataset)).state).toBe("partial");
  });
});

test("an outage during the first fill, with most requests still waiting for their turn, is over with the next run", async () => {
  const stack = await startStack();
  try {
    stack.simulator.faults.set({ upstream: "treasury" }, { kind: "down" });
    expect((await stack.run("us-treasury-yields")).outcome).toBe("failed");
    stack.simulator.faults.clear();
    stack.clock.advance(2 * MINUTE_MS);
    expect((await stack.run("us-treasury-yields")).outcome).toBe("published");
  } finally {
    await stack.close();
  }
});

test("hanging upstreams delay no dataset but their own", async () => {
  const stack = await startStack();
  try {
    const upstreams = new Set([...groups, ...feeds].map(({ upstream }) => upstream));
    for (const upstream of upstreams) {
      if (upstream !== "fred" && upstream !== "*") stack.simulator.faults.set({ upstream }, { kind: "hang" });
    }
    const hanging = stack.services.datasets
      .filter(({ name }) => name !== "us-cpi")
      .map((dataset) => stack.service.ingest.runNow(dataset).catch((error: unknown) => error));
    expect((await stack.run("us-cpi")).outcome).toBe("published");
    await stack.service.ingest.stop();
    await Promise.all(hanging);
  } finally {
    await stack.close();
  }
});
