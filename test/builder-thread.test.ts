import { expect, test } from "vitest";
import { type BuilderThreadParts, keepBuilderThread } from "../src/app/builder-thread.js";
import type { AnyDataset } from "../src/contract/dataset.js";

const datasets = ["hostile", "harmless"].map((name) => ({ name }) as AnyDataset);

interface Told {
  readonly faults: readonly string[];
  readonly lost: readonly string[];
  /** Datasets that the thread after the lost one built. */
  readonly built: readonly string[];
}

/** Runs threads that read a hostile page until one has built something else. */
async function runUntilBuilt(mode: string): Promise<Told> {
  const told = { faults: [] as string[], lost: [] as string[], built: [] as string[] };
  const stopping = new AbortController();
  const parts = {
    options: { config: { mode }, dataDir: "", kind: "demo", gated: true, services: { allDatasets: datasets } },
    clock: { now: () => 0, sleep: async () => undefined },
    signal: stopping.signal,
    onPublish: () => stopping.abort(),
    onRun: (dataset: AnyDataset) => told.built.push(dataset.name),
    onFault: (dataset: AnyDataset | undefined, error: unknown) =>
      told.faults.push(`${dataset?.name}: ${error instanceof Error ? error.message : String(error)}`),
    onLost: async (dataset: AnyDataset) => {
      told.lost.push(dataset.name);
    },
    thread: {
      code: new URL("./support/held-worker.mjs", import.meta.url),
      beatMs: 20,
      heldMsMax: 2_000,
      heapMegabytesMax: 64,
    },
  };
  // The stand-in of the thread needs none of the rest.
  await keepBuilderThread(parts as unknown as BuilderThreadParts).stopped;
  return told;
}

test("a builder thread that a page holds is replaced, the source is named, and other datasets go on", async () => {
  expect(await runUntilBuilt("held")).toEqual({
    faults: [
      "hostile: the thread that builds datasets was held for 2 s while reading page of hostile-page; another takes its place",
    ],
    lost: ["hostile"],
    built: ["harmless"],
  });
});

test("a builder thread that is held by what it made of a page names that page as the last it read", async () => {
  const { faults, lost } = await runUntilBuilt("after");
  expect(faults).toEqual([expect.stringContaining("was held for 2 s after reading page of hostile-page")]);
  expect(lost).toEqual(["hostile"]);
});

test("a builder thread that runs out of memory is replaced, and the process lives on", async () => {
  const { faults, lost, built } = await runUntilBuilt("memory");
  expect(faults).toEqual([
    expect.stringMatching(/^hostile: .* ended \(.*memory.*\) while reading page of hostile-page/),
  ]);
  expect([lost, built]).toEqual([["hostile"], ["harmless"]]);
});

test("a builder thread that a fault ends is replaced as well", async () => {
  const { faults, built } = await runUntilBuilt("throws");
  expect(faults).toEqual([expect.stringContaining("ended (no such thing) while reading page of hostile-page")]);
  expect(built).toEqual(["harmless"]);
});
