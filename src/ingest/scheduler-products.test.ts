import { expect, test } from "vitest";
import type { AnyDataset } from "../contract/product.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import type { DatasetStatus } from "../snapshots/generation.js";
import { createIngest, type IngestParts } from "./scheduler.js";

const NOW = Date.UTC(2026, 10, 22);

// The cast is safe, because the scheduler reads no other members of a dataset.
const feeds = { kind: "collection", name: "feeds" } as AnyDataset;
const productWith = (spacingMs: number) =>
  ({ kind: "product", name: "digest", reads: { feeds }, onChange: { spacingMs } }) as unknown as AnyDataset;

/**
 * An ingest of a collection and a product. The collection publishes at every run unless `hasFailure`. The product is
 * due every hour. If `hasFeeds`, both have run before, and the product's last run read generation `read` of the
 * collection. Otherwise, neither has run.
 */
function ingestOf(digest: AnyDataset, hasFeeds = true, read = 1, hasFailure = false) {
  const clock = manualClock(NOW);
  const statuses = new Map<string, Pick<DatasetStatus, "attemptedAt" | "nextAt" | "failuresInRow" | "ingredients">>();
  const generations = new Map<string, { readonly generation: number }>();
  const runs: string[] = [];
  if (hasFeeds) {
    statuses.set("feeds", { attemptedAt: NOW, nextAt: NOW + 5 * MINUTE_MS, failuresInRow: 0 });
    generations.set("feeds", { generation: 1 });
    statuses.set("digest", { attemptedAt: NOW, nextAt: NOW + HOUR_MS, failuresInRow: 0, ingredients: { feeds: read } });
  }
  const publishFeeds = (): void => {
    generations.set("feeds", { generation: (generations.get("feeds")?.generation ?? 0) + 1 });
    statuses.set("feeds", { attemptedAt: clock.now(), nextAt: clock.now() + 5 * MINUTE_MS, failuresInRow: 0 });
  };
  const parts = {
    clock,
    holder: "test",
    datasets: [digest, feeds],
    leases: { acquire: async () => true, release: async () => undefined },
    runs: {
      status: ({ name }: AnyDataset) => statuses.get(name),
      generation: ({ name }: AnyDataset) => generations.get(name),
      refresh: async () => undefined,
    },
    requests: { isAwake: () => true, awake: async () => undefined },
    run: async ({ name }: AnyDataset) => {
      runs.push(`${name} ${(clock.now() - NOW) / SECOND_MS}`);
      if (name === "feeds" && hasFailure) {
        statuses.set("feeds", { attemptedAt: clock.now(), nextAt: clock.now() + 5 * MINUTE_MS, failuresInRow: 1 });
        return { outcome: "failed" };
      }
      if (name === "feeds") publishFeeds();
      else {
        const ingredients = { feeds: generations.get("feeds")?.generation ?? 0 };
        statuses.set(name, { attemptedAt: clock.now(), nextAt: clock.now() + HOUR_MS, failuresInRow: 0, ingredients });
      }
      return { outcome: "published" };
    },
    onRun: () => undefined,
    onFault: (_dataset: AnyDataset | undefined, error: unknown) => {
      throw error;
    },
  };
  return { clock, runs, publishFeeds, ingest: createIngest(parts as unknown as IngestParts) };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Advances the clock by `ms`, one second at a time. */
async function pass(clock: ReturnType<typeof manualClock>, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += SECOND_MS) {
    clock.advance(SECOND_MS);
    await turns();
  }
}

test("a product is built immediately when its ingredient is published in the same process", async () => {
  const { clock, runs, ingest } = ingestOf(productWith(0));
  ingest.start();
  await turns();
  expect(runs).toEqual([]);
  await pass(clock, 5 * MINUTE_MS);
  expect(runs).toEqual(["feeds 300", "digest 300"]);
  await ingest.stop();
});

test("a product is built within seconds after another process has published its ingredient", async () => {
  const { clock, runs, ingest, publishFeeds } = ingestOf(productWith(0));
  ingest.start();
  await turns();
  publishFeeds();
  await pass(clock, 5 * SECOND_MS);
  expect(runs).toEqual(["digest 5"]);
  await ingest.stop();
});

test("a product is built no more often than its spacing allows", async () => {
  const { clock, runs, ingest } = ingestOf(productWith(8 * MINUTE_MS));
  ingest.start();
  await turns();
  await pass(clock, 17 * MINUTE_MS);
  expect(runs).toEqual(["feeds 300", "digest 480", "feeds 600", "feeds 900", "digest 960"]);
  await ingest.stop();
});

test("a product that lacked an ingredient is built within seconds of the ingredient's first generation", async () => {
  const { clock, runs, ingest } = ingestOf(productWith(8 * MINUTE_MS), true, 0);
  ingest.start();
  await pass(clock, MINUTE_MS);
  expect(runs).toEqual(["digest 2"]);
  await ingest.stop();
});

test("a product waits for an ingredient that was never built, instead of failing", async () => {
  const { clock, runs, ingest } = ingestOf(productWith(0), false);
  ingest.start();
  await turns();
  expect(runs).toEqual(["feeds 0", "digest 0"]);
  await pass(clock, MINUTE_MS);
  expect(runs).toEqual(["feeds 0", "digest 0"]);
  await ingest.stop();
});

test("a product runs as soon as its ingredient has failed, so that the status of the product contains the reason", async () => {
  const { clock, runs, ingest } = ingestOf(productWith(0), false, 0, true);
  ingest.start();
  await turns();
  expect(runs).toEqual(["feeds 0", "digest 0"]);
  await pass(clock, MINUTE_MS);
  expect(runs).toEqual(["feeds 0", "digest 0"]);
  await ingest.stop();
});

test("a product without required ingredients waits only until one of its optional ingredients has been tried", async () => {
  const slow = { kind: "collection", name: "slow" } as AnyDataset;
  const evidence = {
    kind: "product",
    name: "digest",
    reads: {},
    optionalReads: { feeds, slow },
    onChange: { spacingMs: 0 },
  } as unknown as AnyDataset;
  const { clock, runs, ingest } = ingestOf(evidence, false);
  ingest.start();
  await turns();
  await pass(clock, 10 * SECOND_MS);
  expect(runs).toEqual(["feeds 0", "digest 0"]);
  await ingest.stop();
});
