import { afterAll, beforeAll } from "vitest";
import { bodyStore } from "../src/database/bodies.js";
import { DAY_MS, HOUR_MS } from "../src/kit/clock.js";
import { applyRetention } from "../src/snapshots/history/retention.js";
import { testExamples } from "./support/http-examples.js";
import { NOON, type Stack, startStack } from "./support/stack.js";

/* The worked examples of docs/history.md. */

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ datasets: ["us-cpi", "earthquakes"], at: NOON - DAY_MS });
  await stack.run("us-cpi");
  stack.clock.advance(DAY_MS);
  await stack.run("us-cpi");
  await stack.run("earthquakes");
  stack.clock.advance(HOUR_MS);
  stack.simulator.faults.set({ upstream: "*" }, { kind: "down" });
  await stack.run("earthquakes");
  stack.clock.advance(5 * HOUR_MS);
  stack.simulator.faults.clear();
  await stack.run("earthquakes");
  stack.clock.advance(DAY_MS);
  await removeFirstDay();
});
afterAll(() => stack.close());

/** Retention as it is some weeks later. */
async function removeFirstDay(): Promise<void> {
  const { database } = stack.service;
  const bodies = bodyStore(database, stack.dataDir, stack.clock);
  const policy = { wholeMs: 1.5 * DAY_MS, dailyMs: 1.5 * DAY_MS, bodyBytesMax: 1e9 };
  await applyRetention(database, bodies, ["us-cpi"], policy, stack.clock.now());
}

testExamples("history.md", () => stack, { examplesMin: 5 });
