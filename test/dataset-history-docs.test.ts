import { afterAll, beforeAll, expect, test } from "vitest";
import { HOUR_MS } from "../src/kit/clock.js";
import { publishChanged, withIndex } from "./support/changed-build.js";
import { expectExample, httpExamples } from "./support/http-examples.js";
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
  await publishChanged(stack, "us-cpi", (records) => withIndex(records, "headline", Date.UTC(2026, 9), 353.1));
  stack.clock.advance(HOUR_MS);
});
afterAll(() => stack.close());

const examples = httpExamples("dataset-history.md");

test("docs/dataset-history.md has worked examples", () => {
  expect(examples.length).toBeGreaterThanOrEqual(3);
});

test.each(examples)("docs/dataset-history.md: $target", (example) =>
  expectExample(stack, example, { isExcerpt: true }),
);
