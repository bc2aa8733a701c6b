import type { StoredAnswer } from "../../../../contract/stored-answers.js";
import type { WatchDefinition } from "../../records.js";
import { boundedValues } from "../firing/bounded-value.js";
import { generationsOf } from "../firing/generations.js";
import type { FiringContent } from "../firing/new-firing.js";
import { isLacking } from "./answer-content.js";
import { answerAt, answerOf, conditionOn } from "./content.js";
import { type AnswerPlace, lastAnswer, standingsOf } from "./memory.js";
import { withMissingRows } from "./missing-rows.js";
import { evaluated, failed, GONE, type MemoryChanges, type Outcome, type Situation, WAITS } from "./outcome.js";
import { isBeyond } from "./threshold.js";
import { kindOf } from "./value-kind.js";

/** The result of reading a condition; `holds` is undefined if the value is inconclusive. */
type Reading = { readonly holds: boolean | undefined } | { readonly error: string };

/**
 * Fires when the condition becomes true or its number crosses the threshold. Resolves when the condition no longer
 * holds.
 */
export async function evaluateCondition(situation: Situation): Promise<Outcome> {
  const { memory, moment, state, watched } = situation;
  // A degraded answer can show only one thing for certain: that a condition last reported as false has become true.
  if (state !== "ok" && memory.told !== false) return WAITS;
  const answer = await answerAt(moment.standings, moment.at, watched);
  if (isLacking(answer)) return answer === "gone" ? GONE : failed(answer.error);
  const result = await readOn(answer.value, situation);
  if ("error" in result) return failed(result.error);
  const { holds, value } = result;
  if (holds === undefined) return evaluated({});
  const here: AnswerPlace = { standings: standingsOf(moment.standings), at: moment.at };
  if (state !== "ok") {
    const isCertain = holds && (await holdsWithMissingRows(answer, situation));
    return isCertain ? await reportOf(situation, { told: true, partialBaselines: [here] }, value) : evaluated({});
  }
  const memoryChanges = { told: holds, baseline: here, partialBaselines: [] };
  return memory.told === null || memory.told === holds
    ? evaluated(memoryChanges)
    : await reportOf(situation, memoryChanges, value);
}

async function reportOf(situation: Situation, memoryChanges: MemoryChanges, after: unknown): Promise<Outcome> {
  const earlier = lastAnswer(situation.memory);
  const content: FiringContent = {
    kind: memoryChanges.told === true ? "WATCH_FIRING_KIND_FIRED" : "WATCH_FIRING_KIND_RESOLVED",
    ...(earlier && { previousGenerations: generationsOf(earlier) }),
    ...boundedValues(await valueBefore(situation), after),
  };
  return evaluated(memoryChanges, [content]);
}

/** Returns the value of the condition on the previous answer; undefined if that answer's generations are gone. */
async function valueBefore({ watch, memory, watched }: Situation): Promise<unknown> {
  const earlier = lastAnswer(memory);
  const answer = earlier ? await answerOf(earlier, watched) : "gone";
  if (isLacking(answer)) return undefined;
  const result = await conditionOn(answer.value, conditionOf(watch), watched);
  return "error" in result ? undefined : result.value;
}

/** True if the condition also holds with the rows that a degraded answer may have lost. */
async function holdsWithMissingRows(answer: StoredAnswer, situation: Situation): Promise<boolean> {
  const { memory, watched } = situation;
  const complete = memory.baseline ? await answerOf(memory.baseline, watched) : "gone";
  if (isLacking(complete)) return false;
  const value = await withMissingRows(answer, complete, watched.turns);
  if (value === undefined) return false;
  const result = await readOn(value, situation);
  return "holds" in result && result.holds === true;
}

async function readOn(
  body: unknown,
  { watch, memory, watched }: Situation,
): Promise<{ readonly holds: boolean | undefined; readonly value: unknown } | { readonly error: string }> {
  const result = await conditionOn(body, conditionOf(watch), watched);
  if ("error" in result) return result;
  const { value } = result;
  const reading = readingOf(value, watch, memory.told === true);
  return "error" in reading ? reading : { holds: reading.holds, value };
}

function readingOf(value: unknown, { threshold }: WatchDefinition, held: boolean): Reading {
  if (threshold === undefined) return { holds: isTruthy(value) };
  if (value === null) return { holds: undefined };
  if (typeof value !== "number") return { error: `The condition must yield a number, but yields ${kindOf(value)}` };
  return { holds: isBeyond(value, threshold, held) };
}

/** Truthiness as JMESPath defines it. */
function isTruthy(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

function conditionOf({ condition }: WatchDefinition): string {
  if (condition === undefined) throw new Error("the definition has no condition");
  return condition;
}
