import type { DatasetAt, StoredAnswer, StoredRows } from "../../../../contract/stored-answers.js";
import type { WatchDefinition } from "../../records.js";
import { type Content, isLacking, type Lacking } from "./answer-content.js";
import { type AnswerPlace, datasetsAt } from "./memory.js";
import type { Moment, Watched } from "./moment.js";
import { rowsByExpression, rowsOfCondition, rowsOfList } from "./row-identity.js";

/** Computes the answer of the watched call from the generations that `standings` lists. */
export async function answerAt(
  standings: readonly DatasetAt[],
  at: number,
  watched: Watched,
): Promise<StoredAnswer | Lacking> {
  const answer = await watched.answer(standings, at);
  if (answer === undefined) return "gone";
  return "error" in answer ? { error: `The call failed: ${answer.error}` } : answer;
}

/** Recomputes an earlier answer from its inputs. */
export function answerOf({ standings, at }: AnswerPlace, watched: Watched): Promise<StoredAnswer | Lacking> {
  return answerAt(datasetsAt(standings), at, watched);
}

/** Evaluates the condition of a watch. */
export async function conditionOn(
  value: unknown,
  condition: string,
  watched: Watched,
): Promise<{ readonly value: unknown } | { readonly error: string }> {
  const evaluation = await watched.evaluate(condition, value);
  return "error" in evaluation ? { error: `The condition failed: ${evaluation.error}` } : evaluation;
}

/**
 * Computes the content of the answer from the generations that `standings` lists. Without a condition, the content may
 * be large, so it is not cached.
 */
export function contentAt(
  watch: Pick<WatchDefinition, "condition" | "identity">,
  { standings, at }: Pick<Moment, "standings" | "at">,
  watched: Watched,
): Promise<Content | Lacking> {
  const compute = async (): Promise<Content | Lacking> => {
    const answer = await answerAt(standings, at, watched);
    return isLacking(answer) ? answer : contentOf(watch, answer, watched);
  };
  const { condition, identity = "" } = watch;
  return condition === undefined ? compute() : watched.content(standings, at, `${condition}\n${identity}`, compute);
}

/** Recomputes the content of an earlier answer. */
export function contentOfPlace(
  watch: Pick<WatchDefinition, "condition" | "identity">,
  { standings, at }: AnswerPlace,
  watched: Watched,
): Promise<Content | Lacking> {
  return contentAt(watch, { standings: datasetsAt(standings), at }, watched);
}

/** Computes the content of an answer. */
export async function contentOf(
  { condition, identity }: Pick<WatchDefinition, "condition" | "identity">,
  answer: StoredAnswer,
  watched: Watched,
): Promise<Content | { readonly error: string }> {
  const declared = await answer.rows();
  if (condition === undefined) {
    const rows = declared && (await identified(declared, identity, watched));
    return rows && "error" in rows ? rows : { rows, value: answer.value };
  }
  const result = await conditionOn(answer.value, condition, watched);
  if ("error" in result) return result;
  const { value } = result;
  if (!Array.isArray(value)) return { rows: undefined, value };
  const rows =
    identity === undefined
      ? await rowsOfCondition(value, declared, watched)
      : await rowsByExpression(value, identity, watched);
  return "error" in rows ? rows : { rows, value };
}

function identified(
  declared: StoredRows,
  identity: string | undefined,
  watched: Watched,
): Promise<StoredRows | { readonly error: string }> {
  if (identity === undefined) return rowsOfList(declared, watched);
  const rows = declared.rows.map(({ row }) => row);
  return rowsByExpression(rows, identity, watched);
}
