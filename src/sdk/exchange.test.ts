import { describe, expect, test } from "vitest";
import { ApiError, ConnectionError, TimeoutError, UnavailableError } from "./errors.js";
import type { Retry } from "./options.js";
import { type FakeAnswer, fakeService, json, NOW } from "./testing/fake-service.js";

const cpi = json({ months: [], unavailable: false });
const unavailable = (headers: Readonly<Record<string, string>> = {}): Response =>
  json({ message: "Not now", error: "Not now" }, { status: 503, headers });
const lost = new TypeError("fetch failed");
const neverSettles = (): Promise<string> => new Promise(() => undefined);
const company = {
  company: { name: "Example", domicileCountry: "DOMICILE_COUNTRY_US" },
  clientRequestId: "c1",
} as const;

describe("a client", () => {
  test("a client retries a read after temporary failures, with growing waits", async () => {
    const retries: Retry[] = [];
    const { vigil, requests, waits } = fakeService([lost, unavailable(), cpi], {
      onRetry: (retry) => retries.push(retry),
    });
    expect((await vigil.economic.getUsCpiMonthly()).status).toBe(200);
    expect(requests).toHaveLength(3);
    expect(waits).toEqual([250, 500]);
    expect(retries).toMatchObject([
      { method: "GET", url: "http://vigil.example/api/economic/v1/get-us-cpi-monthly", attempt: 1, waitMs: 250 },
      { attempt: 2, error: { status: 503 } },
    ]);
  });

  test("a client waits for the time in Retry-After, in seconds or as a date, plus some jitter", async () => {
    const until = unavailable({ "Retry-After": new Date(NOW + 3_000).toUTCString() });
    const { vigil, waits } = fakeService([unavailable({ "Retry-After": "7" }), until, cpi], {
      platform: { random: () => 0.5 },
    });
    await vigil.economic.getUsCpiMonthly();
    expect(waits).toEqual([7_500, 3_500]);
  });

  test("a client gives up immediately if Retry-After is longer than the longest wait", async () => {
    const daily = json({ message: "Daily limit reached" }, { status: 429, headers: { "Retry-After": "3600" } });
    const { vigil, requests } = fakeService([daily, cpi]);
    await expect(vigil.economic.getUsCpiMonthly()).rejects.toMatchObject({ retryAfterMs: 3_600_000 });
    expect(requests).toHaveLength(1);
  });

  test("a client throws the last error after the last retry", async () => {
    const { vigil, requests } = fakeService([unavailable()], { retriesMax: 3 });
    await expect(vigil.economic.getUsCpiMonthly()).rejects.toBeInstanceOf(UnavailableError);
    expect(requests).toHaveLength(4);
  });

  test("a client does not repeat a call that was refused with 401", async () => {
    const { vigil, requests } = fakeService([json({ error: "API key required" }, { status: 401 })]);
    await expect(vigil.economic.getUsCpiMonthly()).rejects.toBeInstanceOf(ApiError);
    expect(requests).toHaveLength(1);
  });

  test("a client retries a write with its idempotency key, even while the first attempt is still running", async () => {
    const running = json({ error: "idempotency_conflict" }, { status: 409, headers: { "Retry-After": "2" } });
    const replay = json({}, { headers: { "Idempotent-Replayed": "true" } });
    const { vigil, requests, waits } = fakeService([lost, running, replay]);
    const answer = await vigil.companyMonitoring.createMonitoredCompany(company);
    expect(answer.isReplay).toBe(true);
    expect(requests.map(({ headers }) => headers["idempotency-key"])).toEqual(["uuid-0", "uuid-0", "uuid-0"]);
    expect(requests.map(({ body }) => JSON.parse(body))).toEqual([company, company, company]);
    expect(waits).toEqual([250, 2_000]);
  });

  test("a client uses the caller's idempotency key", async () => {
    const { vigil, requests } = fakeService([json({})]);
    await vigil.companyMonitoring.createMonitoredCompany(company, { idempotencyKey: "mine" });
    expect(requests[0]?.headers["idempotency-key"]).toBe("mine");
  });

  test.each<[string, FakeAnswer]>([
    ["a lost connection", lost],
    ["a temporary failure", unavailable({ "Retry-After": "1" })],
  ])("a client never repeats a write without an idempotency key after %s", async (_, failure) => {
    const { vigil, requests } = fakeService([failure, json({})]);
    await expect(vigil.account.createKey({ name: "k" })).rejects.toBeInstanceOf(Error);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers).not.toHaveProperty("idempotency-key");
  });

  test("a client repeats a read if the body of the answer breaks off", async () => {
    const broken = () =>
      new Response(new ReadableStream({ start: (body) => body.error(new TypeError("terminated")) }), {
        headers: { "Content-Type": "application/json" },
      });
    const { vigil, requests } = fakeService([broken, cpi]);
    await vigil.economic.getUsCpiMonthly();
    expect(requests).toHaveLength(2);
    const { vigil: never } = fakeService([broken]);
    await expect(never.economic.getUsCpiMonthly()).rejects.toThrow(
      "the connection to http://vigil.example broke before the end of the answer",
    );
  });

  test("a client limits the time of each attempt", async () => {
    const silent: FakeAnswer = ({ signal }) =>
      new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        else signal.addEventListener("abort", () => reject(signal.reason));
      });
    const { vigil, requests } = fakeService([silent], { timeoutMs: 1_000 });
    await expect(vigil.economic.getUsCpiMonthly()).rejects.toThrow(TimeoutError);
    expect(requests).toHaveLength(3);
  });

  test("the time limit of an attempt also covers the caller's token function", async () => {
    const { vigil, requests } = fakeService([cpi], { timeoutMs: 1_000, retriesMax: 0, token: neverSettles });
    await expect(vigil.economic.getUsCpiMonthly()).rejects.toThrow(TimeoutError);
    expect(requests).toHaveLength(0);
  });

  test("the error of an unreachable service contains the address", async () => {
    const { vigil } = fakeService([lost]);
    const refused = vigil.economic.getUsCpiMonthly();
    await expect(refused).rejects.toThrow("no service answers at http://vigil.example");
    await expect(refused).rejects.toBeInstanceOf(ConnectionError);
  });
});

