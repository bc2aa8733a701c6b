import { rm } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import type { RegisteredOperation } from "../src/contract/operation.js";
import type { AnyDataset } from "../src/contract/product.js";
import { settingReader } from "../src/contract/setting.js";
import { bodyStore } from "../src/database/bodies.js";
import { openDatabase } from "../src/database/open.js";
import { manualClock } from "../src/kit/manual-clock.js";
import { loadServices } from "../src/services/registry.js";
import type { PartRecords } from "../src/snapshots/bodies/body.js";
import type { Generation } from "../src/snapshots/generation.js";
import { type SnapshotStore, snapshotStore } from "../src/snapshots/store.js";
import { verifyStore } from "../src/snapshots/verify-store.js";
import { answerChecks, datasetChecks } from "../src/verify/all-checks.js";
import type { AnswerCheck } from "../src/verify/check.js";
import { newestOf } from "../src/verify/checks/newest.js";
import { withoutNumbers } from "../src/verify/checks/without-numbers.js";
import { type DerivedValuesParts, derivedValues } from "../src/verify/derived-values.js";
import { NOON, startStack } from "./support/stack.js";
import { describeEachStore, finishedRun, type OpenStore, openSqliteStore } from "./support/stores.js";

/** A generation of the demo's data, and its records. */
interface Built {
  readonly generation: Generation;
  readonly records: PartRecords;
}

const services = await loadServices();
let builds: readonly Built[] = [];

beforeAll(async () => {
  const stack = await startStack({ filled: "all" });
  await stack.stop();
  const database = await openDatabase({ dataDir: stack.dataDir });
  const store = snapshotStore(database, bodyStore(database, stack.dataDir, manualClock(NOON)));
  const generations = await store.newestOfAll();
  builds = await Promise.all(
    generations.map(async (generation) => ({ generation, records: await store.records(generation) })),
  );
  await database.close();
  await rm(stack.dataDir, { recursive: true });
}, 60_000);

/** Publishes the generations of the demo into another store. */
async function copyInto({ database, dataDir }: OpenStore) {
  const store = snapshotStore(database, bodyStore(database, dataDir, manualClock(NOON)));
  for (const { generation, records } of builds.toSorted((a, b) => a.generation.builtAt - b.generation.builtAt)) {
    const { dataset, builtAt, newestAt, provenance, ingredients } = generation;
    const build = { records, newestAt, provenance, ...(ingredients && { ingredients }) };
    await store.publish(dataset, build, finishedRun(dataset, builtAt), builtAt);
  }
  return { database, store };
}

function partsOf({ db }: OpenStore["database"], store: SnapshotStore): DerivedValuesParts {
  const { allDatasets: datasets, operations } = services;
  return { datasets, operations, settingOf: settingReader({}), db, store };
}

await describeEachStore((open) => {
  test("every derived value of the demo's data follows from its rows", async () => {
    const { database, store } = await copyInto(await open());
    const checks = derivedValues(partsOf(database, store));
    const progress: number[] = [];
    const { faults, generations, bodies } = await verifyStore(database, store, {
      checks,
      onGeneration: (checked, of) => progress.push(of - checked),
    });
    expect(faults).toEqual([]);
    expect([generations, bodies]).toEqual([builds.length, builds.length]);
    expect(progress.at(-1)).toBe(0);
    const { derivedValues: values, checks: reports, skipped } = checks.report();
    expect(skipped).toEqual([]);
    const checkedNothing = reports.filter((report) => report.checked === 0 || report.values === 0);
    // This check has no facts to recompute: the demo has only one month of consumer prices, and the facts need an
    // earlier month for comparison.
    expect(checkedNothing.map(({ what }) => what)).toEqual(["numbers of the facts of consumerPrices"]);
    expect(reports).toHaveLength(1 + answerChecks.length + datasetChecks.length);
    expect(values).toBeGreaterThan(10_000);
  });
});

