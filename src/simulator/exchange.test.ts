import { expect, test, vi } from "vitest";
import { addressOf, rawGet, started } from "./testing/harness.js";

const NOW = "2024-05-01T00:00:00Z";
const CSV = "https://fred.stlouisfed.org/graph/fredgraph.csv?id=CPIAUCSL";
const TARGET = CSV.replace("https:/", "");

test("the 'status' fault sends the code, with Retry-After in seconds or as text", async () => {
  const simulator = await started(NOW);
  simulator.faults.set({ upstream: "fred" }, { kind: "status", code: 503, retryAfter: 30 }, 1);
  const busy = await simulator.get(CSV);
  expect([busy.status, busy.headers.get("retry-after")]).toEqual([503, "30"]);
  simulator.faults.set({ upstream: "fred" }, { kind: "status", code: 429, retryAfter: "soon" }, 1);
  const limited = await simulator.get(CSV);
  expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "soon"]);
  expect((await simulator.get(CSV)).status).toBe(200);
});

test.each([204, 304])("the 'status' fault sends %i without a body", async (code) => {
  const simulator = await started(NOW);
  simulator.faults.set({ upstream: "fred" }, { kind: "status", code });
  const answer = await simulator.get(CSV);
  expect([answer.status, await answer.text()]).toEqual([code, ""]);
});

test("the 'delay' fault sends the healthy answer after the simulator's clock has advanced", async () => {
  const simulator = await started(NOW);
  const healthy = await simulator.text(CSV);
  simulator.faults.set({ upstream: "fred" }, { kind: "delay", ms: 60_000 });
  const slow = simulator.text(CSV);
  await vi.waitUntil(() => simulator.clock.sleeping === 1);
  simulator.clock.advance(60_000);
  expect(await slow).toBe(healthy);
});

test("the 'delay' fault ends its wait when the client disconnects", async () => {
  const simulator = await started(NOW);
  simulator.faults.set({ upstream: "fred" }, { kind: "delay", ms: 60_000 });
  const leaving = new AbortController();
  const slow = fetch(addressOf(simulator, CSV), { signal: leaving.signal });
  await vi.waitUntil(() => simulator.clock.sleeping === 1);
  leaving.abort();
  await expect(slow).rejects.toThrow();
  await vi.waitUntil(() => simulator.clock.sleeping === 0);
});

test("the 'hang' fault keeps the connection open, without a byte, until the simulator closes", async () => {
  const simulator = await started(NOW);
  simulator.faults.set({ upstream: "fred" }, { kind: "hang" });
  const waiting = rawGet(simulator, TARGET);
  await vi.waitUntil(() => simulator.requests.list().length === 1);
  await simulator.close();
  expect(await waiting).toBe("");
  expect(simulator.requests.list()[0]).toMatchObject({ fault: "hang", status: null });
});

test("the 'down' fault ends the connection without a byte", async () => {
  const simulator = await started(NOW);
  simulator.faults.set({ upstream: "fred" }, { kind: "down" });
  expect(await rawGet(simulator, TARGET)).toBe("");
  await expect(simulator.get(CSV)).rejects.toThrow();
});

test.each([0, 0.5, 1])(
  "the 'cut' fault with `afterRatio` %d declares the length of the whole body but sends less",
  async (afterRatio) => {
    const simulator = await started(NOW);
    const whole = await simulator.text(CSV);
    simulator.faults.set({ upstream: "fred" }, { kind: "cut", afterRatio });
    const [head, body] = (await rawGet(simulator, TARGET)).split("\r\n\r\n");
    expect(head).toContain(`Content-Length: ${whole.length}`);
    expect(body).toBe(whole.slice(0, Math.min(Math.floor(whole.length * afterRatio), whole.length - 1)));
    await expect(simulator.text(CSV)).rejects.toThrow();
  },
);

test("the 'cut' fault with chunked framing sends part of the body and no final chunk", async () => {
  const simulator = await started(NOW);
  simulator.faults.set({ upstream: "fred" }, { kind: "cut", afterRatio: 0.5, framing: "chunked" });
  const wire = await rawGet(simulator, TARGET);
  expect(wire).toContain("Transfer-Encoding: chunked");
  expect(wire).toContain("1947-01-01,");
  expect(wire).not.toMatch(/\r\n0\r\n\r\n$/);
  await expect(simulator.text(CSV)).rejects.toThrow();
});

test("an answer with the 'cut' fault never becomes a 304", async () => {
  const simulator = await started(NOW);
  simulator.faults.set({ upstream: "fred" }, { kind: "cut", afterRatio: 0.5 });
  const answer = await simulator.get(CSV, { "If-Modified-Since": "Wed, 01 May 2024 00:00:00 GMT" });
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
});

test("the 'html' fault sends 200 with an error page", async () => {
  const simulator = await started(NOW);
  simulator.faults.set({ upstream: "fred" }, { kind: "html" });
  const answer = await simulator.get(CSV);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
  expect(await answer.text()).toContain("<html>");
});

test("the 'blank' fault sends 200 with the right content type and no bytes", async () => {
  const simulator = await started(NOW);
  simulator.faults.set({ upstream: "fred" }, { kind: "blank" });
  const answer = await simulator.get(CSV);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/csv"]);
  expect([answer.headers.get("content-length"), await answer.text()]).toEqual(["0", ""]);
});

test.each(["changed", "empty", "bad-row"] as const)(
  "the '%s' fault leaves an error of the upstream itself unchanged",
  async (kind) => {
    const simulator = await started(NOW);
    simulator.faults.set({ upstream: "*" }, { kind });
    expect((await simulator.get("https://fred.stlouisfed.org/graph/fredgraph.csv?id=NOSUCH")).status).toBe(404);
    expect((await simulator.get("https://unknown.example/x")).status).toBe(404);
  },
);
