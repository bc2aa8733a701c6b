import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunResult } from "../src/ingest/run.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../src/kit/clock.js";
import { json, NOON, type Stack, startStack } from "./support/stack.js";

const ALPHA = "/api/conflict/v1/list-alpha-events";
const BETA = "/api/conflict/v1/list-beta-events";
const SUMMARY = "/api/conflict/v1/get-humanitarian-summary?country_code=SD";

interface AlphaBody {
  readonly events: readonly { readonly id: string; readonly fatalitiesKnown?: boolean }[];
  readonly pagination: { readonly nextCursor: string; readonly totalCount: number };
}

async function withStack(
  options: Parameters<typeof startStack>[0],
  run: (stack: Stack) => Promise<void>,
): Promise<void> {
  const stack = await startStack(options);
  try {
    await run(stack);
  } finally {
    await stack.close();
  }
}

async function alpha(stack: Stack, query = ""): Promise<AlphaBody> {
  return json(await stack.get(ALPHA + query)) as AlphaBody;
}

interface BetaBody {
  readonly events: readonly { readonly id: string; readonly dateEnd: number; readonly sideA?: string }[];
}

/** Reads all pages of list-beta-events, and returns their events. */
async function betaOf(stack: Stack): Promise<BetaBody["events"]> {
  const events: BetaBody["events"][number][] = [];
  for (let cursor = ""; ; ) {
    const page = json(await stack.get(`${BETA}?cursor=${cursor}`)) as BetaBody & Pick<AlphaBody, "pagination">;
    events.push(...page.events);
    cursor = page.pagination.nextCursor;
    if (cursor === "") return events;
  }
}

const origins = ({ events }: AlphaBody): ReadonlySet<string | undefined> =>
  new Set(events.map(({ id }) => id.split("-")[0]));

test("without keys, the conflict datasets are published from GDELT, UCDP and HDX's CSV", async () => {
  await withStack({ keyless: true }, async (stack) => {
    for (const name of ["alpha-events", "beta-events", "humanitarian-summary"]) {
      expect((await stack.run(name)).outcome).toBe("published");
    }
    for (const path of [ALPHA, BETA, SUMMARY]) {
      const answer = await stack.get(path);
      expect(answer.headers["X-Vigil-State"]).toBe("ok");
      expect(String(answer.body).length).toBeGreaterThan(150);
    }
    const body = await alpha(stack);
    expect(origins(body)).toEqual(new Set(["gdelt"]));
    expect(body.events.every(({ fatalitiesKnown }) => fatalitiesKnown === false)).toBe(true);
    const status = stack.service.registry.status(stack.dataset("alpha-events"));
    expect(status?.parts["acled"]).toMatchObject({ state: "off", error: expect.stringContaining("ACLED_EMAIL") });
  });
});

test("HAPI's API and HDX's CSV yield the same humanitarian summary", async () => {
  const summaryOf = async (stack: Stack): Promise<unknown> => {
    await stack.run("humanitarian-summary");
    return json(await stack.get(SUMMARY));
  };
  await withStack({}, async (withKey) => {
    await withStack({ keyless: true }, async (without) => {
      const fromApi = await summaryOf(withKey);
      expect(fromApi).toMatchObject({ summary: { countryCode: "SD", referencePeriod: "2026-10-01" } });
      expect(await summaryOf(without)).toEqual(fromApi);
    });
  });
});

test("a wrong ACLED password is reported with the settings to check, without the password, and GDELT's events are served", async () => {
  const env = { ACLED_PASSWORD: "wr0ng-passw0rd" };
  await withStack({ env }, async (stack) => {
    const result = await stack.run("alpha-events");
    expect(result.outcome).toBe("published");
    expect(result.status.parts["acled"]).toMatchObject({
      state: "missing",
      error: expect.stringMatching(/\(400\); check ACLED_EMAIL and ACLED_PASSWORD$/),
    });
    expect(stack.simulator.requests.list().filter(({ url }) => url.includes("oauth/token"))).toHaveLength(1);
    expect(origins(await alpha(stack))).toEqual(new Set(["gdelt"]));
    const answer = await stack.get(ALPHA);
    expect(answer.headers).toMatchObject({ "X-Vigil-State": "partial", "Cache-Control": "no-store" });
    const reports = [
      JSON.stringify(result),
      ...(await Promise.all(["/api/health", "/api/datasets"].map(textOf))),
    ].join();
    expect(reports).not.toContain(env.ACLED_PASSWORD);

    async function textOf(path: string): Promise<string> {
      return String((await stack.get(path)).body);
    }
  });
});

