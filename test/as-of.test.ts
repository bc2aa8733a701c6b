import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { bodyStore } from "../src/database/bodies.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../src/kit/clock.js";
import { seededRandom } from "../src/kit/random.js";
import { applyRetention } from "../src/snapshots/history/retention.js";
import { post } from "./support/accounts.js";
import { compareWithPast, readAlongTheWay } from "./support/past-reads.js";
import { json, NOON, type Stack, startStack } from "./support/stack.js";

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const EARTHQUAKES = "/api/seismology/v1/list-earthquakes";

const iso = (at: number): string => new Date(at).toISOString();

describe("answers for a past instant", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ filled: "all" });
  }, 60_000);
  afterAll(() => stack.close());

  test("equal the answers served at the time, through builds, failures and a restart", async () => {
    const reads = await readAlongTheWay(stack, { random: seededRandom(19), days: 5, reads: 300 });
    const states = reads.flatMap(({ answer }) => answer.state ?? []);
    expect(new Set(states)).toEqual(new Set(["ok", "partial", "stale"]));
    expect(await compareWithPast(stack, reads)).toEqual({ equal: reads.length, thinned: 0, gone: 0, differences: [] });
    await stack.restart();
    expect(await compareWithPast(stack, reads)).toMatchObject({ equal: reads.length, differences: [] });
  });
});

