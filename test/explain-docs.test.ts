import { afterAll, beforeAll, expect, test } from "vitest";
import { expectExample, httpExamples } from "./support/http-examples.js";
import { type Stack, startStack } from "./support/stack.js";

/* The worked examples of docs/explain.md. */

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ datasets: ["earthquakes"], filled: ["earthquakes"] });
});
afterAll(() => stack.close());

const examples = httpExamples("explain.md");

test("docs/explain.md has worked examples", () => {
  expect(examples.length).toBeGreaterThan(1);
});

test.each(examples)("docs/explain.md: $target", (example) => expectExample(stack, example));
