import { expect, test } from "vitest";
import { type BodyStore, bodyStore } from "../src/database/bodies.js";
import { DAY_MS, SECOND_MS } from "../src/kit/clock.js";
import { loadUpstreams } from "../src/simulator/loader.js";
import { json, type Stack, startStack } from "./support/stack.js";
import { describeEachStore, type OpenStore } from "./support/stores.js";

const EARTHQUAKES = "earthquakes";
const PATH = "/api/seismology/v1/list-earthquakes";

interface Case {
  readonly title: string;
  damage(bodies: BodyStore, contentHash: string): Promise<void>;
  readonly buildInThread: boolean;
  readonly reason: RegExp;
}

const alter: Case["damage"] = (bodies, contentHash) => bodies.put(contentHash, Buffer.from("not the stored bytes"));
const altered = /^generation 2 is unreadable: body [0-9a-f]{12} cannot be unpacked$/;
const cases: readonly Case[] = [
  { title: "an altered body", damage: alter, buildInThread: false, reason: altered },
  { title: "an altered body and a builder thread", damage: alter, buildInThread: true, reason: altered },
  {
    title: "a lost body",
    damage: (bodies, contentHash) => bodies.remove(contentHash),
    buildInThread: false,
    reason: /^generation 2 is unreadable: body [0-9a-f]{12} is gone$/,
  },
];

/** Starts a stack on this store with two generations, of which the newer is damaged. No scheduled build has run. */
async function startDamaged({ url }: OpenStore, { damage, buildInThread }: Case): Promise<Stack> {
  const env = url === undefined ? {} : { DATABASE_URL: url };
  const stack = await startStack({ datasets: [EARTHQUAKES], env, buildInThread });
  await stack.run(EARTHQUAKES);
  stack.clock.advance(DAY_MS);
  const { generation } = await stack.run(EARTHQUAKES);
  expect(generation?.generation).toBe(2);
  await damage(bodyStore(stack.service.database, stack.dataDir, stack.clock), generation?.contentHash ?? "");
  await stack.restart();
  return stack;
}

await describeEachStore((open) => {
  test.each(cases)(
    "with $title, the service serves the previous generation and rebuilds the dataset within a minute",
    async (unreadable) => {
      const stack = await startDamaged(await open(), unreadable);
      try {
        expect((await stack.get(PATH)).headers).toMatchObject({
          "X-Vigil-State": "stale",
          "X-Vigil-Generation": `${EARTHQUAKES}=1`,
          "Cache-Control": "no-store",
        });
        const { datasets } = json(await stack.get("/api/health")) as {
          readonly datasets: readonly { readonly stateReasons: readonly string[] }[];
        };
        expect(datasets[0]?.stateReasons[0]).toMatch(unreadable.reason);

        // A builder thread tries to build every dataset. All other upstreams are down, so only this dataset is built.
        for (const { name } of await loadUpstreams()) {
          if (!name.endsWith("-earthquakes")) stack.simulator.faults.set({ upstream: name }, { kind: "down" });
        }
        stack.service.start();
        // The service's loops begin to sleep only in a later turn of the event loop. So each advance waits for a turn.
        for (let seconds = 0; seconds < 60; seconds += 20) {
          await new Promise((resolve) => setImmediate(resolve));
          stack.clock.advance(20 * SECOND_MS);
        }
        // Loading a thread takes a long time on a busy machine.
        await expect
          .poll(async () => (await stack.get(PATH)).headers["X-Vigil-State"], { timeout: 110_000 })
          .toBe("ok");
        expect(stack.service.registry.unreadable()).toEqual([]);
      } finally {
        await stack.close();
      }
    },
    120_000,
  );
});