describe("an abort", () => {
  test("an abort ends a running call with the signal's reason, and later calls with that signal send nothing", async () => {
    const aborter = new AbortController();
    const { vigil, requests } = fakeService([
      ({ signal }) => {
        aborter.abort(new Error("enough"));
        return Promise.reject(signal.reason);
      },
    ]);
    await expect(vigil.economic.getUsCpiMonthly({}, { signal: aborter.signal })).rejects.toThrow("enough");
    await expect(vigil.economic.getUsCpiMonthly({}, { signal: aborter.signal })).rejects.toThrow("enough");
    expect(requests).toHaveLength(1);
  });

  test("an abort ends a call that waits for the caller's token function", async () => {
    const aborter = new AbortController();
    const { vigil, requests } = fakeService([cpi], { token: neverSettles });
    const pending = vigil.economic.getUsCpiMonthly({}, { signal: aborter.signal });
    setImmediate(() => aborter.abort(new Error("enough")));
    await expect(pending).rejects.toThrow("enough");
    expect(requests).toHaveLength(0);
  });

  test("an abort by the caller's token function itself ends the call", async () => {
    const aborter = new AbortController();
    const { vigil, requests } = fakeService([cpi], {
      token: () => {
        aborter.abort(new Error("enough"));
        return neverSettles();
      },
    });
    await expect(vigil.economic.getUsCpiMonthly({}, { signal: aborter.signal })).rejects.toThrow("enough");
    expect(requests).toHaveLength(0);
  });

  test("an abort ends the wait before a retry", async () => {
    const aborter = new AbortController();
    const { vigil, requests } = fakeService([unavailable()], { onRetry: () => aborter.abort(new Error("enough")) });
    await expect(vigil.economic.getUsCpiMonthly({}, { signal: aborter.signal })).rejects.toThrow("enough");
    expect(requests).toHaveLength(1);
  });
});

test("a failure in the caller's own code is not mistaken for a failure of the service", async () => {
  const { vigil, requests } = fakeService([cpi], {
    token: () => {
      throw new RangeError("no token");
    },
  });
  await expect(vigil.economic.getUsCpiMonthly()).rejects.toThrow(RangeError);
  expect(requests).toHaveLength(0);
});
