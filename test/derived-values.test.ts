import { rm } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import type { RegisteredOperation } from "../src/contract/operation.js";
import { settingReader } from "../src/contract/setting.js";
import { bodyStore } from "../src/database/bodies.js";
import { openDatabase } from "../src/database/open.js";
import { manualClock } from "../src/kit/manual-clock.js";
import { loadServices } from "../src/services/registry.js";
import type { PartRecords } from "../src/snapshots/body.js";
import type { Generation } from "../src/snapshots/generation.js";
import { type SnapshotStore, snapshotStore } from "../src/snapshots/store.js";
import { verifyStore } from "../src/snapshots/verify-store.js";
import { answerChecks, datasetChecks } from "../src/verify/all-checks.js";
import type { AnswerCheck } from "../src/verify/check.js";
import { type DerivedValuesParts, derivedValues } from "../src/verify/derived-values.js";
import { NOON, startStack } from "./support/stack.js";
import { describeEachStore, finishedRun, type OpenStore, openSqliteStore } from "./support/stores.js";

/** A generation of the demo's data with its records. */
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

/** Another store with the same generations. */
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
    expect(checkedNothing).toEqual([]);
    expect(reports).toHaveLength(1 + answerChecks.length + datasetChecks.length);
    expect(values).toBeGreaterThan(10_000);
  });
});

describe("a wrong value", () => {
  let parts: DerivedValuesParts;

  beforeAll(async () => {
    const opened = await openSqliteStore();
    const { database, store } = await copyInto(opened);
    parts = partsOf(database, store);
    return () => opened.dispose();
  });

  async function faultsOf(changes: Partial<DerivedValuesParts>, { generation, records }: Built) {
    const faults: string[] = [];
    for await (const fault of derivedValues({ ...parts, ...changes }).faultsOf(generation, records)) faults.push(fault);
    return faults;
  }

  /** Asks the questions of a check. `change` changes the answers. */
  async function faultsOfAnswers(check: AnswerCheck, change: (answer: unknown) => unknown) {
    const registered = services.operations.find((own) => pathOf(own) === check.operation);
    if (!registered) throw new Error(`no operation ${check.operation}`);
    const operation: RegisteredOperation["operation"] = {
      ...registered.operation,
      run: (...asked) => change(registered.operation.run(...asked)),
    };
    const reads = Object.values(registered.operation.reads).map(({ name }) => name);
    const read = builds.filter(({ generation }) => reads.includes(generation.dataset));
    const changes = { operations: [{ ...registered, operation }], checks: { answers: [check], datasets: [] } };
    return (await Promise.all(read.map((built) => faultsOf(changes, built)))).flat();
  }

  test.each(answerChecks.map((check) => [`${check.operation}: ${check.what}`, check] as const))(
    "in any member of an answer is found: %s",
    async (_name, check) => {
      const paths = new Map<string, string>();
      const right = await faultsOfAnswers(check, (answer) => {
        for (const path of leavesOf(JSON.parse(JSON.stringify(answer))))
          paths.set(path.replace(/\[\d+\]/g, "[]"), path);
        return answer;
      });
      expect(right).toEqual([]);
      expect(paths.size).toBeGreaterThan(0);
      const missed: string[] = [];
      for (const [pattern, path] of paths) {
        const faults = await faultsOfAnswers(check, (answer) => planted(JSON.parse(JSON.stringify(answer)), path));
        if (faults.length === 0 && !isPosition(pattern)) missed.push(pattern);
      }
      expect(missed).toEqual([]);
    },
    60_000,
  );

  test("in the description of a generation is found", async () => {
    const [built] = builds.filter(({ generation }) => generation.dataset === "us-cpi");
    if (!built) throw new Error("the demo has consumer prices");
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

/** True for the position of a country or an airport, which comes from a table. */
function isPosition(pattern: string): boolean {
  return /(?:^|\.)(?:location|originLocation|asylumLocation)\.(?:latitude|longitude)$/.test(pattern);
}

/** The paths of all numbers and truth values. */
function* leavesOf(value: unknown, path = ""): Generator<string> {
  if (typeof value === "number" || typeof value === "boolean") yield path;
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* leavesOf(item, `${path}[${index}]`);
  else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) yield* leavesOf(member, path === "" ? name : `${path}.${name}`);
  }
}

/** The answer with another value at a path, if it has one there. */
function planted(answer: unknown, path: string): unknown {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== "");
  const last = steps.pop() ?? "";
  let holder = answer as Record<string, unknown> | undefined;
  for (const step of steps) holder = holder?.[step] as Record<string, unknown> | undefined;
  const value = holder?.[last];
  if (holder && typeof value === "number") holder[last] = value + 1;
  if (holder && typeof value === "boolean") holder[last] = !value;
  return answer;
}
