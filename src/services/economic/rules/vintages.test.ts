import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Revision, Revisions } from "../../../contract/revisions.js";
import { vintagesOf, withdrawnTimes } from "./vintages.js";

type Name = "core" | "food";
type Row = Readonly<Partial<Record<Name, number>>>;

const begin = { generation: 1, at: 1_000 };
const names: readonly Name[] = ["core", "food"];
/** Each part has the values of one name, as in the dataset of consumer prices. */
const reading = {
  names,
  isIn: (part: string, name: Name) => part === name,
  valueIn: (row: unknown) => row as number | undefined,
};

/**
 * Creates the revision of a generation. `parts` has, by part and time, the former value, or undefined if the value was
 * added.
 */
function revision(
  generation: number,
  parts: Readonly<Partial<Record<Name, Readonly<Record<string, number | undefined>>>>>,
): Revision {
  const replaced = Object.entries(parts).map(([part, values]) => {
    const rows = Object.entries(values);
    const added = rows.flatMap(([time, value]) => (value === undefined ? [time] : []));
    return [part, { added, former: Object.fromEntries(rows.filter(([, value]) => value !== undefined)) }];
  });
  return { generation, at: generation * 1_000, parts: Object.fromEntries(replaced) };
}

function vintages(current: Readonly<Record<number, Row>>, revisions: readonly Revision[], at = Object.keys(current)) {
  const times = at.map(Number);
  return vintagesOf(times, { ...reading, current: (time) => current[time] }, { begin, revisions });
}

describe("the values of an observation over time", () => {
  test("unchanged values are listed once, as known since the start of the record", () => {
    expect(vintages({ 7: { core: 1, food: 2 } }, [])).toEqual([
      [7, [{ since: 1_000, generation: 1, core: 1, food: 2 }]],
    ]);
  });

  test("the values of an added observation are known since the generation that added it", () => {
    const added = [revision(3, { core: { 7: undefined }, food: { 7: undefined } })];
    expect(vintages({ 7: { core: 1, food: 2 } }, added)).toEqual([
      [7, [{ since: 3_000, generation: 3, core: 1, food: 2 }]],
    ]);
  });

  test("a later vintage has only the values that changed", () => {
    const changed = [revision(2, { core: { 7: 0.5 } }), revision(4, { core: { 7: 0.8 } })];
    expect(vintages({ 7: { core: 1, food: 2 } }, changed)).toEqual([
      [
        7,
        [
          { since: 1_000, generation: 1, core: 0.5, food: 2 },
          { since: 2_000, generation: 2, core: 0.8 },
          { since: 4_000, generation: 4, core: 1 },
        ],
      ],
    ]);
  });

  test("a value that appears later adds a vintage, and a vintage lists the names of withdrawn values", () => {
    const changed = [revision(2, { food: { 7: undefined } }), revision(3, { core: { 7: 1 } })];
    expect(vintages({ 7: { food: 2 } }, changed)).toEqual([
      [
        7,
        [
          { since: 1_000, generation: 1, core: 1 },
          { since: 2_000, generation: 2, food: 2 },
          { since: 3_000, generation: 3, withdrawn: ["core"] },
        ],
      ],
    ]);
  });

  test("an observation that was withdrawn as a whole keeps its vintages", () => {
    const revisions = [revision(2, { core: { 7: 1 } })];
    expect(withdrawnTimes([8], { begin, revisions })).toEqual([7]);
    expect(vintages({}, revisions, ["7"])).toEqual([
      [
        7,
        [
          { since: 1_000, generation: 1, core: 1 },
          { since: 2_000, generation: 2, withdrawn: ["core"] },
        ],
      ],
    ]);
  });

  test("a changed row without changed values adds no vintage", () => {
    expect(vintages({ 7: { core: 1 } }, [revision(2, { core: { 7: 1 } })])).toEqual([
      [7, [{ since: 1_000, generation: 1, core: 1 }]],
    ]);
  });

  test("the vintages together reproduce the values of every generation", () => {
    const value = fc.option(fc.nat(2), { nil: undefined });
    const generation = fc.record({ core: fc.tuple(value, value), food: fc.tuple(value, value) });
    fc.assert(
      fc.property(fc.array(generation, { minLength: 1, maxLength: 8 }), (generations) => {
        const revisions = generations.slice(1).map((after, index) => {
          const before = generations[index] ?? after;
          const differing = (name: Name) =>
            [0, 1].filter((time) => before[name][time] !== after[name][time]).map((time) => [time, before[name][time]]);
          return revision(index + 2, {
            core: Object.fromEntries(differing("core")),
            food: Object.fromEntries(differing("food")),
          });
        });
        const newest = generations.at(-1);
        const current = Object.fromEntries([0, 1].map((time) => [time, rowOf(newest, time)]));
        for (const [time, history] of vintages(current, revisions)) {
          for (const [index, each] of generations.entries()) {
            expect(valuesAt(history, index + 1)).toEqual(rowOf(each, time));
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

type Generation = Readonly<Record<Name, readonly (number | undefined)[]>>;

function rowOf(generation: Generation | undefined, time: number): Row {
  const values = names.map((name) => [name, generation?.[name][time]] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Returns the values as of a generation, computed from the vintages up to it. */
function valuesAt(
  history: readonly ({ readonly generation: number; readonly withdrawn?: readonly string[] } & Row)[],
  generation: number,
): Row {
  const values = new Map<string, unknown>();
  for (const vintage of history.filter((row) => row.generation <= generation)) {
    for (const name of names) if (vintage[name] !== undefined) values.set(name, vintage[name]);
    for (const name of vintage.withdrawn ?? []) values.delete(name);
  }
  return Object.fromEntries(values);
}

test("`withdrawnTimes` returns the times in the record that are no longer served", () => {
  const revisions: Revisions["revisions"] = [
    revision(2, { core: { 7: 1, 8: undefined } }),
    revision(3, { food: { 7: 2 } }),
  ];
  expect(withdrawnTimes([8], { begin, revisions })).toEqual([7]);
});
