import { expect, test } from "vitest";
import { started } from "./testing/harness.js";

const NOW = "2024-05-01T00:00:00Z";
const CSV = "https://fred.stlouisfed.org/graph/fredgraph.csv?id=CPIAUCSL";
const order = { upstream: "fred", match: "CPIAUCSL", fault: { kind: "status", code: 503 }, times: 1 };

async function control(baseUrl: string, method: string, body?: unknown, query = ""): Promise<Response> {
  return await fetch(`${baseUrl}/_faults${query}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

test("POST adds a fault, GET lists it, and the fault ends after the given number of requests", async () => {
  const { baseUrl, get } = await started(NOW);
  expect(await (await control(baseUrl, "POST", order)).json()).toEqual({ faults: [order] });
  expect(await (await control(baseUrl, "GET")).json()).toEqual({ faults: [order] });
  expect((await get(CSV.replace("AUCSL", "LFESL"))).status).toBe(200);
  expect((await get(CSV)).status).toBe(503);
  expect((await get(CSV)).status).toBe(200);
});

test("DELETE clears the fault with the given upstream and match, or all faults", async () => {
  const { baseUrl, faults } = await started(NOW);
  await control(baseUrl, "POST", order);
  await control(baseUrl, "POST", { upstream: "*", fault: { kind: "down" } });
  await control(baseUrl, "DELETE", undefined, "?upstream=fred&match=CPIAUCSL");
  expect(faults.list()).toEqual([{ upstream: "*", fault: { kind: "down" } }]);
  await control(baseUrl, "DELETE");
  expect(faults.list()).toEqual([]);
});

test("a fault for every upstream leaves the fault endpoint reachable", async () => {
  const { baseUrl, faults } = await started(NOW);
  faults.set({ upstream: "*" }, { kind: "down" });
  expect((await control(baseUrl, "DELETE")).status).toBe(200);
});

test("the fault endpoint refuses an invalid or oversized fault, and unsupported methods", async () => {
  const { baseUrl, faults } = await started(NOW);
  const wrong = await control(baseUrl, "POST", { ...order, fault: { kind: "melt" } });
  expect([wrong.status, await wrong.text()]).toEqual([400, 'no fault is called "melt"\n']);
  expect((await control(baseUrl, "POST", { ...order, match: "x".repeat(20_000) })).status).toBe(413);
  expect((await control(baseUrl, "PUT", order)).status).toBe(405);
  expect(faults.list()).toEqual([]);
});