describe("as_of", () => {
  let stack: Stack;
  /** Times of the first build of the CPI and of the first two builds of earthquakes. */
  let [cpiAt, firstAt, secondAt] = [0, 0, 0];
  beforeAll(async () => {
    stack = await startStack({ datasets: ["us-cpi", "earthquakes"] });
    stack.clock.advance(HOUR_MS);
    await stack.run("us-cpi");
    cpiAt = stack.clock.now();
    await stack.run("earthquakes");
    firstAt = stack.clock.now();
    stack.clock.advance(6 * HOUR_MS);
    await stack.run("earthquakes");
    secondAt = stack.clock.now();
    stack.clock.advance(3 * DAY_MS);
  });
  afterAll(() => stack.close());

  test("accepts ISO 8601 with an offset, and epoch milliseconds", async () => {
    const [asIso, asMs, shifted] = await Promise.all([
      stack.get(`${CPI}?as_of=${iso(cpiAt)}`),
      stack.get(`${CPI}?as_of=${cpiAt}`),
      stack.get(`${CPI}?as_of=${encodeURIComponent(iso(cpiAt + 2 * HOUR_MS).replace("Z", "+02:00"))}`),
    ]);
    expect([asIso.status, asMs.status, shifted.status]).toEqual([200, 200, 200]);
    expect(String(asIso.body)).toBe(String(asMs.body));
    expect(shifted.headers).toEqual(asIso.headers);
  });

  test.each([
    ["tomorrow", "must be an instant such as 2026-11-01T12:00:00Z, or epoch milliseconds"],
    ["2026-11-01", "must be an instant such as 2026-11-01T12:00:00Z, or epoch milliseconds"],
    ["2026-02-30T00:00:00Z", "must be an instant such as 2026-11-01T12:00:00Z, or epoch milliseconds"],
    ["-5", "must be an instant such as 2026-11-01T12:00:00Z, or epoch milliseconds"],
    ["2126-11-01T12:00:00Z", "must not be in the future"],
    ["1&as_of=2", "must be given once, got 2 values"],
  ])("refuses %s", async (text, description) => {
    const refused = await stack.get(`${CPI}?as_of=${text}`);
    expect([refused.status, json(refused)]).toEqual([400, { violations: [{ field: "asOf", description }] }]);
  });

  test("an empty value is treated as no value", async () => {
    expect((await stack.get(`${CPI}?as_of=`)).headers).not.toHaveProperty("Memento-Datetime");
  });

  test.each([
    ["/api/aviation/v1/track-aircraft?icao24=abc123", "upstreams are read at the time of the request"],
    ["/api/datasets/v1/list-dataset-states?", "account data is always read as it is now"],
    ["/api/datasets/v1/stream-dataset-changes?", "is not available for streams"],
  ])("is refused where the past is not kept: %s", async (target, reason) => {
    const refused = await stack.get(`${target}&as_of=${cpiAt}`);
    expect([refused.status, json(refused)]).toEqual([
      400,
      { violations: [{ field: "asOf", description: expect.stringContaining(reason) }] },
    ]);
  });

  test("yields an answer that states its instant, links to the list of generations and limits caching", async () => {
    const { headers } = await stack.get(`${CPI}?as_of=${cpiAt}`);
    expect(headers).toMatchObject({
      "Memento-Datetime": new Date(cpiAt).toUTCString(),
      Link: '</api/datasets/history?name=us-cpi>; rel="timemap"',
      "Cache-Control": "private, max-age=3600",
      "X-Vigil-State": "ok",
      "X-Vigil-Generation": "us-cpi=1",
    });
    const etag = headers["ETag"] ?? "";
    const key = stack.service.access.ownerKey.key ?? "";
    const again = await stack.get(`${CPI}?as_of=${cpiAt}`, { "x-service-key": key, "if-none-match": etag });
    expect([again.status, again.headers["Memento-Datetime"]]).toEqual([304, new Date(cpiAt).toUTCString()]);
  });

  test("yields an answer that caches must revalidate if the instant is less than an hour ago", async () => {
    const own = await startStack({ datasets: ["us-cpi"] });
    onTestFinished(() => own.close());
    await own.run("us-cpi");
    const recent = await own.get(`${CPI}?as_of=${own.clock.now()}`);
    expect(recent.headers).toMatchObject({ "Cache-Control": "private, no-cache", "X-Vigil-State": "ok" });
  });

  test("yields an answer that no cache stores if the answer was degraded at the instant", async () => {
    const absent = await stack.get(`${CPI}?as_of=${cpiAt - 1}`);
    expect(absent.headers).toMatchObject({ "Cache-Control": "no-store", "X-Vigil-State": "absent" });
    const stale = await stack.get(`${CPI}?as_of=${stack.clock.now() - 2 * HOUR_MS}`);
    expect(stale.headers).toMatchObject({ "Cache-Control": "no-store", "X-Vigil-State": "stale" });
  });

  test("yields an answer that no cache stores if no answer of the operation may be stored", async () => {
    const own = await startStack({ datasets: ["sanctions-lists"] });
    onTestFinished(() => own.close());
    await own.run("sanctions-lists");
    const builtAt = own.clock.now();
    own.clock.advance(2 * HOUR_MS);
    const { headers } = await own.get(`/api/sanctions/v1/lookup-sanction-entity?q=bank&as_of=${builtAt}`);
    expect(headers).toMatchObject({ "Cache-Control": "no-store", "X-Vigil-State": "ok" });
  });

  test("before the first run the dataset is absent, which is not a gap in the history", async () => {
    const before = await stack.get(`${CPI}?as_of=${cpiAt - 1}`);
    expect(before.headers).toMatchObject({ "X-Vigil-State": "absent", "X-Vigil-Generation": "us-cpi=0" });
    expect(before.headers).not.toHaveProperty("X-Vigil-History");
    expect(before.status).toBe(200);
  });

  test("the state depends on the age of the data at the instant", async () => {
    const stateAt = async (at: number) => (await stack.get(`${CPI}?as_of=${at}`)).headers["X-Vigil-State"];
    const limit = cpiAt + stack.dataset("us-cpi").staleAfterMs;
    expect([await stateAt(limit - 1), await stateAt(limit)]).toEqual(["ok", "stale"]);
  });

  test("a cursor keeps its generation, and is refused for instants before that generation was served", async () => {
    const page = async (query: string) => await stack.get(`${EARTHQUAKES}?page_size=1&${query}`);
    const cursorOf = async (query: string): Promise<string> => {
      const { pagination } = json(await page(query)) as { readonly pagination: { readonly nextCursor: string } };
      return encodeURIComponent(pagination.nextCursor);
    };
    const [first, second] = [await cursorOf(`as_of=${firstAt}`), await cursorOf(`as_of=${secondAt}`)];
    expect((await page(`as_of=${firstAt}&cursor=${first}`)).headers["X-Vigil-Generation"]).toBe("earthquakes=1");
    expect((await page(`as_of=${secondAt}&cursor=${first}`)).headers["X-Vigil-Generation"]).toBe("earthquakes=1");
    const early = await page(`as_of=${firstAt}&cursor=${second}`);
    expect(json(early)).toEqual({
      violations: [
        {
          field: "cursor",
          description: "belongs to generation 2 of earthquakes, a generation that was not served at `as_of`",
        },
      ],
    });
  });

  test("works in a batch", async () => {
    const key = stack.service.access.ownerKey.key ?? "";
    const body = { operations: [{ path: `${CPI}?as_of=${cpiAt - 1}` }, { path: `${CPI}?as_of=1e3` }] };
    const answer = await post(stack.answer, "/api/batch/v1/execute", body, { "x-service-key": key });
    expect(json(answer)).toMatchObject({ results: [{ status: 200, state: "absent" }, { status: 400 }] });
  });
});

