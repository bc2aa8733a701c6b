import type { Steps } from "../kit/loop-turns.js";
import type { Fuel } from "./fuel.js";
import type { SliceNode } from "./syntax-tree.js";
import { type JsonObject, keysOf } from "./values.js";

/** Copies the elements to a new list. The elements of inner lists are spliced in, one level deep. */
export function* flattenedSteps(elements: readonly unknown[], fuel: Fuel): Steps<readonly unknown[]> {
  const flat: unknown[] = [];
  for (const element of elements) {
    if (fuel.spend(1)) yield;
    if (!Array.isArray(element)) flat.push(element);
    else yield* appendSteps(flat, element, fuel);
  }
  return flat;
}

function* appendSteps(target: unknown[], elements: readonly unknown[], fuel: Fuel): Steps<void> {
  for (const element of elements) {
    if (fuel.spend(1)) yield;
    target.push(element);
  }
}

export function* reversedListSteps(elements: readonly unknown[], fuel: Fuel): Steps<readonly unknown[]> {
  return yield* slicedSteps(elements, { kind: "slice", start: null, stop: null, step: -1 }, fuel);
}

/** The elements from `start` up to but excluding `stop`, in steps of `step`; negative bounds count from the end. */
export function* slicedSteps(elements: readonly unknown[], slice: SliceNode, fuel: Fuel): Steps<readonly unknown[]> {
  const { step } = slice;
  const lowest = step < 0 ? -1 : 0;
  const highest = step < 0 ? elements.length - 1 : elements.length;
  const bound = (value: number | null, otherwise: number): number => {
    if (value === null) return otherwise;
    return Math.min(Math.max(value < 0 ? value + elements.length : value, lowest), highest);
  };
  const stop = bound(slice.stop, step < 0 ? lowest : highest);
  const kept: unknown[] = [];
  for (let at = bound(slice.start, step < 0 ? highest : lowest); step < 0 ? at > stop : at < stop; at += step) {
    if (fuel.spend(1)) yield;
    kept.push(elements[at]);
  }
  return kept;
}

/** The values of an object's members, in the order of its keys. */
export function* memberValuesSteps(object: JsonObject, fuel: Fuel): Steps<readonly unknown[]> {
  const values: unknown[] = [];
  for (const key of keysOf(object, fuel)) {
    if (fuel.spend(1)) yield;
    values.push(object[key] ?? null);
  }
  return values;
}

export function* pickedSteps(elements: readonly unknown[], positions: Uint32Array, fuel: Fuel): Steps<unknown[]> {
  const picked: unknown[] = [];
  for (const position of positions) {
    if (fuel.spend(1)) yield;
    picked.push(elements[position]);
  }
  return picked;
}
