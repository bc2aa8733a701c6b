import { type CallSite, wrongType } from "./functions/signature.js";
import type { Instruction, Loop, LoopShape, Machine } from "./machine.js";
import { isTruthy, typeOf } from "./values.js";

/** Fuel units charged for entering a loop: roughly the memory of its state and its list of results. */
const LOOP_UNITS = 8;

/** Starts a projection over the value; the result is null unless the value is a list. */
export function enterLoop(shape: LoopShape): Instruction {
  return (machine) => {
    if (Array.isArray(machine.value)) {
      begin(machine, machine.value, shape);
    } else {
      machine.value = null;
      machine.at = shape.end.at;
    }
  };
}

/** Starts the loop that evaluates an expression argument (`&…`) for each element of the call's list argument. */
export function enterArgument(shape: LoopShape, listPosition: number, site: CallSite): Instruction {
  return (machine) => {
    // The cast is safe, because `openList` pushed the list of arguments first and the input second.
    const list = (machine.stack.at(-2) as readonly unknown[])[listPosition];
    if (!Array.isArray(list)) throw wrongType(site, listPosition, "array", typeOf(list));
    begin(machine, list, shape);
  };
}

function begin(machine: Machine, elements: readonly unknown[], shape: LoopShape): void {
  machine.fuel.spend(LOOP_UNITS);
  const loop: Loop = { elements, results: [], shape, next: 0 };
  machine.loops.push(loop);
  advance(machine, loop);
}

/** Continues with the body for the current element if the condition holds, otherwise with the next element. */
export const filter: Instruction = (machine) => {
  const loop = current(machine);
  if (isTruthy(machine.value, machine.fuel)) machine.value = loop.elements[loop.next - 1];
  else advance(machine, loop);
};

/**
 * Adds the result of the body, and restarts the body with the next element. A projection drops results that are null;
 * an expression argument keeps them.
 */
export const collect: Instruction = (machine) => {
  const loop = current(machine);
  if ((machine.value !== null && machine.value !== undefined) || loop.shape.keepsNulls) {
    loop.results.push(machine.value ?? null);
  }
  advance(machine, loop);
};

function advance(machine: Machine, loop: Loop): void {
  machine.fuel.spend(1);
  if (loop.next < loop.elements.length) {
    machine.value = loop.elements[loop.next++];
    machine.at = loop.shape.body.at;
    return;
  }
  machine.loops.pop();
  machine.value = loop.results;
  machine.at = loop.shape.end.at;
}

function current(machine: Machine): Loop {
  // The cast is safe, because the instructions that call this are emitted only inside a loop.
  return machine.loops.at(-1) as Loop;
}