test("a caller can read only a limited number of generations per minute from the store, but any number from memory", async () => {
  const stack = await startStack({ datasets: ["earthquakes"], env: { VIGIL_PAST_READS_PER_MINUTE: "2" } });
  try {
    const runs: number[] = [];
    for (let run = 0; run < 4; run += 1) {
      await stack.run("earthquakes");
      runs.push(stack.clock.now());
      stack.clock.advance(6 * HOUR_MS);
    }
    await stack.restart();
    const statuses: number[] = [];
    for (const at of [...runs, runs[0] as number]) {
      statuses.push((await stack.get(`${EARTHQUAKES}?as_of=${at}`)).status);
    }
    // The newest generation is in memory.
    expect(statuses).toEqual([200, 200, 429, 200, 200]);
    const refused = await stack.get(`${EARTHQUAKES}?as_of=${runs[2]}`);
    expect(refused.headers["RateLimit-Policy"]).toBe('"past-reads";q=2;w=60');
    expect(Number(refused.headers["Retry-After"])).toBeGreaterThan(0);
  } finally {
    await stack.close();
  }
});

describe("after retention", () => {
  test("an instant whose run was removed gets the state of the last kept run before it; an instant before the kept history gets a 410; both answers state the reason", async () => {
    const stack = await startStack({ datasets: ["us-cpi"] });
    try {
      const runs: number[] = [];
      for (let run = 0; run < 6; run += 1) {
        await stack.run("us-cpi");
        runs.push(stack.clock.now());
        stack.clock.advance(8 * HOUR_MS);
      }
      const { database } = stack.service;
      const bodies = bodyStore(database, stack.dataDir, stack.clock);
      const policy = { wholeMs: MINUTE_MS, dailyMs: 400 * DAY_MS, bodyBytesMax: 1e9 };
      await applyRetention(database, bodies, ["us-cpi"], policy, stack.clock.now());
      // Runs take place every eight hours from noon: two on the first day, three on the second and one on the third.
      const [kept, removed] = [runs[1] as number, runs[3] as number];
      const whole = await stack.get(`${CPI}?as_of=${kept}`);
      expect([whole.status, whole.headers["X-Vigil-State"]]).toEqual([200, "ok"]);
      const thinned = await stack.get(`${CPI}?as_of=${removed}`);
      const history = `us-cpi;thinned;at=@${kept / 1_000}`;
      expect(thinned.headers["X-Vigil-History"]).toBe(history);
      const refusals = await Promise.all(
        ["jmespath=sum(@)", "since_generation=9"].map((query) => stack.get(`${CPI}?as_of=${removed}&${query}`)),
      );
      for (const { status, headers } of refusals) expect([status, headers["X-Vigil-History"]]).toEqual([400, history]);
      const unthinned = await stack.get(`${CPI}?as_of=${runs[5]}&jmespath=sum(@)`);
      expect(unthinned.status).toBe(400);
      expect(unthinned.headers).not.toHaveProperty("X-Vigil-History");
      const gone = await stack.get(`${CPI}?as_of=${NOON}`);
      expect([gone.status, json(gone)]).toEqual([
        410,
        { error: `The history of us-cpi begins at ${iso(kept)}`, code: "HISTORY_GONE", keptFrom: iso(kept) },
      ]);
    } finally {
      await stack.close();
    }
  });

  test("a cursor whose generation was removed is refused with that reason", async () => {
    const stack = await startStack({ datasets: ["earthquakes"] });
    try {
      for (const hours of [24, 1, 48]) {
        await stack.run("earthquakes");
        stack.clock.advance(hours * HOUR_MS);
      }
      const at = NOON + DAY_MS;
      const page = async (query = "") => await stack.get(`${EARTHQUAKES}?page_size=1&as_of=${at}${query}`);
      const { pagination } = json(await page()) as { readonly pagination: { readonly nextCursor: string } };
      const { database } = stack.service;
      const policy = { wholeMs: MINUTE_MS, dailyMs: 400 * DAY_MS, bodyBytesMax: 1e9 };
      const bodies = bodyStore(database, stack.dataDir, stack.clock);
      await applyRetention(database, bodies, ["earthquakes"], policy, stack.clock.now());
      await stack.restart();
      const description =
        "belongs to generation 2 of earthquakes, a generation that no longer exists; omit the cursor to start again";
      const refused = await page(`&cursor=${encodeURIComponent(pagination.nextCursor)}`);
      expect(json(refused)).toEqual({ violations: [{ field: "cursor", description }] });
      expect(refused.headers["X-Vigil-History"]).toMatch(/^earthquakes;thinned;at=@\d+$/);
    } finally {
      await stack.close();
    }
  });
});
