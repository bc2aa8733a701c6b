import type { StoredAnswer } from "../../../../contract/stored-answers.js";
import { visitSteps } from "../../../../kit/list-steps.js";
import { ClockPace, type LoopTurns } from "../../../../kit/loop-turns.js";
import { rowsById } from "./known-rows.js";

/**
 * Returns the body of an answer, completed with the rows that only an earlier, complete answer has; undefined if either
 * answer has no list.
 */
export async function withMissingRows(
  answer: StoredAnswer,
  complete: StoredAnswer,
  turns: LoopTurns,
): Promise<unknown> {
  const [list, earlier] = await Promise.all([answer.rows(), complete.rows()]);
  if (!list || !earlier) return undefined;
  const present = await rowsById(list, turns);
  const rows = list.rows.map(({ row }) => row);
  const pace = new ClockPace();
  const steps = visitSteps(earlier.rows, pace, ({ id, row }) => {
    if (!present.has(id)) rows.push(row);
  });
  await turns.run(steps, pace);
  return rows.length === list.rows.length ? answer.value : answer.withRows(rows);
}