await describeEachStore((open) => {
  test("the counts of changed rows can be recomputed from two generations", async () => {
    const { database, dataDir } = await open();
    const store = snapshotStore(database, bodyStore(database, dataDir, manualClock(NOON)));
    const { allDatasets } = services;
    const dataset = allDatasets.find(({ name }) => name === "us-treasury-yields");
    if (!dataset) throw new Error("no yields");
    const days = [1, 2, 3].map((date) => ({ date: Date.UTC(2026, 9, date), twoYear: date }));
    for (const [at, curves] of [days.slice(0, 2), [{ ...days[0], twoYear: 4 }, days[2]]].entries()) {
      const newestAt = Math.max(...curves.map((curve) => curve?.date ?? 0));
      const build = { records: { curves }, newestAt, provenance: {}, comparison: { dataset, before: undefined } };
      await store.publish(dataset.name, build, finishedRun(dataset.name, NOON + at), NOON + at);
    }
    const faults = async () => {
      const checks = derivedValues(partsOf(database, store));
      return (await verifyStore(database, store, { checks })).faults.map(({ problem }) => problem);
    };
    expect(await faults()).toEqual([]);
    const wrong = { curves: { added: 1, changed: 2, removed: 1 } };
    const snapshots = database.db.updateTable("snapshot").where("generation", "=", 2);
    await snapshots.set({ changes: JSON.stringify(wrong) }).execute();
    expect(await faults()).toContain("curves.changed is 2, recomputed 1");
    await snapshots.set({ changes: "{" }).execute();
    expect(await faults()).toContainEqual(expect.stringContaining("cannot be checked"));
  });
});

describe("a wrong value", () => {
  let parts: DerivedValuesParts;

  beforeAll(async () => {
    const opened = await openSqliteStore();
    const { database, store } = await copyInto(opened);
    parts = partsOf(database, store);
    return () => opened.dispose();
  }, 60_000);

  async function faultsOf(changes: Partial<DerivedValuesParts>, { generation, records }: Built) {
    const faults: string[] = [];
    for await (const fault of derivedValues({ ...parts, ...changes }).faultsOf(generation, records)) faults.push(fault);
    return faults;
  }

  /** Runs the queries of a check. `change` gets each answer and the number of its query, and may alter the answer. */
  async function faultsOfAnswers(check: AnswerCheck, change: (answer: unknown, question: number) => unknown) {
    const registered = services.operations.find((own) => pathOf(own) === check.operation);
    if (!registered) throw new Error(`no operation ${check.operation}`);
    let question = 0;
    const operation: RegisteredOperation["operation"] = {
      ...registered.operation,
      run: (...parameters) => change(JSON.parse(JSON.stringify(registered.operation.run(...parameters))), question++),
    };
    const reads = Object.values(registered.operation.reads).map(({ name }) => name);
    const changes = { operations: [{ ...registered, operation }], checks: { answers: [check], datasets: [] } };
    const faults: string[] = [];
    for (const built of builds.filter(({ generation }) => reads.includes(generation.dataset))) {
      faults.push(...(await faultsOf(changes, built)));
    }
    return faults;
  }

  test.each(answerChecks.map((check) => [`${check.operation}: ${check.what}`, check] as const))(
    "in any member of an answer is found: %s",
    async (_name, check) => {
      const planted = new Map<string, { readonly question: number; readonly path: string }>();
      const right = await faultsOfAnswers(check, (answer, question) => {
        for (const path of leavesOf(answer)) {
          const pattern = path.replace(/\[\d+\]/g, "[]").replace(/^categories\.[^.]+/, "categories.*");
          if (!isPosition(pattern)) planted.set(pattern, { question, path });
        }
        return answer;
      });
      expect(right).toEqual([]);
      expect(planted.size).toBeGreaterThan(0);
      const plants = [...planted.values()];
      const faults = await faultsOfAnswers(check, (answer, question) => {
        for (const { path } of plants.filter((plant) => plant.question === question)) plant(answer, path);
        return answer;
      });
      const faultyPaths = faults.map((fault) => /^\S+: (\S+) (?:is|has) /.exec(fault)?.[1] ?? fault);
      const missed = plants.filter(({ path }) => !faultyPaths.some((place) => path === place || isWithin(path, place)));
      expect(missed).toEqual([]);
    },
    120_000,
  );

  test.each(datasetChecks.map((check) => [`${check.dataset}: ${check.what}`, check] as const))(
    "in a stored build is found: %s",
    async (_name, check) => {
      const isOwn = ({ family, name }: AnyDataset): boolean => (family?.name ?? name) === check.dataset;
      const names = services.allDatasets.filter(isOwn).map(({ name }) => name);
      const [built] = builds.filter(({ generation }) => names.includes(generation.dataset));
      if (!built) throw new Error(`the demo has no ${check.dataset}`);
      const checks = { answers: [], datasets: [check] };
      const faultsOfRecords = (records: PartRecords, own = checks) => faultsOf({ checks: own }, { ...built, records });
      expect(await faultsOfRecords(built.records)).toEqual([]);
      const wrong = JSON.parse(JSON.stringify(built.records), (member, value) => {
        if (member === "publishedAt" && typeof value === "number") return value + 1;
        return member === "value" && typeof value === "string" ? `${value}1` : value;
      });
      if (check.what.endsWith("consumerPrices")) {
        // The demo has no fact on consumer prices, so the planted fault is a fact that no row supports.
        expect(built.records["consumerPrices"]).toEqual([]);
        wrong.consumerPrices = built.records["yields"];
      }
      // Faults that are found without the check do not count.
      const others = await faultsOfRecords(wrong, { answers: [], datasets: [] });
      expect((await faultsOfRecords(wrong)).filter((fault) => !others.includes(fault))).not.toEqual([]);
    },
    60_000,
  );

  test("in the description of a generation is found", async () => {
    const [built] = builds.filter(({ generation }) => generation.dataset === "us-cpi");
    if (!built) throw new Error("the demo has no consumer prices");
    const { generation, records } = built;
    const { recordCounts, newestAt } = generation;
    const wrong = { ...generation, newestAt: (newestAt ?? 0) + 1, recordCounts: { ...recordCounts, core: 1 } };
    expect(await faultsOf({ checks: { answers: [], datasets: [] } }, { generation: wrong, records })).toEqual([
      `recordCounts.core is 1, recomputed ${recordCounts["core"]}`,
      `newestAt is ${wrong.newestAt}, recomputed ${newestAt}`,
    ]);
  });
});

