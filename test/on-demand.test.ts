import { describe, expect, test } from "vitest";
import type { Json } from "../src/contract/testing/service-cases.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../src/kit/clock.js";
import { cases } from "../src/services/aviation/testing/cases.js";
import { type Headers, issueToken, makeAccount, makeKey, setPlan } from "./support/callers.js";
import { json, NOON, type Stack, type StackOptions, startStack } from "./support/stack.js";

const noPrices = { degraded: true, isIndicative: false, quotes: [] };

const aviation = (path: string): string => `/api/aviation/v1/${path}`;

/** The path and query that an operation's test case calls. */
function targetOf(rpc: string): string {
  const operationCase = cases.operations[rpc];
  if (operationCase?.kind !== "on-demand") throw new Error(`${rpc} has no on-demand case`);
  return aviation(`${rpc}?${operationCase.query}`);
}

/** Runs a test on a separate service. */
async function withStack(options: StackOptions, run: (stack: Stack) => Promise<void>): Promise<void> {
  const stack = await startStack(options);
  try {
    await run(stack);
  } finally {
    await stack.close();
  }
}

test("an operation without its upstream's key returns its documented answer, and health names the unset variable", () =>
  withStack({ keyless: true }, async (stack) => {
    const expected: readonly (readonly [name: string, body: Json, variable: string])[] = [
      ["list-airport-flights", { flights: [], source: "unavailable" }, "AVIATIONSTACK_API"],
      ["get-flight-status", { flights: [], source: "unavailable" }, "AVIATIONSTACK_API"],
      ["get-carrier-ops", { carriers: [], source: "unavailable" }, "AVIATIONSTACK_API"],
      ["search-flight-prices", { ...noPrices, error: "missing_credentials" }, "TRAVELPAYOUTS_API_TOKEN"],
      ["search-provider-flights", { degraded: true, flights: [] }, "DUFFEL_API_TOKEN"],
      ["search-provider-dates", { degraded: true, dates: [] }, "TRAVELPAYOUTS_API_TOKEN"],
    ];
    const { settings } = json(await stack.get("/api/health")) as { settings: { variable: string; isSet: boolean }[] };
    for (const [name, body, variable] of expected) {
      const answer = await stack.get(targetOf(name));
      expect(json(answer)).toMatchObject(body);
      expect(answer.headers).toMatchObject({ "X-Vigil-State": "absent", "Cache-Control": "no-store" });
      expect(settings.find((setting) => setting.variable === variable)).toMatchObject({ isSet: false });
    }
    expect(stack.simulator.requests.list()).toEqual([]);
    const { onDemand } = json(await stack.get("/api/health")) as { onDemand: { name: string; error: string }[] };
    expect(onDemand.find(({ name }) => name === "one flight")?.error).toContain("AVIATIONSTACK_API");
    expect(onDemand.find(({ name }) => name === "flight offers")?.error).toContain("DUFFEL_API_TOKEN");
  }));

test("with a wrong key, the upstream is called once per half minute instead of once per request", () =>
  withStack({}, async (stack) => {
    stack.simulator.faults.set({ upstream: "aviationstack" }, { kind: "status", code: 401 });
    const path = aviation("get-flight-status?flight_number=VG1001&date=2026-11-18");
    for (const _ of [1, 2, 3]) expect(json(await stack.get(path))).toMatchObject({ source: "error" });
    expect(stack.simulator.requests.list()).toHaveLength(1);
    stack.clock.advance(30 * SECOND_MS);
    await stack.get(path);
    expect(stack.simulator.requests.list()).toHaveLength(2);
    expect(json(await stack.get("/api/health"))).toMatchObject({
      onDemand: [{ name: "one flight", state: "failed", error: expect.stringContaining("answered 401") }],
      budgets: expect.arrayContaining([
        expect.objectContaining({ name: "aviationstack", used: 2 }),
        expect.objectContaining({ name: "aviationstack-requests", used: 2, max: 7_000 }),
      ]),
    });
  }));

