import { monotonicMs } from "../kit/clock.js";
import type { Steps } from "../kit/loop-turns.js";
import { LoopTurns } from "../kit/loop-turns.js";
import { cachingCompiler } from "./compiled-expressions.js";
import { BudgetExceeded, InvalidExpression, ProjectionTooLarge } from "./errors.js";
import { Fuel } from "./fuel.js";
import { defaultLimits, type ProjectionLimits } from "./limits.js";
import { Machine, type Program } from "./machine.js";
import { serialiseSteps } from "./serialise.js";

/** The JSON text of a projection in UTF-8, or the contract's error sentence. */
export type Projection = { readonly ok: true; readonly body: Buffer } | { readonly ok: false; readonly error: string };

/**
 * Projects `root`, which is not modified. Returns the result directly if the work fits into the rest of the time slice
 * of this turn of the event loop; otherwise returns a promise, which rejects if the signal aborts.
 */
export type Project = (expression: string, root: unknown, options?: ProjectOptions) => Projection | Promise<Projection>;

export interface ProjectOptions {
  readonly signal?: AbortSignal;
  /**
   * Called after each slice of the work, with the number of units of fuel that the slice has spent. Work that is
   * aborted because its caller has gone away is therefore counted up to the abort.
   */
  readonly onWork?: (units: number) => void;
}

export interface ProjectorOptions {
  readonly limits?: Partial<ProjectionLimits>;
  /** Reads a monotonic clock, in milliseconds. */
  readonly now?: () => number;
  /** Turns of the event loop that the projector shares with other sliced work. Default: it shares none. */
  readonly turns?: LoopTurns;
}

/**
 * A projector with its cache of compiled expressions; a process needs only one.
 *
 * `jmespath/` is this server's own JMESPath: `lex` and `parse` read an expression into a tree, `compile` turns the tree
 * into a program, `machine` runs the program in slices, and `serialise` writes the result. One budget, `fuel`, covers
 * running and serialising.
 */
export function createProjector(options: ProjectorOptions = {}): Project {
  const limits = { ...defaultLimits, ...options.limits };
  const { now = monotonicMs, turns = new LoopTurns({ now }) } = options;
  const compile = cachingCompiler(limits.cachedInstructionsMax);
  return (expression, root, { signal, onWork } = {}) => {
    const bytes = Buffer.byteLength(expression);
    if (bytes > limits.expressionBytesMax) {
      return { ok: false, error: `expression_too_long: ${bytes} > ${limits.expressionBytesMax}` };
    }
    const fuel = new Fuel(limits.fuelUnitsMax, now);
    const steps = projectionSteps({ program: () => compile(expression), root, fuel, limits });
    return turns.run(onWork ? metered(steps, fuel, onWork) : steps, fuel, signal);
  };
}

interface Work {
  readonly program: () => Program;
  readonly root: unknown;
  readonly fuel: Fuel;
  readonly limits: ProjectionLimits;
}

/** Wraps steps and reports the units of each slice. */
function* metered(steps: Steps<Projection>, fuel: Fuel, onWork: (units: number) => void): Steps<Projection> {
  let reported = 0;
  for (;;) {
    let next: IteratorResult<undefined, Projection>;
    try {
      next = steps.next();
    } finally {
      onWork(fuel.spent - reported);
      reported = fuel.spent;
    }
    if (next.done) return next.value;
    yield;
  }
}

function* projectionSteps({ program, root, fuel, limits }: Work): Steps<Projection> {
  try {
    const result = yield* new Machine(root, fuel).run(program());
    fuel.resource = "output bytes";
    const text = yield* serialiseSteps(result, fuel, {
      bytesMax: limits.bodyBytesMax,
      bytesCountedMax: limits.bodyBytesCountedMax,
    });
    return { ok: true, body: Buffer.from(text) };
  } catch (error) {
    return { ok: false, error: sentence(error) };
  }
}

/** The contract's sentence for an error of the caller; rethrows anything else. */
function sentence(error: unknown): string {
  if (error instanceof ProjectionTooLarge) return `projection_too_large: ${error.message}`;
  if (error instanceof InvalidExpression || error instanceof BudgetExceeded) {
    return `invalid_expression: ${error.message}`;
  }
  throw error;
}