function pathOf({ service, operation }: RegisteredOperation): string {
  return `${service}/${operation.rpc}`;
}

/** True for the coordinates of a country or an airport, which come from a table and are not computed. */
function isPosition(pattern: string): boolean {
  return /(?:^|\.)(?:location|originLocation|asylumLocation)\.(?:latitude|longitude)$/.test(pattern);
}

/** Yields the paths of all numbers and booleans in a value. */
function* leavesOf(value: unknown, path = ""): Generator<string> {
  if (typeof value === "number" || typeof value === "boolean") yield path;
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* leavesOf(item, `${path}[${index}]`);
  else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) yield* leavesOf(member, path === "" ? name : `${path}.${name}`);
  }
}

function isWithin(path: string, holder: string): boolean {
  return path.startsWith(holder) && /^[.[]/.test(path.slice(holder.length));
}

/** Replaces the value at a path with a wrong one. */
function plant(answer: unknown, path: string): void {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== "");
  const last = steps.pop() ?? "";
  let holder = answer as Record<string, unknown>;
  for (const step of steps) holder = holder[step] as Record<string, unknown>;
  const value = holder[last];
  holder[last] = typeof value === "number" ? value + 1 : !value;
}

test("every operation, account read and stream is recomputed, or has a documented reason why not", () => {
  const named = [
    ...services.operations.map(({ service, operation }) => `${service}/${operation.rpc}`),
    ...services.accountReads.map(({ service, read }) => `${service}/${read.rpc}`),
    ...services.streams.map(({ service, stream }) => `${service}/${stream.rpc}`),
  ];
  const recomputed = answerChecks.map(({ operation }) => operation);
  const excepted = Object.keys(withoutNumbers);
  const missing = named
    .filter((name) => !recomputed.includes(name) && !excepted.includes(name))
    .map((name) => `${name}: add a check in src/verify/checks/, or the reason for having none in without-numbers.ts`);
  expect(missing).toEqual([]);
  expect(recomputed.filter((name) => excepted.includes(name))).toEqual([]);
  expect([...recomputed, ...excepted].filter((name) => !named.includes(name))).toEqual([]);
});

test("the time of the latest observation is recomputed for every dataset", () => {
  const named = [...new Set(services.allDatasets.map(({ name, family }) => family?.name ?? name))];
  expect(Object.keys(newestOf).sort()).toEqual(named.sort());
  expect(datasetChecks.filter(({ dataset }) => !named.includes(dataset))).toEqual([]);
});

test("every product has a check of the values derived in its builds, or contains no such values", () => {
  const products = services.allDatasets.filter(({ kind }) => kind === "product");
  const named = new Set(products.map(({ name, family }) => family?.name ?? name));
  const checked = datasetChecks.map(({ dataset }) => dataset);
  // The unchecked products contain only headlines with their publishers' dates, so they have no values to check.
  const unchecked = [...named].filter((name) => !checked.includes(name));
  expect(unchecked.sort()).toEqual(["aviation-news", "climate-news"]);
});
