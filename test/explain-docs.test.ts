import { afterAll, beforeAll } from "vitest";
import { testExamples } from "./support/http-examples.js";
import { type Stack, startStack } from "./support/stack.js";

/* The worked examples of docs/explain.md. */

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ datasets: ["earthquakes"], filled: ["earthquakes"] });
});
afterAll(() => stack.close());

testExamples("explain.md", () => stack, { examplesMin: 2 });
