import { monotonicMs } from "../kit/clock.js";
import type { Steps } from "../kit/loop-turns.js";
import { LoopTurns } from "../kit/loop-turns.js";
import { cachingCompiler } from "./compiled-expressions.js";
import { BudgetExceeded, InvalidExpression, ProjectionTooLarge } from "./errors.js";
import { Fuel } from "./fuel.js";
import { defaultLimits, type ProjectionLimits } from "./limits.js";
import { Machine, type Program } from "./machine.js";
import { serialiseSteps } from "./serialise.js";

/** The JSON text of a projection in UTF-8, or the contract's sentence on why there is none. */
export type Projection = { readonly ok: true; readonly body: Buffer } | { readonly ok: false; readonly error: string };

/**
 * The projection of `root`, which is only read. A value when it was made at once, a promise when it took more than
 * what was left of this turn of the event loop; that one rejects when the signal is aborted.
 */
export type Project = (expression: string, root: unknown, options?: ProjectOptions) => Projection | Promise<Projection>;

export interface ProjectOptions {
  readonly signal?: AbortSignal;
  /** Told after each slice how many units of work it took, so that work counts even when nobody waits for its result. */
  readonly onWork?: (units: number) => void;
}

export interface ProjectorOptions {
  readonly limits?: Partial<ProjectionLimits>;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
  /** What else works in slices shares these turns; by default there is nothing else. */
  readonly turns?: LoopTurns;
}

/**
 * A projector with its cache of compiled expressions; a process needs only one.
 *
 * `jmespath/` is this server's own JMESPath: `lex` and `parse` read an expression into a tree, `compile` makes it a
 * program, `machine` runs it in slices, and `serialise` writes the result. One budget, `fuel`, covers all of it.
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

/** The same steps, telling after each slice what it took. */
function* metered(steps: Steps<Projection>, fuel: Fuel, onWork: (units: number) => void): Steps<Projection> {
  let told = 0;
  for (;;) {
    let next: IteratorResult<undefined, Projection>;
    try {
      next = steps.next();
    } finally {
      onWork(fuel.spent - told);
      told = fuel.spent;
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

/** The contract's sentence for a failure of the caller's; anything else is a fault of ours and is thrown on. */
function sentence(error: unknown): string {
  if (error instanceof ProjectionTooLarge) return `projection_too_large: ${error.message}`;
  if (error instanceof InvalidExpression || error instanceof BudgetExceeded) {
    return `invalid_expression: ${error.message}`;
  }
  throw error;
}
