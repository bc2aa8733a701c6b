import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AgeLimit, isAgeLimit } from "../src/contract/content-age.js";
import type { AnyDataset } from "../src/contract/product.js";
import { DAY_MS } from "../src/kit/clock.js";
import { loadServices } from "../src/services/registry.js";
import { json, NOON, type Stack, startStack } from "./support/stack.js";
import { finishedRun } from "./support/stores.js";

const { allDatasets, datasets, operations } = await loadServices();

test("every part of every dataset has a content age limit or a reason for having none", () => {
  const lacking = allDatasets.flatMap(({ name, parts, partAges = {} }) =>
    Object.keys(parts).flatMap((part) => (partAges[part] === undefined ? [`${name}: ${part}`] : [])),
  );
  expect(lacking).toEqual([]);
  const reasons = allDatasets.flatMap(({ partAges = {} }) =>
    Object.values(partAges).flatMap((age) => (isAgeLimit(age) ? [] : [age.agelessBecause])),
  );
  for (const reason of reasons) expect(reason.length).toBeGreaterThan(20);
});

function limits({ partAges = {} }: AnyDataset): readonly (readonly [string, AgeLimit])[] {
  return Object.entries(partAges).flatMap(([part, age]) => (isAgeLimit(age) ? [[part, age] as const] : []));
}

interface AgeRow {
  readonly name: string;
  readonly state: string;
  readonly stateReasons: readonly string[];
  readonly parts: readonly {
    readonly name: string;
    readonly newestAt?: number;
    readonly contentAgeMaxSeconds?: number | null;
    readonly isOverAge?: boolean;
  }[];
}

