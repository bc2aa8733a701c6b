import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { restlessPace, resultOf } from "../../test/support/views.js";
import { sortedSteps, visitSteps } from "./list-steps.js";
import { ClockPace } from "./loop-turns.js";

const counting = Array.from({ length: 10_000 }, (_, at) => at);
const ascending = (a: number, b: number): number => a - b;

describe("visitSteps", () => {
  test("visitSteps visits all items in order and checks the pace after every 128 items", () => {
    const visited: number[] = [];
    const { pace, looks } = restlessPace();
    const steps = visitSteps(counting, pace, (item) => visited.push(item));
    steps.next();
    expect(visited).toHaveLength(128);
    resultOf(steps);
    expect(visited).toEqual(counting);
    expect(looks()).toBe(Math.floor(10_000 / 128));
  });

  test("visitSteps does not pause before its time slice is over", () => {
    expect(visitSteps(counting, new ClockPace(() => 0), () => undefined).next().done).toBe(true);
  });
});

describe("sortedSteps", () => {
  interface Row {
    readonly key: number;
    readonly at: number;
  }
  const byKey = (a: Row, b: Row): number => a.key - b.key;

  test("sortedSteps sorts stably like Array.prototype.sort and leaves the input unchanged", () => {
    // Few distinct keys produce equal items; long sorted stretches resemble stored lists.
    const stretch = fc.oneof(
      fc.array(fc.nat({ max: 50 }), { maxLength: 700, size: "max" }),
      fc.array(fc.nat({ max: 5_000 }), { maxLength: 700, size: "max" }).map((keys) => keys.toSorted(ascending)),
    );
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 5 }), (stretches) => {
        const rows = stretches.flat().map((key, at): Row => ({ key, at }));
        const before = [...rows];
        expect(resultOf(sortedSteps(rows, byKey, restlessPace().pace))).toEqual(rows.toSorted(byKey));
        expect(rows).toEqual(before);
      }),
      { numRuns: 200 },
    );
  });

  /** The total number of comparisons, and the largest number between two pauses. */
  function comparisonsFor(items: readonly number[]) {
    let [all, sincePause, most] = [0, 0, 0];
    const compare = (a: number, b: number): number => {
      all += 1;
      sincePause += 1;
      return a - b;
    };
    const steps = sortedSteps(items, compare, restlessPace().pace);
    for (let step = steps.next(); ; step = steps.next()) {
      most = Math.max(most, sincePause);
      sincePause = 0;
      if (step.done) return { sorted: step.value, all, most };
    }
  }

  test.each([
    { order: "that is in order", items: counting, allMax: 10_000 },
    { order: "made of two sorted lists", items: [...counting, ...counting], allMax: 40_000 },
    { order: "that is in order except for one item", items: [...counting, 5_000], allMax: 21_000 },
    { order: "in reverse order", items: counting.toReversed(), allMax: 140_000 },
    { order: "in random order", items: counting.map((at) => (at * 7_919) % 10_007), allMax: 160_000 },
  ])("sortedSteps sorts a list $order with few comparisons in total and between pauses", ({ items, allMax }) => {
    const { sorted, all, most } = comparisonsFor(items);
    expect(sorted).toEqual(items.toSorted(ascending));
    expect(all).toBeLessThanOrEqual(allMax);
    // A piece of 256 items takes at most about 256 * 8 comparisons and is sorted without a pause.
    expect(most).toBeLessThan(2_600);
  });

  test.each([{ items: [] }, { items: [1] }, { items: [2, 1] }])("sortedSteps sorts $items", ({ items }) => {
    expect(resultOf(sortedSteps<number>(items, ascending, new ClockPace()))).toEqual(items.toSorted(ascending));
  });
});
