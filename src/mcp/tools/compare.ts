import { Type } from "typebox";
import { ClockPace, type LoopTurns, type Steps } from "../../kit/loop-turns.js";
import type { CallAnswer } from "../caller.js";
import { delivered } from "../delivered.js";
import { type Difference, differenceSteps } from "../differences.js";
import { headOf, isJson, refused } from "../reading.js";
import { adviceFor, readNamed, targetOf } from "../target.js";
import { argumentsOf, budgetMembers, callMembers, ToolFailure, tool } from "../tool.js";

const instant = (description: string) => Type.String({ maxLength: 40, description });

/** Maximum size of both answers in total. Parsing and comparing larger answers would block the event loop. */
const BYTES_MAX = 1_000_000;
/**
 * Maximum length of all differences. Each difference repeats the path of its list, so the differences can be many times
 * as long as the answers.
 */
const DIFFERENCE_CHARACTERS_MAX = 4_000_000;

export const compare = tool({
  name: "compare",
  description:
    "Lists the differences between the answers of an operation at two instants (ISO 8601). jmespath narrows what is compared. Counts as two calls.",
  input: argumentsOf({
    ...callMembers,
    from: instant("earlier instant"),
    to: Type.Optional(instant("default now")),
    ...budgetMembers,
  }),
  isReadOnly: true,
  async run({ from, to, ...input }, { call, catalogue, turns }) {
    const entry = readNamed(catalogue, input.operation);
    const targets = [from, to].map((as_of) =>
      targetOf(entry, { ...input, params: { ...input.params, ...(as_of !== undefined && { as_of }) } }, catalogue),
    );
    const [before, after] = await Promise.all(targets.map((target) => call({ method: "GET", target })));
    const [question = "", newer = ""] = targets;
    if (!before || !after) throw new ToolFailure("an instant is missing");
    if (before.status >= 400) return refused(before, question);
    if (after.status >= 400) return refused(after, newer);
    if (!isJson(before) || !isJson(after)) throw new ToolFailure("params.format must be json, which is the default");
    const bytes = Buffer.byteLength(before.text) + Buffer.byteLength(after.text);
    const advice = adviceFor(entry);
    if (bytes > BYTES_MAX)
      throw new ToolFailure(`the answers have ${bytes} bytes in total; at most ${BYTES_MAX} are compared; ${advice}`);
    const head = { ...headOf(after, newer, entry.publishers), from: standing(before), to: standing(after) };
    const text = await compared(before, after, advice, turns);
    return delivered({ question: `${question} ${newer}`, head, text, advice }, input);
  },
});

function standing({ headers }: CallAnswer): object {
  return { state: headers["X-Vigil-State"] ?? "live", generation: headers["X-Vigil-Generation"] ?? null };
}

/**
 * Compares two answers, and returns JSON. An outage is not a difference, so nothing is compared if either instant has
 * no data.
 */
async function compared(before: CallAnswer, after: CallAnswer, advice: string, turns: LoopTurns): Promise<string> {
  const isWithout = ({ headers }: CallAnswer): boolean =>
    ["absent", "unreadable"].includes(headers["X-Vigil-State"] ?? "");
  if (isWithout(before) || isWithout(after)) {
    const instant = isWithout(before) ? "the first" : "the second";
    return JSON.stringify({ differences: null, reason: `there was no data at ${instant} instant` });
  }
  const pace = new ClockPace();
  const texts = await turns.run(differenceTexts(before.text, after.text, advice, pace), pace);
  return `{"differenceCount":${texts.length},"differences":[${texts.join(",")}]}`;
}

/** Parses and compares two answers, and writes each difference as JSON. */
function* differenceTexts(from: string, to: string, advice: string, pace: ClockPace): Steps<readonly string[]> {
  const older: unknown = JSON.parse(from);
  if (pace.isOver) yield;
  const newer: unknown = JSON.parse(to);
  if (pace.isOver) yield;
  const texts: string[] = [];
  let characters = 0;
  const add = (difference: Difference): void => {
    const text = JSON.stringify(difference);
    characters += text.length;
    if (characters > DIFFERENCE_CHARACTERS_MAX) {
      throw new ToolFailure(
        `the differences have more than ${DIFFERENCE_CHARACTERS_MAX} characters in total; ${advice}`,
      );
    }
    texts.push(text);
  };
  yield* differenceSteps({ path: "", from: older, to: newer }, { pace, add });
  return texts;
}
