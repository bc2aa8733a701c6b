import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type BuilderThreadParts, keepBuilderThread } from "../src/app/builder-thread.js";
import type { AnyDataset } from "../src/contract/product.js";
import { MINUTE_MS } from "../src/kit/clock.js";
import { startStack } from "./support/stack.js";

const datasets = ["hostile", "harmless"].map((name) => ({ name }) as AnyDataset);

interface ThreadReport {
  readonly faults: readonly string[];
  readonly lost: readonly string[];
  /** Datasets built by the thread that replaced the lost one. */
  readonly built: readonly string[];
}

/**
 * Runs builder threads until one of them has built the harmless dataset. Only the first thread reads the hostile page.
 */
async function runUntilBuilt(mode: string, heldMsMax = 2_000): Promise<ThreadReport> {
  const report = { faults: [] as string[], lost: [] as string[], built: [] as string[] };
  const stopping = new AbortController();
  const parts = {
    options: { config: { mode }, dataDir: "", kind: "demo", gated: true, services: { allDatasets: datasets } },
    clock: { now: () => 0, sleep: async () => undefined },
    signal: stopping.signal,
    onPublish: () => stopping.abort(),
    onRun: (dataset: AnyDataset) => report.built.push(dataset.name),
    onFault: (dataset: AnyDataset | undefined, error: unknown) =>
      report.faults.push(`${dataset?.name}: ${error instanceof Error ? error.message : String(error)}`),
    onLost: async (dataset: AnyDataset) => {
      report.lost.push(dataset.name);
    },
    thread: {
      code: new URL("./support/held-worker.mjs", import.meta.url),
      beatMs: 20,
      heldMsMax,
      heapMegabytesMax: 64,
    },
  };
  // The stand-in for the real thread needs no other parts.
  await keepBuilderThread(parts as unknown as BuilderThreadParts).stopped;
  return report;
}

test("a builder thread stuck on a page is replaced, the fault names the source, and other data is built", async () => {
  expect(await runUntilBuilt("held")).toEqual({
    faults: [
      "hostile: the thread that builds datasets was blocked for 2 s while reading page of hostile-page; another takes its place",
    ],
    lost: ["hostile"],
    built: ["harmless"],
  });
});

test("if a builder thread is stuck after reading a page, the fault names that page as the last one read", async () => {
  const { faults, lost } = await runUntilBuilt("after");
  expect(faults).toEqual([expect.stringContaining("was blocked for 2 s after reading page of hostile-page")]);
  expect(lost).toEqual(["hostile"]);
});

// The thread of this test may stay silent for a minute. On a busy machine, garbage collection delays the thread for
// seconds before the thread runs out of memory.
test("a builder thread that runs out of memory is replaced, and the process survives", async () => {
  const { faults, lost, built } = await runUntilBuilt("memory", MINUTE_MS);
  expect(faults).toEqual([
    expect.stringMatching(/^hostile: .* ended \(.*memory.*\) while reading page of hostile-page/),
  ]);
  expect([lost, built]).toEqual([["hostile"], ["harmless"]]);
});

test("a builder thread that ends with a fault is replaced", async () => {
  const { faults, built } = await runUntilBuilt("throws");
  expect(faults).toEqual([expect.stringContaining("ended (no such thing) while reading page of hostile-page")]);
  expect(built).toEqual(["harmless"]);
});

/** Returns the niceness of each thread of this process, by thread id. */
function threadNiceness(): ReadonlyMap<string, number> {
  return new Map(
    readdirSync("/proc/self/task").map((thread) => {
      const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
      // The fields after the name of the thread, which ends with the last bracket; the niceness is field 19 (proc(5)).
      return [thread, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16])];
    }),
  );
}

test.skipIf(process.platform !== "linux")(
  "the builder thread gives way to the serving thread (Linux only)",
  async () => {
    const stack = await startStack({ datasets: ["earthquakes"], buildInThread: true });
    try {
      const before = threadNiceness();
      const own = before.get(String(process.pid)) ?? 0;
      stack.service.start();
      const started = () => [...threadNiceness()].filter(([thread]) => !before.has(thread));
      await expect.poll(() => started().map(([, niceness]) => niceness)).toContain(Math.min(own + 5, 19));
      expect(threadNiceness().get(String(process.pid))).toBe(own);
    } finally {
      await stack.close();
    }
  },
);
