import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SECOND_MS } from "../src/kit/clock.js";
import { type PrivateRedis, startPrivateRedis, whyNoPrivateRedis } from "./support/private-redis.js";
import { newestRecords, publishElsewhere, withoutFirstRows } from "./support/published.js";
import { json, type Stack, startStack, startStackOn } from "./support/stack.js";

const EARTHQUAKES = "/api/seismology/v1/list-earthquakes";
const WAIT = { timeout: 50_000, interval: 20 };
const why = whyNoPrivateRedis();

describe.skipIf(why !== undefined)(
  why === undefined ? "two nodes and a Redis" : `two nodes and a Redis, skipped: ${why}`,
  () => {
    let redis: PrivateRedis;
    let [first, second]: (Stack | undefined)[] = [];
    beforeEach(async () => {
      redis = await startPrivateRedis();
      const options = { filled: ["earthquakes"], datasets: ["earthquakes"], env: { REDIS_URL: redis.url } };
      first = await startStack(options);
      second = await startStackOn(first.dataDir, options);
      // The nodes' clocks stand still, so no node polls the store: nodes learn of generations only by announcements.
      for (const node of [first, second]) node.service.start();
    });
    afterEach(async () => {
      await second?.stop();
      await first?.close();
      await redis.dispose();
    });

    function nodes(): readonly [Stack, Stack] {
      if (!first || !second) throw new Error("no nodes");
      return [first, second];
    }

    const generationAt = async (node: Stack): Promise<string | undefined> =>
      (await node.get(EARTHQUAKES)).headers["X-Vigil-Generation"];
    const modeAt = async (node: Stack): Promise<string | undefined> =>
      (await node.get(EARTHQUAKES)).limitHeaders["X-RateLimit-Mode"];

    /** Stores a generation and announces it, just as a run does when it ends. */
    async function publishAt(node: Stack): Promise<string> {
      await publishElsewhere(node, "earthquakes", withoutFirstRows(await newestRecords(node, "earthquakes")));
      node.service.announce({ kind: "snapshots" });
      await node.service.registry.refresh();
      return (await generationAt(node)) ?? "";
    }

    test("a generation that one node publishes is announced to the other", async () => {
      const [publisher, reader] = nodes();
      await vi.waitFor(async () => {
        const published = await publishAt(publisher);
        expect(await generationAt(reader)).toBe(published);
      }, WAIT);
    });

    test.each(["killed and started again", "frozen and thawed"])(
      "while Redis is %s, reads continue, and announcements and limits work again once it is back",
      async (how) => {
        const [publisher, reader] = nodes();
        const isKilled = how.startsWith("killed");
        if (isKilled) await redis.kill();
        else redis.signal("SIGSTOP");
        await vi.waitUntil(async () => (await modeAt(publisher)) === "degraded", WAIT);
        expect((await reader.get(EARTHQUAKES)).status).toBe(200);
        const missed = await publishAt(publisher);
        expect(await generationAt(reader)).not.toBe(missed);

        if (isKilled) await redis.start();
        else redis.signal("SIGCONT");
        await vi.waitFor(async () => {
          for (const node of [publisher, reader]) node.clock.advance(100);
          const published = await publishAt(publisher);
          expect(await generationAt(reader)).toBe(published);
          expect(await modeAt(publisher)).toBeUndefined();
        }, WAIT);
      },
    );

    test("the nodes' jobs add each generation to the change log before, during and after a loss of Redis", async () => {
      const [publisher, reader] = nodes();
      const { pollCursor } = json(await reader.get("/api/datasets/v1/list-dataset-states")) as { pollCursor: string };
      const isLogged = async (published: string): Promise<void> => {
        await vi.waitFor(async () => {
          for (const node of [publisher, reader]) node.clock.advance(SECOND_MS);
          const answer = await reader.get(`/api/datasets/v1/list-dataset-changes?cursor=${pollCursor}`);
          const { changes } = json(answer) as { changes: { dataset: string; generation: number }[] };
          expect(changes.map(({ dataset, generation }) => `${dataset}=${generation}`)).toContain(published);
        }, WAIT);
      };
      await isLogged(await publishAt(publisher));
      await redis.kill();
      await isLogged(await publishAt(publisher));
      await redis.start();
      await isLogged(await publishAt(publisher));
    });
  },
);
