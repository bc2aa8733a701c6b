import fc from "fast-check";
import { expect, test } from "vitest";
import { Fuel } from "./fuel.js";
import { flattenedSteps, memberValuesSteps, reversedListSteps, slicedSteps } from "./lists.js";
import { finish } from "./testing/search.js";

const fuel = (): Fuel => new Fuel(100_000, () => 0);

test("flattening splices inner lists one level deep", () => {
  expect(finish(flattenedSteps([1, [2, [3]], [], null], fuel()))).toEqual([1, 2, [3], null]);
});

test("a slice contains every position that its bounds and step reach", () => {
  const bound = fc.option(fc.integer({ min: -8, max: 8 }));
  const step = fc.integer({ min: -3, max: 3 }).filter((value) => value !== 0);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 6 }), bound, bound, step, (size, start, stop, by) => {
      const elements = Array.from({ length: size }, (_, position) => position);
      const sliced = finish(slicedSteps(elements, { kind: "slice", start, stop, step: by }, fuel()));
      const inBounds = (at: number): boolean =>
        by > 0
          ? at >= fromEnd(start ?? 0, size) && at < fromEnd(stop ?? size, size)
          : at <= fromEnd(start ?? size, size) && at > (stop === null ? -1 : fromEnd(stop, size));
      const first = by > 0 ? elements.find(inBounds) : elements.findLast(inBounds);
      const expected = elements.filter((at) => inBounds(at) && (at - (first ?? 0)) % by === 0);
      expect(sliced).toEqual(by > 0 ? expected : expected.reverse());
    }),
    { numRuns: 2_000 },
  );
});

function fromEnd(bound: number, size: number): number {
  return bound < 0 ? bound + size : bound;
}

test("slice bounds beyond the list are clipped to the list", () => {
  const slice = { kind: "slice", start: -1e300, stop: 1e300, step: 1 } as const;
  expect(finish(slicedSteps([1, 2], slice, fuel()))).toEqual([1, 2]);
});

test("reversing a list creates a new list, and the values of an object are listed in the order of its members", () => {
  const elements = [1, 2, 3];
  expect(finish(reversedListSteps(elements, fuel()))).toEqual([3, 2, 1]);
  expect(elements).toEqual([1, 2, 3]);
  expect(finish(memberValuesSteps({ b: 1, a: null }, fuel()))).toEqual([1, null]);
});
