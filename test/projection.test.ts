import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../src/kit/clock.js";
import { json, type Stack, startStack } from "./support/stack.js";

const RESULT_BYTES_MAX = 262_144;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

/** Each step leads to the next state of every dataset. */
const states: readonly (readonly [name: string, reach: () => Promise<void>])[] = [
  ["absent", async () => undefined],
  ["ok", runAll],
  [
    "partial or kept",
    async () => {
      stack.clock.advance(10 * MINUTE_MS);
      for (const match of ["CPIENGSL", "co2_daily", "climatology", "rss", "latitude=48.4"]) {
        stack.simulator.faults.set({ upstream: "*", match }, { kind: "status", code: 500 });
      }
      await runAll();
      stack.simulator.faults.clear();
    },
  ],
  ["stale", async () => stack.clock.advance(3 * DAY_MS)],
  [
    "unreadable",
    async () => {
      for (const dataset of stack.services.datasets) {
        const generation = stack.service.registry.generation(dataset);
        if (generation) await writeFile(join(stack.dataDir, "bodies", generation.contentHash), "not what was stored");
      }
      await stack.restart();
    },
  ],
];

async function runAll(): Promise<void> {
  for (const { name } of stack.services.datasets) await stack.run(name);
}

describe("the projection @ is the plain body, byte for byte", () => {
  for (const [name, reach] of states) {
    test(`in every operation while its data is ${name}`, async () => {
      await reach();
      for (const { path, operation } of stack.services.operations) {
        for (const example of operation.examples.filter((given) => !("jmespath" in given))) {
          const query = new URLSearchParams(example);
          // Asked before, because an answer may say that it was read just now.
          if (operation.fetches) await stack.get(`${path}?${query}`);
          const plain = await stack.get(`${path}?${query}`);
          query.set("jmespath", "@");
          const projected = await stack.get(`${path}?${query}`);
          if (Buffer.byteLength(String(plain.body)) > RESULT_BYTES_MAX) {
            expect(projected.status).toBe(400);
            expect(json(projected)).toMatchObject({
              _jmespath_error: expect.stringMatching(/^projection_too_large: \d+ > 262144$/),
            });
          } else {
            expect(String(projected.body)).toBe(String(plain.body));
            expect(projected.headers["X-Vigil-State"]).toBe(plain.headers["X-Vigil-State"]);
          }
        }
      }
    });
  }
});
