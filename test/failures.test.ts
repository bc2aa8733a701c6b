import { expect, test } from "vitest";
import { MINUTE_MS } from "../src/kit/clock.js";
import { loadUpstreams } from "../src/simulator/loader.js";
import { startStack } from "./support/stack.js";

test("if an outage makes the first build of a dataset fail, the next run after the outage builds it", async () => {
  const stack = await startStack();
  try {
    stack.simulator.faults.set({ upstream: "treasury" }, { kind: "down" });
    expect((await stack.run("us-treasury-yields")).outcome).toBe("failed");
    stack.simulator.faults.clear();
    stack.clock.advance(2 * MINUTE_MS);
    expect((await stack.run("us-treasury-yields")).outcome).toBe("published");
  } finally {
    await stack.close();
  }
});

test("hanging upstreams delay only their own datasets", async () => {
  const stack = await startStack();
  try {
    for (const { name } of await loadUpstreams()) {
      if (name !== "fred") stack.simulator.faults.set({ upstream: name }, { kind: "hang" });
    }
    const hanging = stack.services.datasets
      .filter(({ name }) => name !== "us-cpi")
      .map((dataset) => stack.service.ingest.runNow(dataset).catch((error: unknown) => error));
    expect((await stack.run("us-cpi")).outcome).toBe("published");
    await stack.service.ingest.stop();
    await Promise.all(hanging);
  } finally {
    await stack.close();
  }
});
