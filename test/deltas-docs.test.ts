import { afterAll, beforeAll } from "vitest";
import { HOUR_MS } from "../src/kit/clock.js";
import { testExamples } from "./support/http-examples.js";
import { newestRecords, publish } from "./support/published.js";
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
  const records = await newestRecords(stack, "us-cpi");
  const shorter = Object.entries(records).map(([part, rows]) => [part, rows.slice(1)]);
  await publish(stack, "us-cpi", Object.fromEntries(shorter));
  const { db } = stack.service.database;
  await db.deleteFrom("snapshot").where("dataset", "=", "us-cpi").where("generation", "=", 1).execute();
  await stack.restart();
}

testExamples("deltas.md", () => stack, { examplesMin: 5 });
