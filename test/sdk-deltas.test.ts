import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { HOUR_MS } from "../src/kit/clock.js";
import { createVigil, type IdentifiedRow, type ListStep, rowsAfter, type Vigil } from "../src/sdk/index.js";
import { type Stack, startStack } from "./support/stack.js";

/* Tests the client's iteration over the changes of a list, on a running service. */

const GENERATIONS = 4;

let stack: Stack;
let server: HttpServer;
let vigil: Vigil;
beforeAll(async () => {
  stack = await startStack({ datasets: ["earthquakes", "us-cpi"] });
  server = httpServer(stack.answer);
  const url = await server.listen("127.0.0.1", 0);
  const key = stack.service.access.ownerKey.key ?? "";
  // The next generation is built during each wait of the iteration.
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    if (ms > 50_000) return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    stack.clock.advance(3 * HOUR_MS);
    await stack.run("earthquakes");
  };
  vigil = createVigil({ url, key, platform: { sleep } });
}, 60_000);
afterAll(async () => {
  await server.close();
  await stack.close();
});

test("applying each step yields the whole list, also with pages and after an outage", async () => {
  const steps: ListStep<unknown>["type"][] = [];
  let held: readonly IdentifiedRow<unknown>[] = [];
  let changes = 0;
  for await (const step of vigil.seismology.listEarthquakes.deltas({ minMagnitude: 4.6, pageSize: 20 })) {
    steps.push(step.type);
    held = rowsAfter(held, step);
    if (step.type === "changes") changes += step.changes.length;
    if (step.type !== "outage") expect(step.generation).toEqual({ earthquakes: steps.length - 1 });
    const whole: unknown[] = [];
    if (step.type !== "outage") {
      for await (const row of vigil.seismology.listEarthquakes.rows({ minMagnitude: 4.6 })) whole.push(row);
    }
    expect(held.map(({ row }) => row)).toEqual(whole);
    if (steps.length === GENERATIONS) break;
  }
  expect(steps).toEqual(["outage", "reset", "changes", "changes"]);
  expect(changes).toBeGreaterThan(0);
});

test("an iteration continues from a given generation, and starts over if that generation is unknown", async () => {
  const follow = async (sinceGeneration: Readonly<Record<string, number>>): Promise<ListStep<unknown>> => {
    for await (const step of vigil.seismology.listEarthquakes.deltas({ sinceGeneration })) return step;
    throw new Error("the iteration ended");
  };
  const { generation } = await vigil.seismology.listEarthquakes();
  const before = Number(generation["earthquakes"]) - 1;
  expect(await follow({ earthquakes: before })).toMatchObject({ type: "changes", generation });
  expect(await follow({ earthquakes: 99 })).toMatchObject({ type: "reset", reason: "unknown", generation });
});