test("an ACLED account without access to events is treated as not configured, and GDELT's events are served", async () => {
  await withStack({ env: { ACLED_EMAIL: "denied@acled.example" } }, async (stack) => {
    const result = await stack.run("alpha-events");
    expect(result).toMatchObject({ outcome: "published", status: { error: null } });
    expect(result.status.parts["acled"]).toMatchObject({
      state: "off",
      error: expect.stringMatching(/the account of ACLED_EMAIL, ACLED_PASSWORD has no access to the data of acled$/),
    });
    expect(origins(await alpha(stack))).toEqual(new Set(["gdelt"]));
    expect((await stack.get(ALPHA)).headers).toMatchObject({ "X-Vigil-State": "ok" });
  });
});

test("with a wrong UCDP token, UCDP's published files are read instead of its API", async () => {
  await withStack({ env: { UCDP_ACCESS_TOKEN: "wr0ng-t0ken" } }, async (stack) => {
    const result = await stack.run("beta-events");
    expect(result).toMatchObject({ outcome: "published", status: { error: null } });
    expect(
      result.reports
        .filter(({ status }) => status === 401)
        .map(({ source }) => source)
        .sort(),
    ).toEqual(["ucdp-annual-token", "ucdp-candidate-token"]);
    expect(JSON.stringify(result)).not.toContain("wr0ng-t0ken");
    for (const part of ["annual", "candidate"]) {
      expect(result.status.parts[part]).toMatchObject({
        state: "fresh",
        passedOver: expect.stringContaining("check UCDP_ACCESS_TOKEN"),
      });
    }
  });
});

describe("UCDP's files, read without a token", () => {
  let stack: Stack;
  let outcome: RunResult;
  beforeAll(async () => {
    stack = await startStack({ keyless: true });
    outcome = await stack.run("beta-events");
  });
  afterAll(() => stack.close());

  test("yield the same events as UCDP's API, read with a token", async () => {
    const idsOf = async (own: Stack) => (await betaOf(own)).map(({ id, dateEnd }) => [id, dateEnd]);
    expect(outcome).toMatchObject({ outcome: "published", status: { error: null } });
    const requestedUrls = stack.simulator.requests.list().map(({ url }) => new URL(url));
    expect(new Set(requestedUrls.map(({ hostname }) => hostname))).toEqual(new Set(["ucdp.uu.se"]));
    const ids = await idsOf(stack);
    expect(ids.length).toBeGreaterThan(1_000);
    await withStack({ filled: ["beta-events"], datasets: ["beta-events"] }, async (withToken) => {
      expect(await idsOf(withToken)).toEqual(ids);
    });
  });

  test("yield events without a side where UCDP has only a placeholder", async () => {
    const events = await betaOf(stack);
    const unnamed = events.filter((event) => !("sideA" in event));
    expect(unnamed.length).toBeGreaterThan(10);
    expect(JSON.stringify(events)).not.toContain("XXX7");
  });
});

test("the error names the setting of UCDP's token when neither the token nor the files are available", async () => {
  await withStack({ keyless: true }, async (stack) => {
    stack.simulator.faults.set({ upstream: "ucdp" }, { kind: "status", code: 503 });
    const result = await stack.run("beta-events");
    expect(result.outcome).toBe("failed");
    expect(result.status.error).toContain("needs UCDP_ACCESS_TOKEN");
  });
});

