import type { TSchema } from "typebox";
import { Explanation, lacksExplanation } from "./explanation.js";
import { ListDelta } from "./list-delta.js";
import type { AnyOperation } from "./operation.js";
import { lacksChanges } from "./since-generation.js";

interface ObjectSchema {
  readonly properties: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
}

/** The schema of an operation's answers, with the members that `explain` and `since_generation` add. */
export function answerSchema(operation: AnyOperation): TSchema {
  const added = {
    ...(lacksExplanation(operation) === undefined && { explain: Explanation }),
    ...(lacksChanges(operation) === undefined && { delta: ListDelta }),
  };
  if (Object.keys(added).length === 0) return operation.response;
  // The cast is safe, because only operations whose response is an object can have these members.
  const { properties, required = [], ...about } = operation.response as TSchema & ObjectSchema;
  return { ...about, type: "object", required, properties: { ...properties, ...added } } as TSchema;
}
