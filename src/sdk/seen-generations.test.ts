import { describe, expect, test } from "vitest";
import { seenGenerations } from "./seen-generations.js";
import { fakeService, json } from "./testing/fake-service.js";

const cpi = (generation: string): Response =>
  json({ months: [], unavailable: false }, { headers: { "X-Vigil-State": "ok", "X-Vigil-Generation": generation } });

function minimums(requests: readonly { readonly headers: Readonly<Record<string, string>> }[]) {
  return requests.map(({ headers }) => headers["x-vigil-min-generation"]);
}

describe("a client of several nodes", () => {
  test("a client requests answers at least as new as the newest that it has seen", async () => {
    const answers = ["us-cpi=3", "us-cpi=2, ice=7", "us-cpi=4"].map(cpi);
    const { vigil, requests } = fakeService([...answers, cpi("us-cpi=4")]);
    for (let call = 0; call < 4; call += 1) await vigil.economic.getUsCpiMonthly();
    expect(minimums(requests)).toEqual([undefined, "us-cpi=3", "us-cpi=3, ice=7", "ice=7, us-cpi=4"]);
  });

  test("a client retries a read with the same minimum if a lagging node rejects the read", async () => {
    const behind = json({ error: "behind" }, { status: 503, headers: { "Retry-After": "1" } });
    const { vigil, requests, waits } = fakeService([cpi("us-cpi=3"), behind, cpi("us-cpi=3")]);
    await vigil.economic.getUsCpiMonthly();
    const { generation } = await vigil.economic.getUsCpiMonthly();
    expect(generation).toEqual({ "us-cpi": 3 });
    expect(waits).toEqual([1_000]);
    expect(minimums(requests)).toEqual([undefined, "us-cpi=3", "us-cpi=3"]);
  });

  test("a client sends no minimum for a dataset without data", async () => {
    const { vigil, requests } = fakeService([cpi("us-cpi=0")]);
    for (let call = 0; call < 2; call += 1) await vigil.economic.getUsCpiMonthly();
    expect(minimums(requests)).toEqual([undefined, undefined]);
  });

  test("a client accepts older answers if the options allow it, or if a call sets its own minimum", async () => {
    const indifferent = fakeService([cpi("us-cpi=3")], { isMonotonic: false });
    for (let call = 0; call < 2; call += 1) await indifferent.vigil.economic.getUsCpiMonthly();
    expect(minimums(indifferent.requests)).toEqual([undefined, undefined]);
    const { vigil, requests } = fakeService([cpi("us-cpi=3")]);
    await vigil.economic.getUsCpiMonthly();
    await vigil.economic.getUsCpiMonthly({}, { headers: { "X-Vigil-Min-Generation": "us-cpi=1" } });
    expect(minimums(requests)).toEqual([undefined, "us-cpi=1"]);
  });
});

test("the header with the minimums never becomes too long, and keeps the datasets that were read most recently", () => {
  const seen = seenGenerations();
  for (let number = 1; number <= 1_000; number += 1) seen.add({ [`a-dataset-with-a-long-name-${number}`]: 1 });
  const text = seen.text() ?? "";
  expect(text.length).toBeLessThanOrEqual(8_000);
  expect(text.length).toBeGreaterThan(7_900);
  expect(text).toMatch(/a-dataset-with-a-long-name-1000=1$/);
});
