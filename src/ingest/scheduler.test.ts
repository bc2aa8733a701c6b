import { expect, test } from "vitest";
import type { AnyDataset } from "../contract/product.js";
import { DAY_MS, MINUTE_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { createIngest, type IngestParts } from "./scheduler.js";

const NOW = Date.UTC(2026, 10, 22);
const dataset = { name: "news" } as AnyDataset;

/** A scheduler with one dataset, whose last run failed. The next attempt is due in a minute. */
function ingestAfterFailure(isReplacement: boolean) {
  return ingestAfter({ failuresInRow: 1, attemptedAt: NOW, nextAt: NOW + MINUTE_MS }, isReplacement);
}

function ingestAfter(
  status: { readonly failuresInRow: number; attemptedAt: number; nextAt: number },
  isReplacement = false,
) {
  const clock = manualClock(NOW);
  const runs: number[] = [];
  const parts = {
    clock,
    isReplacement,
    holder: "test",
    datasets: [dataset],
    leases: { acquire: async () => true, release: async () => undefined },
    runs: { status: () => status, refresh: async () => undefined },
    requests: { isAwake: () => true, awake: async () => undefined },
    run: async () => {
      runs.push(clock.now());
      status.attemptedAt = clock.now();
      status.nextAt = clock.now() + 60 * MINUTE_MS;
      return {};
    },
    onRun: () => undefined,
    onFault: (_dataset: AnyDataset, error: unknown) => {
      throw error;
    },
  };
  // The casts are safe, because the scheduler reads no other members of a dataset and its runs.
  return { clock, runs, ingest: createIngest(parts as unknown as IngestParts) };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test("a dataset that failed before the service started is tried immediately", async () => {
  const { runs, ingest } = ingestAfterFailure(false);
  ingest.start();
  await turns();
  expect(runs).toEqual([NOW]);
  await ingest.stop();
});

test("after a builder is lost, its replacement does not run a failed dataset before the dataset is due", async () => {
  const { clock, runs, ingest } = ingestAfterFailure(true);
  ingest.start();
  await turns();
  expect(runs).toEqual([]);
  clock.advance(MINUTE_MS);
  await turns();
  expect(runs).toEqual([NOW + MINUTE_MS]);
  await ingest.stop();
});

test("a rebuild is not repeated within ten minutes, and setting the clock back does not delay the next rebuild", async () => {
  const { clock, runs, ingest } = ingestAfter({ failuresInRow: 0, attemptedAt: NOW, nextAt: NOW + DAY_MS });
  ingest.start();
  const rebuild = async (): Promise<void> => {
    await turns();
    ingest.rebuild(dataset);
    await turns();
  };
  await rebuild();
  await rebuild();
  expect(runs).toEqual([NOW]);
  clock.set(NOW - DAY_MS);
  await rebuild();
  expect(runs).toEqual([NOW, NOW - DAY_MS]);
  await ingest.stop();
});

test("stop cancels a run that was started on request, and waits until its lease is free", async () => {
  const events: string[] = [];
  const parts = {
    clock: manualClock(NOW),
    holder: "test",
    datasets: [dataset],
    leases: {
      acquire: async () => true,
      release: async () => {
        await turns();
        events.push("released");
      },
    },
    run: (_dataset: AnyDataset, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
  };
  // The cast is safe, because a cancelled run uses no other members.
  const ingest = createIngest(parts as unknown as IngestParts);
  const run = ingest.runNow(dataset).catch((error: Error) => events.push(error.message));
  await turns();
  await ingest.stop();
  events.push("stopped");
  await run;
  expect(events).toEqual(["released", "stopping", "stopped"]);
});
