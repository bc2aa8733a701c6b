import { afterAll, beforeAll } from "vitest";
import { HOUR_MS } from "../src/kit/clock.js";
import { testExamples } from "./support/http-examples.js";
import { type IndexMonth, publishChanged, withIndex } from "./support/published.js";
import { type Stack, startStack } from "./support/stack.js";

/* The worked examples of docs/dataset-history.md. */

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ datasets: ["earthquakes", "us-cpi"] });
  await stack.run("earthquakes");
  await stack.run("us-cpi");
  stack.clock.advance(HOUR_MS);
  stack.simulator.faults.set({ upstream: "*" }, { kind: "down" });
  await stack.run("earthquakes");
  stack.clock.advance(5 * HOUR_MS);
  stack.simulator.faults.clear();
  await stack.run("earthquakes");
  await publishChanged<IndexMonth>(stack, "us-cpi", (records) =>
    withIndex(records, "headline", { month: Date.UTC(2026, 9), index: 353.1 }),
  );
  stack.clock.advance(HOUR_MS);
});
afterAll(() => stack.close());

testExamples("dataset-history.md", () => stack, { examplesMin: 3, areExcerpts: true });
