import { afterAll, beforeAll } from "vitest";
import { testExamples } from "./support/http-examples.js";
import { type Stack, startStack } from "./support/stack.js";

/* The worked examples of docs/concepts.md. */

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ datasets: ["us-cpi"] });
  await stack.run("us-cpi");
});
afterAll(() => stack.close());

testExamples("concepts.md", () => stack, { examplesMin: 2 });
