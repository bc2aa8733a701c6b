import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MINUTE_MS } from "../src/kit/clock.js";
import type { Fault } from "../src/simulator/faults.js";
import { json, NOON, type Stack, startStack } from "./support/stack.js";

/** What every way of failing must leave alone: the stored generation, its content and its time. */
interface FailureCase {
  readonly name: string;
  readonly fault: Fault;
  /** What health says of it. */
  readonly says: RegExp;
  /** Faults that answer only when time moves on. */
  readonly waitMs?: number;
}

const cases: readonly FailureCase[] = [
  { name: "404", fault: { kind: "status", code: 404 }, says: /unavailable: .*404/ },
  { name: "500", fault: { kind: "status", code: 500 }, says: /unavailable: .*500/ },
  { name: "429 with Retry-After", fault: { kind: "status", code: 429, retryAfter: 120 }, says: /unavailable: .*429/ },
  { name: "no answer in time", fault: { kind: "hang" }, says: /unavailable: .*within \d+ ms/, waitMs: 2 * MINUTE_MS },
  { name: "a cut body", fault: { kind: "cut", afterRatio: 0.5 }, says: /unavailable: / },
  { name: "a body cut at a chunk", fault: { kind: "cut", afterRatio: 0.5, framing: "chunked" }, says: /unavailable: / },
  { name: "an HTML page", fault: { kind: "html" }, says: /changed: .*HTML/ },
  { name: "no bytes", fault: { kind: "blank" }, says: /empty: / },
  { name: "no rows", fault: { kind: "empty" }, says: /empty: / },
  { name: "another shape", fault: { kind: "changed" }, says: /changed: / },
];

const feeds = [
  { dataset: "us-cpi", upstream: "fred", path: "/api/economic/v1/get-us-cpi-monthly?history=true" },
  {
    dataset: "us-treasury-yields",
    upstream: "treasury",
    path: "/api/economic/v1/get-us-treasury-par-yield-curve?history=true",
  },
];

for (const { dataset, upstream, path } of feeds) {
  describe(`${dataset} fed by ${upstream}`, () => {
    let stack: Stack;
    let before: { generation: unknown; body: string; lastModified: string | undefined };

    beforeAll(async () => {
      stack = await startStack();
      await stack.run(dataset);
      const answer = await stack.get(path);
      const generation = stack.service.registry.generation(stack.dataset(dataset));
      before = { generation, body: String(answer.body), lastModified: answer.headers["Last-Modified"] };
    });
    afterAll(() => stack.close());
    beforeEach(() => {
      stack.simulator.faults.clear();
      // Far enough for every breaker and Retry-After of the case before to be over.
      stack.clock.advance(30 * MINUTE_MS);
    });

    async function runWith({ fault, waitMs }: Pick<FailureCase, "fault" | "waitMs">) {
      stack.simulator.faults.set({ upstream }, fault);
      const running = stack.run(dataset);
      if (waitMs === undefined) return running;
      let isDone = false;
      const done = running.finally(() => {
        isDone = true;
      });
      while (!isDone) {
        // Requests that wait for their turn begin their time limit only then.
        if (stack.clock.sleeping > 0 && stack.simulator.requests.list().at(-1)?.fault === "hang")
          stack.clock.advance(waitMs);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return done;
    }

    async function expectUntouched(says: RegExp): Promise<void> {
      expect(stack.service.registry.generation(stack.dataset(dataset))).toEqual(before.generation);
      const answer = await stack.get(path);
      expect(String(answer.body)).toBe(before.body);
      expect(answer.headers["Last-Modified"]).toBe(before.lastModified);
      const health = json(await stack.get("/api/health")) as { datasets: { name: string; error: string }[] };
      expect(health.datasets.find(({ name }) => name === dataset)?.error).toMatch(says);
    }

    test.each(cases)("$name leaves the stored snapshot, its generation and its time untouched", async (failing) => {
      const result = await runWith(failing);
      expect(result.outcome).toBe("failed");
      await expectUntouched(failing.says);
    });

    test("a refused connection leaves the stored snapshot untouched", async () => {
      const result = await runWith({ fault: { kind: "down" } });
      expect(result.outcome).toBe("failed");
      await expectUntouched(/unavailable: /);
    });

    test("Retry-After puts the next run off until then", async () => {
      const result = await runWith({ fault: { kind: "status", code: 429, retryAfter: 1_800 } });
      expect(result.status.nextAt).toBeGreaterThanOrEqual(stack.clock.now() + 1_790_000);
    });

    test("one bad row is counted, skipped and the rest published", async () => {
      const fresh = await startStack({ at: NOON });
      try {
        fresh.simulator.faults.set({ upstream }, { kind: "bad-row" });
        const result = await fresh.run(dataset);
        expect(result.outcome).toBe("published");
        const requests = result.reports.length;
        expect(result.reports.map(({ rowsBad }) => rowsBad)).toEqual(Array(requests).fill(1));
      } finally {
        await fresh.close();
      }
    });

    test("the upstream's return is taken up by the next run", async () => {
      await runWith({ fault: { kind: "status", code: 500 } });
      stack.simulator.faults.clear();
      stack.clock.advance(2 * MINUTE_MS);
      const result = await stack.run(dataset);
      expect(result.outcome).toBe("unchanged");
      expect(result.status).toMatchObject({ error: null, failuresInRow: 0 });
    });
  });
}

test("an outage during the first fill, with most requests still waiting for their turn, is over with the next run", async () => {
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

test("a hanging upstream delays no other dataset", async () => {
  const stack = await startStack();
  try {
    stack.simulator.faults.set({ upstream: "treasury" }, { kind: "hang" });
    const hanging = stack.service.ingest.runNow(stack.dataset("us-treasury-yields")).catch((error: unknown) => error);
    expect((await stack.run("us-cpi")).outcome).toBe("published");
    await stack.service.ingest.stop();
    await hanging;
  } finally {
    await stack.close();
  }
});
