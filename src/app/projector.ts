import { failure } from "../contract/failures.js";
import type { Project } from "../http/data-answer/answer-body.js";
import { createProjector } from "../jmespath/project.js";
import { ProjectionSlots, ProjectionSlotsFull } from "../jmespath/projection-slots.js";
import { monotonicMs } from "../kit/clock.js";
import type { LoopTurns } from "../kit/loop-turns.js";
import { originalKeys } from "../kit/original-keys.js";
import { minuteLimit } from "./minute-limit.js";

/** Maximum number of waiting projections per caller: enough for the calls of a batch request, which arrive together. */
const WAITING_MAX = 40;

/** Projects a JSON value. If the expression fails, returns the error sentence for the caller. */
export async function readProjection(
  root: unknown,
  expression: string,
  { projectionFuel: fuelUnitsMax }: { readonly projectionFuel: number },
): Promise<{ readonly body: string } | { readonly error: string }> {
  const projection = await createProjector({ limits: { fuelUnitsMax } })(expression, root);
  return projection.ok ? { body: projection.body.toString() } : { error: projection.error };
}

export interface ProjectorLimits {
  /** Maximum units of work per projection. */
  readonly fuelMax: number;
  /** Maximum units of work per caller and minute. */
  readonly fuelPerMinuteMax: number;
  /** Maximum number of concurrent projections per caller. */
  readonly perCallerMax: number;
}

/**
 * Creates the function with which the pipeline projects answers. The function limits the work and the number of
 * concurrent projections of each caller.
 */
export function projector(limits: ProjectorLimits, turns: LoopTurns, now: () => number = monotonicMs): Project {
  const project = createProjector({ limits: { fuelUnitsMax: limits.fuelMax }, turns });
  const slots = new ProjectionSlots({ runningMax: limits.perCallerMax, waitingMax: WAITING_MAX });
  const work = minuteLimit("projection-work", limits.fuelPerMinuteMax, now);

  return async (expression, root, caller, signal) => {
    try {
      const projection = await slots.run(caller, () => {
        signal.throwIfAborted();
        work.check(caller);
        return project(expression, root, { signal, onWork: (units) => work.use(caller, units) });
      });
      return projection.ok ? projection : { error: projection.error, originalKeys: originalKeys(root) };
    } catch (error) {
      if (error instanceof ProjectionSlotsFull)
        throw failure("tooManyRequests", { headers: { "Retry-After": "1" } }, error);
      throw error;
    }
  };
}
