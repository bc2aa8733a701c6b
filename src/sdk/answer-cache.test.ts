import { describe, expect, test } from "vitest";
import { answerCache } from "./answer-cache.js";
import { fakeService, json } from "./testing/fake-service.js";

const first = { "X-Vigil-State": "ok", "X-Vigil-Generation": "us-cpi=1", ETag: '"e1"', "X-Request-Id": "r1" };
const confirmed = new Response(null, {
  status: 304,
  headers: { ...first, "X-Vigil-State": "stale", "X-Request-Id": "r2" },
});
const cpi = { months: [{ month: 1 }], unavailable: false };

describe("a client with its cache", () => {
  test("a client returns cached data that the service confirms, with the metadata of the confirmation", async () => {
    const { vigil, requests } = fakeService([json(cpi, { headers: first }), confirmed]);
    const answer = await vigil.economic.getUsCpiMonthly();
    const again = await vigil.economic.getUsCpiMonthly();
    expect([answer.isFromCache, answer.state, answer.requestId]).toEqual([false, "ok", "r1"]);
    expect(again).toMatchObject({ status: 200, isFromCache: true, state: "stale", requestId: "r2", data: cpi });
    expect(again.data).not.toBe(answer.data);
    expect(requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"e1"']);
  });

  test("a client sends a cached answer's ETag only with the same query and format", async () => {
    const { vigil, requests } = fakeService([json(cpi, { headers: first })]);
    await vigil.economic.getUsCpiMonthly();
    await vigil.economic.getUsCpiMonthly({ history: true });
    await vigil.economic.getUsCpiMonthly.text({ format: "csv" });
    expect(requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, undefined, undefined]);
  });

  test.each([
    ["the cache is off", { cache: false } as const, {}],
    ["the service forbids it", {}, { "Cache-Control": "private, no-store" }],
  ])("a client caches nothing when %s", async (_, options, headers) => {
    const { vigil, requests } = fakeService([json(cpi, { headers: { ...first, ...headers } })], options);
    await vigil.economic.getUsCpiMonthly();
    await vigil.economic.getUsCpiMonthly();
    expect(requests[1]?.headers).not.toHaveProperty("if-none-match");
  });
});

describe("the cache", () => {
  const answer = (text: string) => ({ etag: '"e"', text, headers: new Headers() });

  test("the cache drops the least recently used answer when there are more answers than the limit allows", () => {
    const cache = answerCache({ answersMax: 2 });
    cache.set("a", answer("1"));
    cache.set("b", answer("1"));
    cache.get("a");
    cache.set("c", answer("1"));
    expect(["a", "b", "c"].filter((url) => cache.get(url))).toEqual(["a", "c"]);
  });

  test("the cache holds no more characters than the limit allows", () => {
    const cache = answerCache({ charactersMax: 10 });
    cache.set("a", answer("x".repeat(6)));
    cache.set("b", answer("x".repeat(4)));
    cache.set("b", answer("x".repeat(3)));
    expect(cache.get("a")).toBeDefined();
    cache.set("c", answer("x".repeat(5)));
    expect(["a", "b", "c"].filter((url) => cache.get(url))).toEqual(["c"]);
    cache.set("d", answer("x".repeat(11)));
    expect([cache.get("c"), cache.get("d")].map(Boolean)).toEqual([true, false]);
  });
});
