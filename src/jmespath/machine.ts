import type { Steps } from "../kit/loop-turns.js";
import { type Fuel, Long } from "./fuel.js";

/** One step of a program; it may change the machine, and where the machine goes next. */
export type Instruction = (machine: Machine) => void;

/** An expression ready to run: it takes the machine's value and leaves its result there. */
export interface Program {
  readonly code: readonly Instruction[];
}

/** A place in a program that is known once everything before it has been emitted. */
export interface Label {
  at: number;
}

/** A projection under way. */
export interface Loop {
  readonly elements: readonly unknown[];
  readonly results: unknown[];
  readonly shape: LoopShape;
  next: number;
}

/** What is the same each time a loop is entered. */
export interface LoopShape {
  readonly body: Label;
  readonly end: Label;
  readonly keepsNulls: boolean;
}

/**
 * Runs a program over a value and can stop after any instruction: its whole state is here rather than on the call
 * stack, which also makes the depth of an expression harmless.
 */
export class Machine {
  readonly fuel: Fuel;
  /** What the last instruction gave, and the next one takes. */
  value: unknown;
  /** Values set aside: inputs to return to, and lists and objects being filled. */
  readonly stack: unknown[] = [];
  readonly loops: Loop[] = [];
  /** The next instruction. */
  at = 0;
  private long: Long | undefined;

  constructor(root: unknown, fuel: Fuel) {
    this.value = root;
    this.fuel = fuel;
  }

  /** The result of the program; yields whenever a slice is over. */
  *run({ code }: Program): Steps<unknown> {
    while (this.at < code.length) {
      if (this.fuel.spend(1)) yield;
      // The loop's condition keeps `at` within the code.
      (code[this.at++] as Instruction)(this);
      if (this.long !== undefined) yield* this.finish(this.long);
    }
    return this.value;
  }

  /** Takes `outcome` as the value, now or, when it is long work, once that is done. */
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
