import { equalAtOnce, equalSteps } from "./equality.js";
import { type Fuel, Long } from "./fuel.js";
import { type Call, type CallSite, checkArguments, type FunctionRow } from "./functions/signature.js";
import { flattenedSteps, memberValuesSteps, slicedSteps } from "./lists.js";
import type { Instruction, Label } from "./machine.js";
import type { Comparator, SliceNode } from "./syntax-tree.js";
import { isObject, isTruthy, memberReader, setMember } from "./values.js";

/** Units of fuel for a new list or object: roughly the memory of its header. */
const CONTAINER_UNITS = 6;

export function field(name: string): Instruction {
  const read = memberReader(name);
  return (machine) => {
    machine.value = read(machine.value);
  };
}

export function literal(value: unknown): Instruction {
  return (machine) => {
    machine.value = value;
  };
}

/** Takes the element at `index`, counted from the end if negative; null beyond the list and for non-lists. */
export function element(index: number): Instruction {
  return (machine) => {
    machine.value = Array.isArray(machine.value) ? (machine.value.at(index) ?? null) : null;
  };
}

export const flatten: Instruction = (machine) => {
  const { value, fuel } = machine;
  machine.settle(Array.isArray(value) ? new Long("element copies", flattenedSteps(value, fuel)) : null);
};

export const memberValues: Instruction = (machine) => {
  const { value, fuel } = machine;
  machine.settle(isObject(value) ? new Long("element copies", memberValuesSteps(value, fuel)) : null);
};

export function slice(node: SliceNode): Instruction {
  return (machine) => {
    const { value, fuel } = machine;
    machine.settle(Array.isArray(value) ? new Long("element copies", slicedSteps(value, node, fuel)) : null);
  };
}

export const not: Instruction = (machine) => {
  machine.value = !isTruthy(machine.value, machine.fuel);
};

/** Sets the value aside, so that a second expression can be applied to it. */
export const keep: Instruction = (machine) => {
  machine.stack.push(machine.value);
};

/** Swaps the value with the value that was set aside. */
export const swap: Instruction = (machine) => {
  const kept = machine.stack.pop();
  machine.stack.push(machine.value);
  machine.value = kept;
};

/** Jumps to `end` with the value if its truthiness is `truthy`; otherwise restores the value that was set aside. */
export function settleIf(truthy: boolean, end: Label): Instruction {
  return (machine) => {
    const kept = machine.stack.pop();
    if (isTruthy(machine.value, machine.fuel) === truthy) machine.at = end.at;
    else machine.value = kept;
  };
}

export function skipNull(end: Label): Instruction {
  return (machine) => {
    if (machine.value === null || machine.value === undefined) machine.at = end.at;
  };
}

/** Compares the value that was set aside (left operand) with the current value (right operand). */
export function compare(comparator: Comparator): Instruction {
  if (comparator === "==" || comparator === "!=") return compareEquality(comparator === "==");
  return (machine) => {
    machine.value = order(comparator, machine.stack.pop(), machine.value);
  };
}

function compareEquality(valueIfEqual: boolean): Instruction {
  return (machine) => {
    const [left, right, fuel] = [machine.stack.pop(), machine.value, machine.fuel];
    const equal = equalAtOnce(left, right, fuel);
    if (equal !== undefined) machine.value = equal === valueIfEqual;
    else machine.settle(new Long("equality steps", equalAs(valueIfEqual, left, right, fuel)));
  };
}

function* equalAs(valueIfEqual: boolean, left: unknown, right: unknown, fuel: Fuel): Long["steps"] {
  return (yield* equalSteps(left, right, fuel)) === valueIfEqual;
}

/** Compares two numbers; null if one of the values is not a number. */
function order(comparator: Comparator, left: unknown, right: unknown): boolean | null {
  if (typeof left !== "number" || typeof right !== "number") return null;
  switch (comparator) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    default:
      return left >= right;
  }
}

/** Pushes a new list of `size` onto the stack, and then the value. */
export function openList(size: number): Instruction {
  return (machine) => {
    machine.fuel.spend(CONTAINER_UNITS + size);
    machine.stack.push(new Array(size), machine.value);
  };
}

/** Puts the value into the open list, and restores the input for the next item. */
export function setItem(position: number): Instruction {
  return (machine) => {
    // The cast is safe, because `openList` pushed the list just before the input.
    (machine.stack.at(-2) as unknown[])[position] = machine.value;
    machine.value = machine.stack.at(-1);
  };
}

export const openHash: Instruction = (machine) => {
  machine.fuel.spend(CONTAINER_UNITS);
  machine.stack.push({}, machine.value);
};

export function setEntry(key: string): Instruction {
  return (machine) => {
    machine.fuel.spend(2);
    // The cast is safe, because `openHash` pushed the object just before the input.
    setMember(machine.stack.at(-2) as Record<string, unknown>, key, machine.value);
    machine.value = machine.stack.at(-1);
  };
}

/** Closes the open list or object, which becomes the value. */
export const close: Instruction = (machine) => {
  machine.stack.pop();
  machine.value = machine.stack.pop();
};

/** Calls a function; the value is the list of its arguments. */
export function call(row: FunctionRow, site: CallSite): Instruction {
  return (machine) => {
    const invocation: Call = { site, args: machine.value as readonly unknown[], fuel: machine.fuel };
    checkArguments(row, invocation);
    machine.settle(row.call(invocation));
  };
}
