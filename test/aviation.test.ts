import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../src/kit/clock.js";
import { json, NOON, type Stack, startStack } from "./support/stack.js";

const DELAYS = "/api/aviation/v1/list-airport-delays";
const OPS = "/api/aviation/v1/get-airport-ops-summary";
const NEWS = "/api/aviation/v1/list-aviation-news";

interface Row {
  readonly id: string;
  readonly iata: string;
  readonly severity: string;
  readonly source: string;
  readonly closureStatus?: boolean;
  readonly notamFlags?: readonly string[];
}
interface Item {
  readonly url: string;
  readonly title: string;
  readonly publishedAt: number;
  readonly snippet: string;
  readonly matchedEntities: readonly string[];
}

const rowsOf = async (stack: Stack, target: string): Promise<readonly Row[]> => {
  const body = json(await stack.get(target)) as { alerts?: Row[]; summaries?: Row[] };
  return body.alerts ?? body.summaries ?? [];
};

const violationsOf = async (stack: Stack, target: string) => {
  const answer = await stack.get(target);
  return [answer.status, (json(answer) as { violations?: { field: string }[] }).violations?.map(({ field }) => field)];
};

/** Returns the state and error that /api/health reports for each part of the dataset of airport delays. */
const partsIn = async (stack: Stack): Promise<Readonly<Record<string, { state: string; error: string | null }>>> => {
  const health = json(await stack.get("/api/health")) as {
    datasets: { name: string; parts: { name: string; state: string; error: string | null }[] }[];
  };
  const parts = health.datasets.find(({ name }) => name === "airport-delays")?.parts ?? [];
  return Object.fromEntries(parts.map(({ name, ...part }) => [name, part]));
};

describe("aviation with every source", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
    await stack.run("airport-delays");
    await stack.run("aviation-news");
  });
  afterAll(() => stack.close());

  test("one run covers all fifty sampled airports and at least thirty airports from the FAA", async () => {
    const rows = await rowsOf(stack, DELAYS);
    const covered = rows.filter(({ id }) => !id.startsWith("unknown-"));
    expect(covered.filter(({ source }) => source === "FLIGHT_DELAY_SOURCE_FAA").length).toBeGreaterThanOrEqual(30);
    expect(covered.length).toBeGreaterThanOrEqual(80);
    for (const { id, severity } of rows) {
      expect(id.startsWith("unknown-")).toBe(severity === "FLIGHT_DELAY_SEVERITY_UNKNOWN");
      expect(id.startsWith("status-")).toBe(severity === "FLIGHT_DELAY_SEVERITY_NORMAL");
    }
  });

  test.each(["region=AIRPORT_REGION_MENA&min_severity=FLIGHT_DELAY_SEVERITY_SEVERE", "region=MENA&min_severity=1"])(
    "filters that the contract ignores accept any value and change nothing: %s",
    async (query) => {
      expect(await rowsOf(stack, `${DELAYS}?${query}`)).toEqual(await rowsOf(stack, DELAYS));
    },
  );

  test("airports may be given as repeated parameters, as a comma-separated list or as both, and are returned in request order", async () => {
    const expected = ["LHR", "JFK", "DXB"];
    for (const query of [
      "airports=LHR&airports=JFK&airports=DXB",
      "airports=lhr,jfk,dxb",
      "airports=LHR,,JFK&airports=%20dxb",
    ]) {
      expect((await rowsOf(stack, `${OPS}?${query}`)).map(({ iata }) => iata)).toEqual(expected);
    }
    expect((await rowsOf(stack, OPS)).map(({ iata }) => iata)).toEqual(["IST", "ESB", "SAW", "LHR", "FRA", "CDG"]);
  });

  test("the airport summary accepts twenty airports and rejects twenty-one", async () => {
    const codes = (count: number): string =>
      Array.from({ length: count }, (_, index) => `ZZ${String.fromCharCode(65 + index)}`).join(",");
    const rows = await rowsOf(stack, `${OPS}?airports=${codes(20)}`);
    expect(rows.map(({ source }) => source)).toEqual(rows.map(() => "unknown"));
    expect(rows).toHaveLength(20);
    expect(await violationsOf(stack, `${OPS}?airports=${codes(21)}`)).toEqual([400, ["airports"]]);
  });

  test("the airport summary distinguishes a closure, a restriction and a closure to some aircraft only", async () => {
    const [closed, restricted, limited] = await rowsOf(stack, `${OPS}?airports=KRT,BGW,ESB`);
    expect(closed).toMatchObject({ severity: "FLIGHT_DELAY_SEVERITY_SEVERE", closureStatus: true, source: "notam" });
    expect(closed?.notamFlags).toContain("CLOSED");
    expect(restricted).toMatchObject({ severity: "FLIGHT_DELAY_SEVERITY_MINOR", closureStatus: false });
    expect(restricted?.notamFlags).toContain("RESTRICTED");
    expect(limited).toMatchObject({ closureStatus: false, notamFlags: ["NOTAM"] });
  });

  const news = async (query: string): Promise<readonly Item[]> =>
    (json(await stack.get(`${NEWS}?${query}`)) as { items: Item[] }).items;

  test("aviation news covers the last day, newest first, with twenty items by default", async () => {
    const items = await news("");
    expect(items).toHaveLength(20);
    const times = items.map(({ publishedAt }) => publishedAt);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(NOON - 24 * HOUR_MS);
    expect(await news("max_items=0&window_hours=0")).toEqual(items);
    expect(await news("max_items=50&window_hours=168")).toHaveLength(50);
    expect(await news("max_items=1")).toEqual(items.slice(0, 1));
  });

  test.each([
    ["window_hours=169", ["windowHours"]],
    ["max_items=51", ["maxItems"]],
    ["window_hours=-1&max_items=x", ["windowHours", "maxItems"]],
    [`entities=${Array.from({ length: 11 }, (_, index) => `e${index}`).join(",")}`, ["entities"]],
  ])("aviation news rejects %s", async (query, fields) => {
    expect(await violationsOf(stack, `${NEWS}?${query}`)).toEqual([400, fields]);
  });

  test("aviation news splits entities at commas, ignores their case and returns them in upper case", async () => {
    const items = await news("entities=emirates,Lufthansa&window_hours=168&max_items=50");
    expect(items.length).toBeGreaterThan(0);
    for (const { title, matchedEntities } of items) {
      expect(matchedEntities).toEqual(title.includes("Emirates") ? ["EMIRATES"] : ["LUFTHANSA"]);
    }
    expect(await news("entities=Zeppelin&window_hours=168")).toEqual([]);
  });

  test("the answer with aviation news changes as soon as an item is older than the window", async () => {
    // At noon the window starts at noon of the previous day; items are dated 14:00, 20:00, 02:00 and 08:00.
    const oldest = async (): Promise<number> =>
      Math.min(...(await news("max_items=50")).map(({ publishedAt }) => publishedAt));
    const earlier = await stack.get(`${NEWS}?max_items=50`);
    const earlierOldest = await oldest();
    expect(earlierOldest).toBe(NOON - 22 * HOUR_MS);
    stack.clock.advance(2 * HOUR_MS);
    expect(await oldest()).toBe(earlierOldest);
    stack.clock.advance(1);
    expect(await oldest()).toBe(NOON - 16 * HOUR_MS);
    const later = await stack.get(`${NEWS}?max_items=50`);
    expect(later.headers["X-Vigil-Generation"]).toBe(earlier.headers["X-Vigil-Generation"]);
    expect(String(later.body)).not.toBe(String(earlier.body));
  });
});

