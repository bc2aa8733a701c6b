import { failure } from "./contract/failures.js";
import type { Project } from "./http/data-answer.js";
import { originalKeys } from "./jmespath/original-keys.js";
import { createProjector } from "./jmespath/project.js";
import { ProjectionSlots, ProjectionSlotsFull } from "./jmespath/projection-slots.js";
import type { LoopTurns } from "./kit/loop-turns.js";

/** Further projections of one caller that wait for their turn: enough for a batch, whose items arrive at once. */
const WAITING_MAX = 40;

/** What an expression makes of a JSON value, or the sentence that a caller would be answered with. */
export async function readProjection(
  root: unknown,
  expression: string,
  { projectionFuel: fuelUnitsMax }: { readonly projectionFuel: number },
): Promise<{ readonly body: string } | { readonly error: string }> {
  const projection = await createProjector({ limits: { fuelUnitsMax } })(expression, root);
  return projection.ok ? { body: projection.body.toString() } : { error: projection.error };
}

/** Projections as the pipeline asks for them, bounded in work and in how many run at once for one caller. */
export function projector(
  limits: { readonly fuelMax: number; readonly perCallerMax: number },
  turns: LoopTurns,
): Project {
  const project = createProjector({ limits: { fuelUnitsMax: limits.fuelMax }, turns });
  const slots = new ProjectionSlots({ runningMax: limits.perCallerMax, waitingMax: WAITING_MAX });
  return async (expression, root, caller, signal) => {
    try {
      const projection = await slots.run(caller, () => {
        signal.throwIfAborted();
        return project(expression, root, signal);
      });
      return projection.ok ? projection : { error: projection.error, originalKeys: originalKeys(root) };
    } catch (error) {
      if (error instanceof ProjectionSlotsFull)
        throw failure("tooManyRequests", { headers: { "Retry-After": "1" } }, error);
      throw error;
    }
  };
}
