import type { StoredAnswers } from "../contract/stored-answers.js";
import { expressionFault } from "../jmespath/expression-fault.js";
import { createProjector } from "../jmespath/project.js";
import type { LoopTurns } from "../kit/loop-turns.js";

/** Evaluates saved expressions within the limits of a projection. */
export function storedExpressions(
  { projectionFuel: fuelUnitsMax }: { readonly projectionFuel: number },
  turns: LoopTurns,
): Pick<StoredAnswers, "refusal" | "evaluate"> {
  const project = createProjector({ limits: { fuelUnitsMax }, turns });
  return {
    refusal: expressionFault,
    async evaluate(expression, value, options) {
      const projection = await project(expression, value, options);
      return projection.ok ? { value: JSON.parse(projection.body.toString()) as unknown } : { error: projection.error };
    },
  };
}
