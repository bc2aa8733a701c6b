import { Type } from "typebox";
import { ClockPace, type Steps } from "../../kit/loop-turns.js";
import type { CallAnswer } from "../caller.js";
import { type Reading, readAnswer, sourceOf } from "../reading.js";
import { adviceFor, readNamed, targetOf } from "../target.js";
import { argumentsOf, BYTES_DEFAULT, budgetMembers, callMembers, ToolFailure, tool } from "../tool.js";

/** Bytes reserved for each result: its head and the note on how it was cut. */
const RESULT_BYTES_MIN = 1_500;
/** Bytes of the batch's answer outside the results. */
const FRAME_BYTES = 100;

export const batch = tool({
  name: "batch",
  description:
    "Makes up to 20 calls; results in call order; default size 8,000 bytes or 1,500 per call if larger. `call` with cut.rest continues a cut result.",
  input: argumentsOf({
    calls: Type.Array(argumentsOf(callMembers), { minItems: 1, maxItems: 20 }),
    max_bytes: budgetMembers.max_bytes,
  }),
  isReadOnly: true,
  async run({ calls, max_bytes }, { call, catalogue, turns }) {
    const share = shareOf(calls.length, max_bytes);
    const readings = calls.map((item): Reading => {
      const entry = readNamed(catalogue, item.operation);
      return { target: targetOf(entry, item, catalogue), publishers: entry.publishers, advice: adviceFor(entry) };
    });
    // Each read is a call of its own. One call of the batch operation would return all answers as a single text, which
    // could be parsed only at once.
    const answers = await Promise.all(readings.map(({ target }) => call({ method: "GET", target })));
    const pace = new ClockPace();
    const texts = await turns.run(resultSteps(answers, readings, share, pace), pace);
    const isSimulated = answers.some(({ headers }) => headers["X-Vigil-Data"] === "simulated");
    return { text: `{${isSimulated ? '"simulated":true,' : ""}"results":[${texts.join(",")}]}` };
  },
});

/** Writes one result after another. A result may take milliseconds, because its answer is parsed to be cut. */
function* resultSteps(
  answers: readonly CallAnswer[],
  readings: readonly Reading[],
  share: number,
  pace: ClockPace,
): Steps<readonly string[]> {
  const texts: string[] = [];
  for (const [at, reading] of readings.entries()) {
    // The cast is safe, because there is one answer for each reading.
    texts.push(resultText(answers[at] as CallAnswer, reading, share));
    if (pace.isOver) yield;
  }
  return texts;
}

/** The result of one call. If no part of its answer fits, the result states the reason; other results are unaffected. */
function resultText(answer: CallAnswer, reading: Reading, share: number): string {
  try {
    return readAnswer(answer, reading, { max_bytes: share }).text;
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return JSON.stringify({ error: error.message, source: sourceOf(reading.target) });
  }
}

/** Computes how many bytes each of `count` results may have. Throws `ToolFailure` if `bytesMax` is too small. */
function shareOf(count: number, bytesMax: number | undefined): number {
  const bytesMin = RESULT_BYTES_MIN * count + FRAME_BYTES;
  const bytes = bytesMax ?? Math.max(BYTES_DEFAULT, bytesMin);
  if (bytes < bytesMin)
    throw new ToolFailure(`max_bytes must be at least ${bytesMin} for ${count} calls, got ${bytes}`);
  return Math.floor((bytes - FRAME_BYTES) / count) - 1;
}