test("UCDP's annual file is downloaded again only after it has changed", async () => {
  await withStack({ keyless: true }, async (stack) => {
    await stack.run("beta-events");
    const recordsOf = async () => {
      const generation = stack.service.registry.generation(stack.dataset("beta-events"));
      return generation && (await stack.service.store.records(generation))["annual"];
    };
    const annualStatuses = async () => {
      const { reports } = await stack.run("beta-events");
      return reports.filter(({ source }) => source === "ucdp-annual").map(({ status }) => status);
    };
    const before = await recordsOf();
    stack.clock.advance(6 * HOUR_MS);
    expect(await annualStatuses()).toEqual([304]);
    expect(await recordsOf()).toEqual(before);
    // The file of the next release is published in the middle of June.
    stack.clock.set(Date.UTC(2027, 5, 16));
    expect(await annualStatuses()).toEqual([200]);
    expect(await recordsOf()).not.toEqual(before);
  });
});

test("ACLED's token is kept between runs, renewed before it expires, and renewed once when refused", async () => {
  await withStack({}, async (stack) => {
    const grants = (): number =>
      stack.simulator.requests.list().filter(({ url }) => url.includes("acleddata.com/oauth/token")).length;
    const run = async (): Promise<unknown> => (await stack.run("alpha-events")).status.parts["acled"]?.error;
    expect([await run(), grants()]).toEqual([null, 1]);
    stack.clock.advance(DAY_MS - 5 * MINUTE_MS - 1);
    expect([await run(), grants()]).toEqual([null, 1]);
    stack.clock.advance(1);
    expect([await run(), grants()]).toEqual([null, 2]);
    stack.simulator.faults.set({ upstream: "acled", match: "api/acled/read" }, { kind: "status", code: 401 }, 3);
    expect([await run(), grants()]).toEqual([null, 3]);
    stack.simulator.faults.set({ upstream: "acled", match: "api/acled/read" }, { kind: "status", code: 401 });
    expect([await run(), grants()]).toEqual([expect.stringContaining("answered 401"), 4]);
    const status = stack.service.registry.status(stack.dataset("alpha-events"));
    expect(JSON.stringify(status)).not.toContain("demo-acled");
  });
});

describe("a gap in GDELT's window", () => {
  const spansOf = ({ service, dataset }: Stack): unknown => {
    const { memory } = service.registry.status(dataset("alpha-events"))?.parts["gdelt"] ?? {};
    return (memory as { readonly spans?: unknown } | undefined)?.spans;
  };
  const exportRequestsOf = (stack: Stack): string[] =>
    stack.simulator.requests.list().flatMap(({ url }) => /\d{14}(?=\.export)/.exec(url)?.[0].slice(6, 12) ?? []);

  test("is filled backwards from the newest file, at most one day per run, and every event is stored once", async () => {
    await withStack({ keyless: true }, async (stack) => {
      await stack.run("alpha-events");
      expect(spansOf(stack)).toEqual([{ firstExportAt: NOON - 105 * MINUTE_MS, lastExportAt: NOON }]);
      stack.clock.advance(10 * HOUR_MS);
      stack.simulator.requests.clear();
      expect((await stack.run("alpha-events")).status.error).toBeNull();
      // The 8 newest exports, which every run reads, and 96 missed ones: 32 from after the first run and 64 from before
      // it.
      const requestedExports = exportRequestsOf(stack);
      expect(requestedExports).toHaveLength(8 + 96);
      expect(requestedExports).toEqual(expect.arrayContaining(["181215", "182000", "181000", "171815"]));
      expect(spansOf(stack)).toEqual([
        { firstExportAt: NOON - (105 + 64 * 15) * MINUTE_MS, lastExportAt: NOON + 10 * HOUR_MS },
      ]);
      const { events } = await alpha(stack);
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    });
  });

  test("is filled although a file is permanently missing; a file that failed to load is requested again", async () => {
    await withStack({ keyless: true }, async (stack) => {
      await stack.run("alpha-events");
      const strike = (stamp: string, code: number) =>
        stack.simulator.faults.set({ upstream: "gdelt", match: stamp }, { kind: "status", code });
      strike("20261118060000", 404);
      strike("20261118054500", 404);
      strike("20261118050000", 500);
      const result = await stack.run("alpha-events");
      expect(result.status).toMatchObject({ error: null, parts: { gdelt: { state: "fresh" } } });
      expect(result.reports.filter(({ error }) => error !== null)).toHaveLength(3);
      stack.simulator.faults.clear();
      stack.simulator.requests.clear();
      stack.clock.advance(MINUTE_MS);
      await stack.run("alpha-events");
      // At noon, the 06:00 file was not yet old enough to be treated as permanently missing.
      const requestedAgain = exportRequestsOf(stack).filter((stamp) => stamp > "180000" && stamp < "181000");
      expect(requestedAgain.toSorted()).toEqual(["180500", "180600"]);
    });
  });
});

