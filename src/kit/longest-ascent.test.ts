import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { leaveAscent } from "./longest-ascent.js";
import { ClockPace } from "./loop-turns.js";

/** Returns the values that `leaveAscent` leaves marked. Without `marks`, all values are marked at the start. */
function ascentOf(values: readonly number[], marks: readonly number[] = values.map(() => 1)): readonly number[] {
  const left = Uint8Array.from(marks);
  expect(leaveAscent(left, Int32Array.from(values), new ClockPace()).next().done).toBe(true);
  return values.filter((_, index) => left[index] === 1);
}

/** The length of the longest ascent. Computes the longest ascent that ends at each value. */
function longestLength(values: readonly number[]): number {
  const lengths: number[] = [];
  for (const [index, value] of values.entries()) {
    const before = lengths.filter((_, at) => at < index && (values[at] as number) < value);
    lengths.push(Math.max(0, ...before) + 1);
  }
  return Math.max(0, ...lengths);
}

describe("leaveAscent", () => {
  test.each([
    { what: "no values", values: [], left: [] },
    { what: "ascending values", values: [1, 2, 5], left: [1, 2, 5] },
    { what: "a value that moved to the front", values: [9, 1, 2, 3], left: [1, 2, 3] },
    { what: "descending values", values: [3, 2, 1], left: [1] },
    { what: "equal values", values: [4, 4, 5], left: [4, 5] },
  ])("leaveAscent leaves $left marked for $what", ({ values, left }) => {
    expect(ascentOf(values)).toEqual(left);
  });

  test("leaveAscent never marks a value that was not marked", () => {
    expect(ascentOf([1, 2, 3, 4], [1, 0, 0, 1])).toEqual([1, 4]);
  });

  test("leaveAscent leaves a strictly ascending sequence of the greatest length", () => {
    const values = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 30 });
    fc.assert(
      fc.property(values, (all) => {
        const left = ascentOf(all);
        expect(left.length).toBe(longestLength(all));
        expect(left.every((value, index) => index === 0 || (left[index - 1] as number) < value)).toBe(true);
      }),
    );
  });

  test("leaveAscent yields when its slice is over", () => {
    const pace = new ClockPace(() => 1);
    pace.startSlice(0);
    const values = Int32Array.from({ length: 1_000 }, (_, index) => index);
    const steps = leaveAscent(new Uint8Array(1_000).fill(1), values, pace);
    expect([steps.next().done, steps.next().done]).toEqual([false, false]);
  });
});
