import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lacksExplanation } from "../src/contract/explanation.js";
import type { CountedRows } from "../src/contract/row-tally.js";
import { DAY_MS, HOUR_MS } from "../src/kit/clock.js";
import { seededRandom } from "../src/kit/random.js";
import { loadServices } from "../src/services/registry.js";
import type { Earthquake } from "../src/services/seismology/records.js";
import type { Fault } from "../src/simulator/faults.js";
import { totalOf, unaccountedRows } from "../src/snapshots/builds/build-account.js";
import type { Generation } from "../src/snapshots/generation.js";
import { newestRecords } from "./support/published.js";
import { json, type Stack, startStack } from "./support/stack.js";

interface Rows {
  readonly leftOut: readonly (CountedRows & { readonly part?: string; readonly example: string })[];
  readonly joined: readonly CountedRows[];
  readonly made: readonly CountedRows[];
}

interface Explained {
  readonly rows: { readonly inSnapshot: number };
  readonly datasets: readonly {
    readonly name: string;
    readonly build?: Rows & { readonly earlier: number; readonly read: number; readonly stored: number };
    readonly lists?: Rows;
  }[];
}

const nothing: Rows = { leftOut: [], joined: [], made: [] };
const { allDatasets, operations } = await loadServices();
const always = allDatasets.filter(({ awakeForMs }) => awakeForMs === undefined);
const explained = operations.filter(({ operation }) => lacksExplanation(operation) === undefined);

async function explanationAt(stack: Stack, path: string): Promise<Explained> {
  const { explain } = json(await stack.get(`${path}?explain=true`)) as { readonly explain: Explained };
  return explain;
}

describe("the row counts of a build", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ filled: "all" });
  }, 60_000);
  afterAll(() => stack.close());

  const generationOf = (name: string): Generation => {
    const generation = stack.service.registry.generation(stack.dataset(name));
    if (!generation) throw new Error(`${name} is not built`);
    return generation;
  };

  test.each(always.map(({ name }) => name))(
    "%s: stored, joined and omitted rows add up to the read and made rows plus the records of earlier runs",
    (name) => {
      const { account = {}, recordCounts } = generationOf(name);
      const accounts = Object.entries(account);
      expect(accounts.length).toBeGreaterThan(0);
      expect(accounts.map(([part, own]) => [part, unaccountedRows(own)])).toEqual(accounts.map(([part]) => [part, 0]));
      const stored = accounts.reduce((sum, [, own]) => sum + own.stored, 0);
      expect(stored).toBe(Object.values(recordCounts).reduce((sum, count) => sum + count, 0));
      for (const { example } of accounts.flatMap(([, { leftOut }]) => leftOut)) expect(example).not.toBe("undefined");
    },
  );

  test.each(explained.map(({ path }) => path))(
    "%s: listed, joined and omitted rows add up to the stored rows plus the rows that the operation made",
    async (path) => {
      const { rows, datasets } = await explanationAt(stack, path);
      // A list takes its rows from its first dataset; its other datasets only add members to these rows.
      const { name = "", build, lists = nothing } = datasets[0] ?? {};
      const { leftOut, joined, made } = lists;
      expect([name, (build?.stored ?? 0) + totalOf(made)]).toEqual([
        name,
        totalOf(leftOut) + totalOf(joined) + rows.inSnapshot,
      ]);
    },
  );
});

describe("the row counts of a build, through days of faults", () => {
  let stack: Stack;
  const names = ["earthquakes", "us-cpi", "us-treasury-yields", "alpha-events"];
  beforeAll(async () => {
    stack = await startStack({ datasets: names, filled: names });
  }, 60_000);
  afterAll(() => stack.close());

  const faults: readonly Fault[] = [
    { kind: "bad-row" },
    { kind: "empty" },
    { kind: "status", code: 503 },
    { kind: "status", code: 304 },
    { kind: "cut", afterRatio: 0.5 },
  ];

  // `runAlone` throws if the row counts of a build do not add up, in this test and in every other.
  test("add up for every generation, and name the rules that left rows out", async () => {
    const random = seededRandom(66);
    const rules = new Set<string>();
    for (let round = 0; round <= faults.length; round += 1) {
      stack.clock.advance(DAY_MS * (1 + random()));
      stack.simulator.faults.clear();
      if (round > 0) stack.simulator.faults.set({ upstream: "*" }, faults[round - 1] as Fault);
      // The dataset of yields is built twice: its second build reads rows that are already stored.
      for (const name of [...names, "us-treasury-yields"]) {
        const { generation } = await stack.runAlone(name);
        for (const { leftOut } of Object.values(generation?.account ?? {})) {
          for (const { rule } of leftOut) rules.add(rule);
        }
      }
    }
    expect([...rules]).toEqual(
      expect.arrayContaining(["bad row", "no position", "read again", "older than seven days"]),
    );
  });

  test("include an example of a bad row, and of a row with a magnitude below 4.5", async () => {
    stack.simulator.faults.clear();
    stack.simulator.faults.set({ upstream: "usgs-earthquakes" }, { kind: "bad-row" });
    stack.clock.advance(HOUR_MS);
    await stack.run("earthquakes");
    const { datasets } = await explanationAt(stack, "/api/seismology/v1/list-earthquakes");
    const [{ build, lists } = { build: undefined, lists: undefined }] = datasets;
    expect(build?.leftOut).toContainEqual({
      part: "usgs",
      rule: "bad row",
      count: 1,
      example: expect.stringMatching(/^ussim\d+$/),
    });
    const stored = Object.values(await newestRecords<Earthquake>(stack, "earthquakes")).flat();
    const weak = lists?.leftOut.find(({ rule }) => rule === "magnitude below 4.5");
    expect(weak?.count).toBe(stored.filter(({ magnitude }) => magnitude < 4.5).length);
    expect(stored.find(({ id }) => id === weak?.example)?.magnitude).toBeLessThan(4.5);
  });

  test("records kept from an earlier run keep the row counts of that run", async () => {
    const accountOf = () => stack.service.registry.generation(stack.dataset("us-cpi"))?.account?.["food"];
    stack.simulator.faults.clear();
    stack.clock.advance(31 * DAY_MS);
    await stack.run("us-cpi");
    const before = accountOf();
    expect(before?.read).toBeGreaterThan(800);
    stack.simulator.faults.set({ upstream: "fred", match: "CPIUFDSL" }, { kind: "down" });
    stack.clock.advance(31 * DAY_MS);
    await stack.run("us-cpi");
    expect(accountOf()).toEqual(before);
  });

  test("are missing from the explanation of a generation that an earlier version built", async () => {
    const path = "/api/economic/v1/get-us-cpi-monthly";
    expect((await explanationAt(stack, path)).datasets[0]?.build).toBeDefined();
    await stack.service.database.db.updateTable("snapshot").set({ build_account: null }).execute();
    await stack.restart();
    const [{ build, lists } = { build: null, lists: undefined }] = (await explanationAt(stack, path)).datasets;
    expect(build).toBeUndefined();
    expect(lists?.joined).toMatchObject([{ rule: "components of a month" }]);
  });
});
