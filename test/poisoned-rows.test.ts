import { describe, expect, test, vi } from "vitest";
import { withIngredients } from "../src/contract/product.js";
import type { AnySource } from "../src/contract/source.js";
import { valueRanges } from "../src/contract/value-ranges.js";
import type { Reading } from "../src/ingest/read-rows.js";
import { DAY_MS } from "../src/kit/clock.js";
import { loadServices } from "../src/services/registry.js";
import type { PartRecords } from "../src/snapshots/bodies/body.js";
import { NOON, type Stack, startStack } from "./support/stack.js";
import { buildOf, finishedRun } from "./support/stores.js";

const YIELDS = "us-treasury-yields";

/** The mock below calls `onReading` with every decoded upstream answer, in builds and at request time. */
const observer = vi.hoisted(() => ({ onReading: (_source: AnySource, _reading: Reading): void => undefined }));
vi.mock(import("../src/ingest/read-rows.js"), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    readRows(source, ...rest) {
      const reading = original.readRows(source, ...rest);
      observer.onReading(source, reading);
      return reading;
    },
  };
});

async function withStack(
  options: Parameters<typeof startStack>[0],
  use: (stack: Stack) => Promise<void>,
): Promise<void> {
  const stack = await startStack(options);
  try {
    await use(stack);
  } finally {
    await stack.close();
  }
}

test("every number that a source yields has a declared range", async () => {
  const { datasets, operations } = await loadServices();
  // Installs the mock before the parallel imports, which would otherwise get the original module.
  await import("../src/ingest/read-rows.js");
  await withStack({}, async (stack) => {
    const undeclared = new Set<string>();
    const visit = (value: unknown, name: string, source: AnySource): void => {
      if (typeof value === "number") {
        if ((valueRanges[name] ?? source.ranges?.[name]) === undefined) undeclared.add(`${source.id}: ${name}`);
      } else if (Array.isArray(value)) for (const item of value) visit(item, name, source);
      else if (typeof value === "object" && value !== null) {
        for (const [key, member] of Object.entries(value)) visit(member, key, source);
      }
    };
    const sourcesRead = new Set<string>();
    observer.onReading = (source, { records }) => {
      sourcesRead.add(source.id);
      for (const record of records) visit(record, "", source);
    };
    const built = datasets.filter(({ name }) => !name.startsWith("digest-") || name === "digest-tech-en");
    // Only collections read sources. Each collection is built once, however many products are made from it.
    const collections = withIngredients(built).filter(({ kind }) => kind === "collection");
    for (const outcome of await stack.service.ingest.runAll(collections)) expect(outcome).toBeDefined();
    for (const { path, operation } of operations.filter((registered) => registered.operation.fetches)) {
      for (const example of operation.examples) await stack.get(`${path}?${new URLSearchParams(example)}`);
    }
    expect(sourcesRead.size).toBeGreaterThan(40);
    expect([...undeclared]).toEqual([]);
  });
}, 120_000);

test("no source declares its own range for a field that `valueRanges` covers", async () => {
  const { sources } = await loadServices();
  const shared = sources.flatMap(({ id, ranges = {} }) =>
    Object.keys(ranges).flatMap((name) => (valueRanges[name] === undefined ? [] : [`${id}: ${name}`])),
  );
  expect(shared).toEqual([]);
});

describe("a stored row with a future date", () => {
  test("neither affects the next upstream request nor is stored again", async () => {
    await withStack({ datasets: [YIELDS] }, async (stack) => {
      const { store } = stack.service;
      const { generation } = await stack.run(YIELDS);
      if (!generation) throw new Error("nothing was published");
      const { curves = [] } = await store.records(generation);
      const poisoned: PartRecords = { curves: [...curves, { date: Date.UTC(2099, 0, 5), tenYear: 4 }] };
      const at = stack.clock.now();
      const { parts } = (await store.statuses()).find(({ dataset }) => dataset === YIELDS) ?? { parts: {} };
      await store.publish(YIELDS, buildOf(poisoned, Date.UTC(2099, 0, 5)), finishedRun(YIELDS, at, { parts }), at);
      stack.clock.advance(DAY_MS);
      const result = await stack.run(YIELDS);
      expect(result.reports.map(({ requestKey }) => requestKey)).toEqual(["2026"]);
      expect(result).toMatchObject({ outcome: "published", status: { error: null } });
      expect(result.generation?.newestAt).toBeLessThanOrEqual(NOON + DAY_MS);
    });
  });
});

describe("a build whose view cannot be made", () => {
  test("is not published, and the previous content is still served", async () => {
    await withStack({ datasets: ["co2-monitoring"] }, async (stack) => {
      await stack.run("co2-monitoring");
      stack.clock.advance(DAY_MS);
      const broken = {
        ...stack.dataset("co2-monitoring"),
        view: (): never => {
          throw new TypeError("no view of this");
        },
      };
      const result = await stack.service.ingest.runNow(broken);
      expect(result).toMatchObject({
        outcome: "failed",
        generation: { generation: 1 },
        status: { error: "the build cannot be served: no view of this" },
      });
      const answer = await stack.get("/api/climate/v1/get-co2-monitoring");
      expect(answer.headers).toMatchObject({ "X-Vigil-State": "ok", "X-Vigil-Generation": "co2-monitoring=1" });
    });
  });
});