test("GDELT's window replaces ACLED once ACLED has not been read for a day", async () => {
  await withStack({}, async (stack) => {
    await stack.run("alpha-events");
    stack.clock.advance(2 * HOUR_MS);
    await stack.run("alpha-events");
    stack.simulator.faults.set({ upstream: "acled" }, { kind: "status", code: 503 });
    stack.clock.advance(DAY_MS - 1);
    await stack.run("alpha-events");
    expect(origins(await alpha(stack))).toEqual(new Set(["acled"]));
    stack.clock.advance(1);
    await stack.run("alpha-events");
    expect(origins(await alpha(stack))).toEqual(new Set(["gdelt"]));
    expect((await stack.get(ALPHA)).headers["X-Vigil-State"]).toBe("partial");
  });
});

test("a GDELT export whose size or MD5 differs from the list is rejected", async () => {
  await withStack({ keyless: true }, async (stack) => {
    stack.simulator.faults.set({ upstream: "gdelt", match: "export.CSV" }, { kind: "changed" }, 1);
    const broken = await stack.run("alpha-events");
    expect(broken.status.error).toMatch(/unavailable: export \d{4} has \d+ bytes with MD5/);
    expect((await stack.get(ALPHA)).headers["X-Vigil-State"]).toBe("absent");
  });
});

test("list-alpha-events is never public and ignores its paging parameters", async () => {
  await withStack({ env: { VIGIL_PUBLIC_READS: "on" }, filled: ["alpha-events", "beta-events"] }, async (stack) => {
    expect((await stack.get(ALPHA, {})).status).toBe(401);
    expect((await stack.get(BETA, {})).status).toBe(200);
    const whole = await stack.get(ALPHA);
    const paged = await stack.get(`${ALPHA}?page_size=2&cursor=anything&start=0&end=0&country=`);
    expect(String(paged.body)).toBe(String(whole.body));
    expect(paged.headers["ETag"]).toBe(whole.headers["ETag"]);
    const { events, pagination } = await alpha(stack);
    expect(pagination).toEqual({ nextCursor: "", totalCount: events.length });
  });
});

test("a copy of list-alpha-events made with another VIGIL_ALPHA_EVENTS_MAX is not current", async () => {
  const filled = ["alpha-events"];
  const copy = { ETag: "", modifiedAt: "", body: "" };
  await withStack({ env: { VIGIL_ALPHA_EVENTS_MAX: "10" }, filled }, async (stack) => {
    const { headers, body } = await stack.get(ALPHA);
    Object.assign(copy, { ETag: headers["ETag"], modifiedAt: headers["Last-Modified"], body: String(body) });
  });
  await withStack({ filled }, async (stack) => {
    const key = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
    for (const condition of [{ "if-none-match": copy.ETag }, { "if-modified-since": copy.modifiedAt }]) {
      const answer = await stack.get(ALPHA, { ...key, ...condition });
      expect(answer.status).toBe(200);
      expect(String(answer.body)).not.toBe(copy.body);
    }
    const own = await stack.get(ALPHA);
    expect(own.headers["Last-Modified"]).toBe(copy.modifiedAt);
    expect((await stack.get(ALPHA, { ...key, "if-none-match": own.headers["ETag"] ?? "" })).status).toBe(304);
  });
});

describe("list-beta-events", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ datasets: ["beta-events"] });
  });
  afterAll(() => stack.close());

  test.each(["1.5", "abc", "1e3", "9223372036854775808"])("rejects the start %j", async (start) => {
    const answer = await stack.get(`${BETA}?start=${start}`);
    expect(answer.status).toBe(400);
    expect(json(answer)).toMatchObject({ violations: [{ field: "start" }] });
  });
});