describe("a dataset with old content that its upstreams still confirm", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ filled: "all" });
  }, 180_000);
  afterAll(() => stack.close());

  /** Moves the clock to `at`. Then records a run with the outcome `unchanged` for every dataset. */
  async function confirmAt(at: number): Promise<void> {
    stack.clock.set(at);
    for (const dataset of datasets) {
      const { parts = {} } = stack.service.registry.status(dataset) ?? {};
      await stack.service.store.recordRun(finishedRun(dataset.name, at, { outcome: "unchanged", parts }));
    }
    await stack.service.registry.refresh();
  }

  async function ageRowOf(path: string, name: string): Promise<AgeRow | undefined> {
    const { datasets: rows } = json(await stack.get(path)) as { readonly datasets: readonly AgeRow[] };
    return rows.find((row) => row.name === name);
  }

  /**
   * Returns the path and query of the operation that reads this dataset and the fewest other datasets, or undefined if
   * no operation reads it.
   */
  function targetOf(dataset: AnyDataset): string | undefined {
    const [, variant, lang] = /^digest-([a-z]+)-([a-z]+)$/.exec(dataset.name) ?? [];
    if (variant !== undefined) return `/api/news/v1/list-feed-digest?variant=${variant}&lang=${lang}`;
    const readers = operations
      .filter(({ operation }) => Object.values(operation.reads).includes(dataset))
      .toSorted((a, b) => Object.keys(a.operation.reads).length - Object.keys(b.operation.reads).length);
    const [reader] = readers;
    const example = reader?.operation.examples.find((candidate) => !("jmespath" in candidate)) ?? {};
    return reader && `${reader.path}?${new URLSearchParams(example)}`;
  }

  // A dataset that no operation reads is only used to build other datasets. Its state is visible only in the answers
  // about those datasets.
  const isServed = (dataset: AnyDataset): boolean =>
    operations.some(({ operation }) => Object.values(operation.reads).includes(dataset));
  const limited = datasets.filter((dataset) => isServed(dataset) && limits(dataset).length > 0);

  test("has a newest observation in every part that has records and a limit", () => {
    const undated = datasets.flatMap((dataset) => {
      const counts = stack.service.registry.generation(dataset)?.recordCounts ?? {};
      const newest = stack.service.registry.newestByPart(dataset);
      return limits(dataset).flatMap(([part]) =>
        counts[part] && newest[part] == null ? [`${dataset.name}: ${part}`] : [],
      );
    });
    expect(undated).toEqual([]);
  });

  test.each(limited.map((dataset) => [dataset.name, dataset] as const))(
    "%s becomes stale or partial when a part reaches its limit; its reasons name that part; answers are not cached",
    async (name, dataset) => {
      const newest = stack.service.registry.newestByPart(dataset);
      const dated = limits(dataset).flatMap(([part, { maxMs, coversMs = 0 }]) => {
        const at = newest[part];
        return at == null ? [] : [{ part, at, maxMs, agedAt: at + coversMs + maxMs }];
      });
      expect(dated.length).toBeGreaterThan(0);
      const target = targetOf(dataset);
      if (target === undefined) throw new Error(`nothing reads ${name}`);
      const whole = dataset.contentAgeMaxMs ?? Number.POSITIVE_INFINITY;
      const wholeAt = (stack.service.registry.generation(dataset)?.newestAt ?? 0) + whole;

      for (const { part, at, maxMs, agedAt } of dated) {
        await confirmAt(agedAt);
        const expected = agedAt >= wholeAt || dated.every((other) => agedAt >= other.agedAt) ? "stale" : "partial";
        const answer = await stack.get(target);
        expect(answer.headers).toMatchObject({ "X-Vigil-State": expected, "Cache-Control": "no-store" });
        for (const path of ["/api/health", "/api/datasets"]) {
          const row = await ageRowOf(path, name);
          expect(row?.state).toBe(expected);
          expect(
            row?.stateReasons.some((reason) => reason.startsWith(`${part}: the newest observation is from 20`)),
          ).toBe(true);
          expect(row?.parts.find((candidate) => candidate.name === part)).toMatchObject({
            newestAt: at,
            contentAgeMaxSeconds: maxMs / 1_000,
            isOverAge: true,
          });
        }
      }

      const firstAgedAt = Math.min(wholeAt, ...dated.map(({ agedAt }) => agedAt));
      await confirmAt(firstAgedAt - 1);
      expect((await ageRowOf("/api/health", name))?.stateReasons).toEqual([]);
      expect((await ageRowOf("/api/health", name))?.state).toBe("ok");
    },
  );
});

test("greenhouse gases are partial after 324 days without a new day in the daily series, and each value has its own date", async () => {
  const stack = await startStack({ at: NOON - 324 * DAY_MS });
  try {
    await stack.run("co2-monitoring");
    stack.clock.set(NOON);
    // The upstream confirms the old daily file; the other files have new content.
    const dailyFile = { upstream: "noaa-gml", match: "co2_daily_mlo" };
    stack.simulator.faults.set(dailyFile, { kind: "status", code: 304 });
    expect((await stack.run("co2-monitoring")).outcome).toBe("published");
    const answer = await stack.get("/api/climate/v1/get-co2-monitoring");
    expect(answer.headers).toMatchObject({ "X-Vigil-State": "partial", "Cache-Control": "no-store" });
    expect(json(answer)).toMatchObject({
      monitoring: {
        measuredAt: Date.UTC(2025, 11, 28),
        monthlyAverageObservedAt: Date.UTC(2026, 9),
        annualGrowthRateObservedAt: Date.UTC(2025, 0),
        methanePpbObservedAt: Date.UTC(2026, 6),
        nitrousOxidePpbObservedAt: Date.UTC(2026, 6),
      },
    });
    const { datasets: rows } = json(await stack.get("/api/health")) as { readonly datasets: readonly AgeRow[] };
    expect(rows.find(({ name }) => name === "co2-monitoring")?.stateReasons).toEqual([
      "daily: the newest observation is from 2025-12-28; the limit is 10 days",
    ]);
  } finally {
    await stack.close();
  }
});