describe("missing keys and failures of the aviation sources", () => {
  test("without the sources' keys, only the FAA is read, and health names the missing settings", async () => {
    const stack = await startStack({ keyless: true });
    try {
      expect((await stack.run("airport-delays")).outcome).toBe("published");
      expect((await stack.get(DELAYS)).headers["X-Vigil-State"]).toBe("ok");
      const rows = await rowsOf(stack, DELAYS);
      const unknown = rows.filter(({ severity }) => severity === "FLIGHT_DELAY_SEVERITY_UNKNOWN");
      expect(rows.length - unknown.length).toBeLessThanOrEqual(31);
      expect(rows.find(({ iata }) => iata === "LHR")).toMatchObject({ id: "unknown-LHR" });
      expect((await rowsOf(stack, `${OPS}?airports=LHR`))[0]).toMatchObject({ source: "unknown", notamFlags: [] });
      expect(await partsIn(stack)).toMatchObject({
        faa: { state: "fresh", error: null },
        departures: { state: "off", error: expect.stringContaining("AVIATIONSTACK_API") },
        notams: { state: "off", error: expect.stringContaining("ICAO_API_KEY") },
      });
      const hosts = stack.simulator.requests.list().map(({ url }) => new URL(url).host);
      expect(hosts).toEqual(["nasstatus.faa.gov"]);
    } finally {
      await stack.close();
    }
  });

  test.each([
    ["wrong", 401],
    ["not allowed", 403],
    ["over its quota", 429],
  ])(
    "with a key that is %s, the last known rows are kept, the answer is partial, and health names the setting",
    async (_name, code) => {
      const stack = await startStack();
      try {
        await stack.run("airport-delays");
        const before = await rowsOf(stack, DELAYS);
        stack.clock.advance(HOUR_MS);
        for (const upstream of ["aviationstack", "icao-notams"]) {
          stack.simulator.faults.set({ upstream }, { kind: "status", code });
        }
        expect((await stack.run("airport-delays")).outcome).toBe("published");
        expect(await partsIn(stack)).toMatchObject({
          faa: { state: "fresh" },
          departures: { state: "kept", error: expect.stringContaining("check AVIATIONSTACK_API") },
          notams: { state: "kept", error: expect.stringContaining("check ICAO_API_KEY") },
        });
        const answer = await stack.get(DELAYS);
        expect(answer.headers).toMatchObject({ "X-Vigil-State": "partial", "Cache-Control": "no-store" });
        const outside = (rows: readonly Row[]) =>
          rows.filter(({ iata, source }) => iata !== "YUL" && !source.endsWith("_FAA"));
        expect(outside(await rowsOf(stack, DELAYS))).toEqual(outside(before));
        // After one refusal, a run stops calling that upstream, so a key that does not work costs one call per run.
        const hosts = stack.simulator.requests.list().map(({ url }) => new URL(url).host);
        expect(hosts.filter((host) => host === "api.aviationstack.com")).toHaveLength(51);
      } finally {
        await stack.close();
      }
    },
  );

  test("if a source's key is wrong from the start, the airports of the source are unknown", async () => {
    const stack = await startStack();
    try {
      for (const upstream of ["aviationstack", "icao-notams"]) {
        stack.simulator.faults.set({ upstream }, { kind: "status", code: 401 });
      }
      await stack.run("airport-delays");
      expect((await stack.get(DELAYS)).headers["X-Vigil-State"]).toBe("partial");
      expect((await partsIn(stack))["departures"]).toMatchObject({ state: "missing" });
      expect((await rowsOf(stack, DELAYS)).find(({ iata }) => iata === "LHR")?.id).toBe("unknown-LHR");
    } finally {
      await stack.close();
    }
  });

  test("an upstream that answers without departures is requested at most once an hour per airport, not in every run", async () => {
    const stack = await startStack();
    const calls = (): number =>
      stack.simulator.requests.list().filter(({ url }) => new URL(url).host === "api.aviationstack.com").length;
    try {
      stack.simulator.faults.set({ upstream: "aviationstack" }, { kind: "empty" });
      for (const [minutes, expectedCalls] of [
        [0, 50],
        [1, 50],
        [30, 50],
        [54, 50],
      ] as const) {
        stack.clock.set(NOON + minutes * MINUTE_MS);
        await stack.run("airport-delays");
        expect([minutes, calls()]).toEqual([minutes, expectedCalls]);
        expect((await partsIn(stack))["departures"]).toMatchObject({
          state: "missing",
          error: "aviationstack answered without a single departure",
        });
        expect((await stack.get(DELAYS)).headers["X-Vigil-State"]).toBe("partial");
        expect((await rowsOf(stack, DELAYS)).find(({ iata }) => iata === "NBO")?.id).toBe("unknown-NBO");
      }
      stack.simulator.faults.clear();
      stack.clock.set(NOON + 60 * MINUTE_MS);
      await stack.run("airport-delays");
      expect(calls()).toBe(100);
      expect((await partsIn(stack))["departures"]).toMatchObject({ state: "fresh", error: null });
    } finally {
      await stack.close();
    }
  });

  test("sampled airports are not requested again within the hour, even after a run in which no source could be read", async () => {
    const stack = await startStack();
    try {
      stack.simulator.faults.set({ upstream: "aviationstack" }, { kind: "empty" });
      for (const upstream of ["faa-nas-status", "icao-notams"]) {
        stack.simulator.faults.set({ upstream }, { kind: "down" });
      }
      for (const minutes of [0, 2]) {
        stack.clock.set(NOON + minutes * MINUTE_MS);
        expect((await stack.run("airport-delays")).outcome).toBe("failed");
      }
      const hosts = stack.simulator.requests.list().map(({ url }) => new URL(url).host);
      expect(hosts.filter((host) => host === "api.aviationstack.com")).toHaveLength(50);
      expect((await partsIn(stack))["departures"]).toMatchObject({
        error: expect.stringContaining("single departure"),
      });
    } finally {
      await stack.close();
    }
  });

  test("an airport that no source confirms for ninety minutes becomes unknown", async () => {
    const stack = await startStack();
    const row = async (iata: string) => (await rowsOf(stack, DELAYS)).find((airport) => airport.iata === iata);
    try {
      await stack.run("airport-delays");
      expect((await row("KRT"))?.id).toBe("notam-KRT");
      for (const upstream of ["aviationstack", "icao-notams"]) {
        stack.simulator.faults.set({ upstream }, { kind: "down" });
      }
      stack.clock.advance(90 * MINUTE_MS - 1);
      await stack.run("airport-delays");
      expect((await row("KRT"))?.id).toBe("notam-KRT");
      stack.clock.advance(1);
      await stack.run("airport-delays");
      expect([(await row("KRT"))?.id, (await row("LHR"))?.id]).toEqual(["unknown-KRT", "unknown-LHR"]);
      expect((await row("JFK"))?.id).not.toBe("unknown-JFK");
    } finally {
      await stack.close();
    }
  });
});
