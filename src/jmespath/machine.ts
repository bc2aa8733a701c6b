import type { Steps } from "../kit/loop-turns.js";
import { type Fuel, Long } from "./fuel.js";

/** One step of a program. It may change the machine, including its next position. */
export type Instruction = (machine: Machine) => void;

/** A compiled expression. It takes the machine's value and replaces it with the result. */
export interface Program {
  readonly code: readonly Instruction[];
}

/** A position in a program. It is known once everything before it has been emitted. */
export interface Label {
  at: number;
}

/**
 * A running loop over the elements of a list: a projection, or an expression argument (`&…`) that is evaluated for each
 * element.
 */
export interface Loop {
  readonly elements: readonly unknown[];
  readonly results: unknown[];
  readonly shape: LoopShape;
  next: number;
}

/** The constant properties of a loop. */
export interface LoopShape {
  readonly body: Label;
  readonly end: Label;
  /** True if results that are null are kept: for an expression argument, but not for a projection. */
  readonly keepsNulls: boolean;
}

/**
 * Runs a program over a value and can stop after any instruction. The whole state is in this object rather than on the
 * call stack, so deep expressions are safe.
 */
export class Machine {
  readonly fuel: Fuel;
  /** The result of the last instruction, and the input of the next one. */
  value: unknown;
  /** Values that were set aside: inputs to return to, and lists and objects under construction. */
  readonly stack: unknown[] = [];
  readonly loops: Loop[] = [];
  /** Index of the next instruction. */
  at = 0;
  private long: Long | undefined;

  constructor(root: unknown, fuel: Fuel) {
    this.value = root;
    this.fuel = fuel;
  }

  /** Runs the program to its result. Yields when its slice of time is over, so that other work can run. */
  *run({ code }: Program): Steps<unknown> {
    while (this.at < code.length) {
      if (this.fuel.spend(1)) yield;
      // The cast is safe, because the loop's condition keeps `at` within the code.
      (code[this.at++] as Instruction)(this);
      if (this.long !== undefined) yield* this.finish(this.long);
    }
    return this.value;
  }

  /**
   * Makes `outcome` the machine's value. If `outcome` is long work, that work is run first, and its result becomes the
   * value.
   */
  settle(outcome: unknown): void {
    if (outcome instanceof Long) this.long = outcome;
    else this.value = outcome;
  }

  private *finish(long: Long): Steps<void> {
    this.long = undefined;
    this.fuel.resource = long.resource;
    this.value = yield* long.steps;
    this.fuel.resource = "node visits";
  }
}