describe("the budget of paid calls", () => {
  const status = (number: number): string => aviation(`get-flight-status?flight_number=VG${number}&date=2026-11-18`);

  test("a spent budget permits no calls, even after a restart, until the next billing cycle begins", () =>
    withStack({ env: { VIGIL_AVIATIONSTACK_REQUEST_CALLS: "2" } }, async (stack) => {
      const sourceOf = async (number: number): Promise<unknown> =>
        (json(await stack.get(status(number))) as Json)["source"];
      expect([await sourceOf(1), await sourceOf(2), await sourceOf(3)]).toEqual([
        "aviationstack",
        "aviationstack",
        "budget",
      ]);
      // Cached answers are still served.
      expect(await sourceOf(1)).toBe("aviationstack");
      await stack.restart();
      expect(await sourceOf(4)).toBe("budget");
      expect(stack.simulator.requests.list()).toHaveLength(2);
      stack.clock.set(Date.UTC(2026, 11, 1));
      expect(await sourceOf(4)).toBe("aviationstack");
    }));

  test("callers' requests and the sweep of the airports share one budget; once it is spent, the sweep stops", () =>
    withStack({ env: { VIGIL_AVIATIONSTACK_CALLS: "60" } }, async (stack) => {
      const run = async (minutes: number): Promise<object | undefined> => {
        stack.clock.set(NOON + minutes * MINUTE_MS);
        return (await stack.run("airport-delays")).status.parts["departures"];
      };
      const spent = {
        error: "the budget aviationstack of this billing cycle is spent; the next cycle begins on 2026-12-01",
      };
      const calls = (): number =>
        stack.simulator.requests.list().filter(({ url }) => new URL(url).host === "api.aviationstack.com").length;
      expect(await run(0)).toMatchObject({ state: "fresh" });
      await stack.get(status(1));
      expect((await stack.service.budgets.uses()).slice(0, 2)).toMatchObject([{ used: 51 }, { used: 1 }]);
      expect(await run(60)).toMatchObject({ ...spent, state: "kept" });
      expect(await run(62)).toMatchObject({ ...spent, state: "kept" });
      expect([calls(), json(await stack.get(status(2)))]).toMatchObject([60, { source: "budget" }]);
      expect((await stack.service.budgets.uses()).slice(0, 2)).toMatchObject([{ used: 60, max: 60 }, { used: 1 }]);
      // The other sources of the same dataset continue.
      const { datasets } = json(await stack.get("/api/health")) as { datasets: { name: string; parts: Json[] }[] };
      const parts = datasets.find(({ name }) => name === "airport-delays")?.parts;
      expect(parts).toMatchObject([{ state: "fresh" }, spent, { state: "fresh" }]);
      stack.clock.set(Date.UTC(2026, 11, 1));
      expect((await stack.run("airport-delays")).status.parts["departures"]).toMatchObject({ state: "fresh" });
      expect(calls()).toBeGreaterThan(60);
    }));

  test("an airport's departures and arrivals cost one call each; an answer with one of the two is partial", () =>
    withStack({ env: { VIGIL_AVIATIONSTACK_CALLS: "1" } }, async (stack) => {
      expect(json(await stack.get(aviation("list-airport-flights?airport=IST")))).toMatchObject({ source: "partial" });
      expect((await stack.service.budgets.uses()).slice(0, 2)).toMatchObject([{ used: 1, max: 1 }, { used: 1 }]);
    }));
});

test("an expired answer is served while the upstream fails, and is marked stale", () =>
  withStack({}, async (stack) => {
    const path = aviation("list-airport-flights?airport=IST");
    const fresh = json(await stack.get(path));
    stack.clock.advance(16 * MINUTE_MS);
    stack.simulator.faults.set({ upstream: "aviationstack" }, { kind: "status", code: 500 });
    const stale = await stack.get(path);
    expect(json(stale)).toEqual(fresh);
    expect(stale.headers).toMatchObject({ "X-Vigil-State": "stale", "Cache-Control": "no-store" });
    stack.clock.advance(30 * MINUTE_MS);
    expect(json(await stack.get(path))).toMatchObject({ source: "error" });
  }));

test("OpenSky replaces adsb.lol if adsb.lol fails, or if the box does not fit into one circle of adsb.lol's API", () =>
  withStack({}, async (stack) => {
    const hosts = () => stack.simulator.requests.list().map(({ url }) => new URL(url).hostname);
    stack.simulator.faults.set({ upstream: "adsb-lol" }, { kind: "status", code: 500 });
    expect(json(await stack.get(aviation("track-aircraft?icao24=3c6444")))).toMatchObject({ positions: [{}] });
    expect(hosts()).toEqual(["api.adsb.lol", "auth.opensky-network.org", "opensky-network.org"]);
    stack.simulator.requests.clear();
    const wide = json(await stack.get(aviation("track-aircraft?sw_lat=-60&sw_lon=150&ne_lat=60&ne_lon=-60"))) as Json;
    expect(wide["positions"]).not.toEqual([]);
    expect(hosts()).toEqual(["opensky-network.org", "opensky-network.org"]);
  }));

