import { afterAll, beforeAll } from "vitest";
import { HOUR_MS } from "../src/kit/clock.js";
import { testExamples } from "./support/http-examples.js";
import { type Stack, startStack } from "./support/stack.js";

/* The worked examples of docs/formats.md. */

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ datasets: ["us-cpi", "earthquakes"] });
  await stack.run("earthquakes");
  stack.clock.advance(6 * HOUR_MS);
  await stack.run("earthquakes");
  await stack.run("us-cpi");
});
afterAll(() => stack.close());

testExamples("formats.md", () => stack, { examplesMin: 7 });
