import { Type } from "typebox";
import type { CallAnswer } from "../caller.js";
import { delivered } from "../delivered.js";
import { differencesOf } from "../differences.js";
import { headOf, refused } from "../reading.js";
import { adviceFor, readNamed, targetOf } from "../target.js";
import { argumentsOf, budgetMembers, callMembers, ToolFailure, tool } from "../tool.js";

const instant = (description: string) => Type.String({ maxLength: 40, description });

/** Maximum size of both answers in total. Parsing and comparing larger answers would block the event loop. */
const BYTES_MAX = 1_000_000;

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
  async run({ from, to, ...input }, { call, catalogue }) {
    const entry = readNamed(catalogue, input.operation);
    const targets = [from, to].map((as_of) =>
      targetOf(entry, { ...input, params: { ...input.params, ...(as_of !== undefined && { as_of }) } }, catalogue),
    );
    const [before, after] = await Promise.all(targets.map((target) => call({ method: "GET", target })));
    const [question = "", newer = ""] = targets;
    if (!before || !after) throw new ToolFailure("an instant is missing");
    if (before.status >= 400) return refused(before, question);
    if (after.status >= 400) return refused(after, newer);
    const bytes = Buffer.byteLength(before.text) + Buffer.byteLength(after.text);
    const advice = adviceFor(entry);
    if (bytes > BYTES_MAX)
      throw new ToolFailure(`the answers have ${bytes} bytes in total; at most ${BYTES_MAX} are compared; ${advice}`);
    const head = { ...headOf(after, newer, entry.publishers), from: standing(before), to: standing(after) };
    return delivered(
      { question: `${question} ${newer}`, head, text: JSON.stringify(compared(before, after)), advice },
      input,
    );
  },
});

function standing({ headers }: CallAnswer): object {
  return { state: headers["X-Vigil-State"] ?? "live", generation: headers["X-Vigil-Generation"] ?? null };
}

/** Compares two answers. An outage is not a difference, so nothing is compared if either instant has no data. */
function compared(before: CallAnswer, after: CallAnswer): object {
  const isWithout = ({ headers }: CallAnswer): boolean =>
    ["absent", "unreadable"].includes(headers["X-Vigil-State"] ?? "");
  if (isWithout(before) || isWithout(after)) {
    return {
      differences: null,
      reason: `there was no data at ${isWithout(before) ? "the first" : "the second"} instant`,
    };
  }
  const differences = differencesOf(JSON.parse(before.text), JSON.parse(after.text));
  return { differenceCount: differences.length, differences };
}