describe("OpenSky's account", () => {
  const WIDE = aviation("track-aircraft?sw_lat=40&sw_lon=-10&ne_lat=60&ne_lon=20");
  const requested = (stack: Stack) =>
    stack.simulator.requests.list().map(({ url, status }) => `${new URL(url).hostname.split(".")[0]} ${status}`);
  const sourceOf = async (stack: Stack, path = WIDE): Promise<unknown> =>
    (json(await stack.get(path)) as Json)["source"];
  const boxHealth = async (stack: Stack): Promise<Json> => {
    const { onDemand } = json(await stack.get("/api/health")) as { onDemand: readonly Json[] };
    return onDemand.find(({ name }) => name === "aircraft in a box") ?? {};
  };

  test("OpenSky's token is reused, and renewed three minutes before it expires", () =>
    withStack({}, async (stack) => {
      expect(await sourceOf(stack)).toBe("simulated");
      stack.clock.advance(27 * MINUTE_MS - 1);
      await sourceOf(stack);
      expect(requested(stack)).toEqual(["auth 200", "opensky-network 200", "opensky-network 200"]);
      stack.clock.advance(2 * MINUTE_MS);
      await sourceOf(stack);
      expect(requested(stack).slice(3)).toEqual(["auth 200", "opensky-network 200"]);
    }));

  test("OpenSky is requested without a token when no account is set, and health names the missing settings", () =>
    withStack({ keyless: true }, async (stack) => {
      expect(await sourceOf(stack)).toBe("simulated");
      expect(requested(stack)).toEqual(["opensky-network 200"]);
      const { settings } = json(await stack.get("/api/health")) as { settings: readonly Json[] };
      for (const variable of ["OPENSKY_CLIENT_ID", "OPENSKY_CLIENT_SECRET"]) {
        expect(settings).toContainEqual(expect.objectContaining({ variable, isSet: false, sources: ["opensky"] }));
      }
    }));

  test("a half-configured OpenSky account prevents requests, and health names the missing half", () =>
    withStack({ keyless: true, env: { OPENSKY_CLIENT_ID: "me" } }, async (stack) => {
      expect(await sourceOf(stack)).toBe("unavailable");
      expect(requested(stack)).toEqual([]);
      expect(await boxHealth(stack)).toMatchObject({ error: "opensky needs OPENSKY_CLIENT_SECRET" });
    }));

  test("a refused OpenSky token is renewed once and then dropped; a refused call without a token is not retried", () =>
    withStack({}, async (stack) => {
      const states = { upstream: "opensky", match: "states/all" };
      stack.simulator.faults.set(states, { kind: "status", code: 401 }, 1);
      expect(await sourceOf(stack)).toBe("simulated");
      expect(requested(stack)).toEqual(["auth 200", "opensky-network 401", "auth 200", "opensky-network 200"]);
      stack.simulator.requests.clear();
      stack.simulator.faults.set(states, { kind: "status", code: 401 });
      stack.clock.advance(HOUR_MS);
      expect(await sourceOf(stack)).toBe("error");
      const withTokens = ["auth 200", "opensky-network 401", "auth 200", "opensky-network 401"];
      expect(requested(stack)).toEqual([...withTokens, "opensky-network 401"]);
      expect(await boxHealth(stack)).toMatchObject({
        error: expect.stringMatching(
          /answered 401.*; check OPENSKY_CLIENT_ID, OPENSKY_CLIENT_SECRET; without an account: /,
        ),
      });
      stack.simulator.requests.clear();
      stack.simulator.faults.clear();
      stack.simulator.faults.set(states, { kind: "status", code: 401 }, 2);
      stack.clock.advance(HOUR_MS);
      expect(await sourceOf(stack)).toBe("simulated");
      expect(requested(stack)).toEqual([...withTokens, "opensky-network 200"]);
      expect(await boxHealth(stack)).toMatchObject({
        state: "ok",
        passedOver: [expect.stringMatching(/answered 401.*; check OPENSKY_CLIENT_ID, OPENSKY_CLIENT_SECRET$/)],
      });
    }));

  test.each([400, 404, 500])("OpenSky is requested without a token when the token endpoint answers %i", (code) =>
    withStack({}, async (stack) => {
      stack.simulator.faults.set({ upstream: "opensky", match: "openid-connect/token" }, { kind: "status", code });
      expect(await sourceOf(stack)).toBe("simulated");
      expect(requested(stack)).toEqual([`auth ${code}`, "opensky-network 200"]);
      expect(await boxHealth(stack)).toMatchObject({
        state: "ok",
        passedOver: [expect.stringContaining(String(code))],
      });
    }),
  );

  test("a wrong OpenSky secret is reported, the account is skipped, and the secret is tried again after a minute", () =>
    withStack({ env: { OPENSKY_CLIENT_SECRET: "wr0ng" } }, async (stack) => {
      const refusal = expect.stringMatching(/\(401\); check OPENSKY_CLIENT_ID and OPENSKY_CLIENT_SECRET$/);
      expect(await sourceOf(stack)).toBe("simulated");
      expect(await boxHealth(stack)).toMatchObject({ state: "ok", error: null, passedOver: [refusal] });
      expect(await sourceOf(stack, aviation("track-aircraft?sw_lat=-79&sw_lon=-1&ne_lat=-78&ne_lon=1"))).toBe("none");
      expect(requested(stack)).toEqual(["auth 401", "opensky-network 200", "api 200", "opensky-network 200"]);
      expect(await boxHealth(stack)).toMatchObject({ state: "ok", error: null, passedOver: [refusal] });
      expect(String((await stack.get("/api/health")).body)).not.toContain("wr0ng");
      stack.simulator.requests.clear();
      // Each box is new, because the answer for a box is cached for two minutes.
      stack.clock.advance(MINUTE_MS - 1);
      await sourceOf(stack, aviation("track-aircraft?sw_lat=41&sw_lon=-10&ne_lat=60&ne_lon=20"));
      expect(requested(stack)).toEqual(["opensky-network 200"]);
      stack.clock.advance(1);
      await sourceOf(stack, aviation("track-aircraft?sw_lat=42&sw_lon=-10&ne_lat=60&ne_lon=20"));
      expect(requested(stack).slice(1)).toEqual(["auth 401", "opensky-network 200"]);
    }));
});

