import type { Principal } from "../../../contract/access/principal.js";
import { failure } from "../../../contract/failures.js";
import type { StoredAnswers, StoredQuestion } from "../../../contract/stored-answers.js";
import type { WatchDefinition } from "../records.js";
import { definitionViolations } from "./definition.js";

export interface CheckedDefinition {
  /** The definition, with its call in canonical form. */
  readonly definition: WatchDefinition;
  readonly question: StoredQuestion;
}

/**
 * Checks a caller's definition, including its call and its expressions. Throws a 400 that names the violations, or the
 * 403 that the caller would get for the call.
 */
export function checkedDefinition(
  definition: WatchDefinition,
  answers: Pick<StoredAnswers, "ask" | "refusal">,
  principal: Principal,
): CheckedDefinition {
  const question = answers.ask(definition.call, principal);
  const { on, condition, identity } = definition;
  const expressions = [
    ["condition", condition],
    ["identity", identity],
  ] as const;
  const needsRows = on === "WATCH_ON_NEW_ROWS" && condition === undefined && !question.isList;
  const violations = [
    ...definitionViolations(definition),
    ...expressions.flatMap(([field, expression]) => {
      const description = expression === undefined ? undefined : answers.refusal(expression);
      return description === undefined ? [] : [{ field, description }];
    }),
    ...(needsRows
      ? [
          {
            field: "condition",
            description:
              "is required, because the call's answer has no list of rows; the condition must yield an array",
          },
        ]
      : []),
  ];
  if (violations.length > 0) throw failure("validation", { violations });
  return { definition: { ...definition, call: question.call }, question };
}
