import { afterAll, beforeAll } from "vitest";
import { HOUR_MS } from "../src/kit/clock.js";
import { testExamples } from "./support/http-examples.js";
import { publishChanged, withoutFirstRows } from "./support/published.js";
import { type Stack, startStack } from "./support/stack.js";

/* The worked examples of docs/deltas.md. */

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ datasets: ["us-cpi", "earthquakes"] });
  await stack.run("us-cpi");
  await stack.run("earthquakes");
  stack.clock.advance(6 * HOUR_MS);
  await stack.run("earthquakes");
  await removeFirstPrices();
});
afterAll(() => stack.close());

/** Replaces the prices, and removes their first generation as retention does. */
async function removeFirstPrices(): Promise<void> {
  await publishChanged(stack, "us-cpi", withoutFirstRows);
  const { db } = stack.service.database;
  await db.deleteFrom("snapshot").where("dataset", "=", "us-cpi").where("generation", "=", 1).execute();
  await stack.restart();
}

testExamples("deltas.md", () => stack, { examplesMin: 5 });