test("a private video has no embed metadata and is not requested again within half a minute", () =>
  withStack({}, async (stack) => {
    const path = aviation("get-video-live-stream-info?video_id=private-123");
    for (const _ of [1, 2]) expect(json(await stack.get(path))).toMatchObject({ error: "video_not_found" });
    expect(stack.simulator.requests.list()).toMatchObject([{ status: 403 }]);
    stack.clock.advance(30 * SECOND_MS);
    await stack.get(path);
    expect(stack.simulator.requests.list()).toHaveLength(2);
  }));

test("only Pro operations need tier 1: with public reads, all others answer a caller without a key", () =>
  withStack({ env: { VIGIL_PUBLIC_READS: "on" } }, async (stack) => {
    const names = Object.keys(cases.operations).filter((name) => cases.operations[name]?.kind === "on-demand");
    const answersTo = (called: readonly string[], headers: Headers) =>
      Promise.all(called.map(async (name) => [name, await stack.get(targetOf(name), headers)] as const));
    const statuses = (await answersTo(names, {})).map(([name, { status }]) => [name, status]);
    expect(Object.fromEntries(statuses)).toEqual({
      "track-aircraft": 200,
      "get-video-live-stream-info": 200,
      "list-airport-flights": 401,
      "get-flight-status": 401,
      "get-carrier-ops": 401,
      "search-flight-prices": 401,
      "search-provider-flights": 200,
      "search-provider-dates": 200,
    });
    const pro = statuses.filter(([, status]) => status === 401).map(([name]) => String(name));
    const accountId = await makeAccount(stack, "pro");
    const byToken = { authorization: `Bearer ${await issueToken(stack, await makeKey(stack, accountId))}` };
    for (const [name, { status }] of await answersTo(pro, byToken)) expect([name, status]).toEqual([name, 200]);
    await setPlan(stack, accountId, "free", "active");
    for (const [name, answer] of await answersTo(pro, byToken)) {
      expect([name, answer.status, json(answer)]).toMatchObject([name, 403, { requiredTier: 1, currentTier: 0 }]);
    }
  }));
