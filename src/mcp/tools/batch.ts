import { Type } from "typebox";
import { BATCH_PATH } from "../catalogue.js";
import { delivered } from "../delivered.js";
import { headOf, refused } from "../reading.js";
import { adviceFor, readNamed, targetOf } from "../target.js";
import { argumentsOf, BYTES_DEFAULT, budgetMembers, callMembers, ToolFailure, tool } from "../tool.js";

/** One result of the batch operation. */
interface Result {
  readonly status: number;
  readonly state?: string;
  readonly generation?: string;
  readonly notice?: string;
  readonly body?: unknown;
  readonly error: string;
}

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
  async run({ calls, max_bytes }, { call, catalogue }) {
    const share = shareOf(calls.length, max_bytes);
    const entries = calls.map((item) => readNamed(catalogue, item.operation));
    const targets = entries.map((entry, at) => targetOf(entry, calls[at] ?? { operation: "" }, catalogue));
    const body = JSON.stringify({ operations: targets.map((path) => ({ path })) });
    const answer = await call({ method: "POST", target: BATCH_PATH, body });
    if (answer.status >= 400) return refused(answer, BATCH_PATH);
    // The cast is safe, because the response of the operation has this type.
    const { results } = JSON.parse(answer.text) as { readonly results: readonly Result[] };
    const texts = results.map(({ status, state, generation, notice, body: content, error }, at) => {
      const [entry, target = ""] = [entries[at], targets[at]];
      if (error !== "" || status >= 400) {
        return refused({ status, headers: {}, text: JSON.stringify(content ?? error) }, target).text;
      }
      const headers = {
        ...(state !== undefined && { "X-Vigil-State": state }),
        ...(generation !== undefined && { "X-Vigil-Generation": generation }),
        ...(notice !== undefined && { "X-Vigil-Notice": notice }),
      };
      const head = headOf({ status, headers, text: "" }, target, entry?.publishers);
      const advice = entry ? adviceFor(entry) : "";
      return delivered({ question: target, head, text: JSON.stringify(content), advice }, { max_bytes: share }).text;
    });
    const label = answer.headers["X-Vigil-Data"] === "simulated" ? '"simulated":true,' : "";
    return { text: `{${label}"results":[${texts.join(",")}]}` };
  },
});

/** Computes how many bytes each of `count` results may have. Throws `ToolFailure` if `bytesMax` is too small. */
function shareOf(count: number, bytesMax: number | undefined): number {
  const bytesMin = RESULT_BYTES_MIN * count + FRAME_BYTES;
  const bytes = bytesMax ?? Math.max(BYTES_DEFAULT, bytesMin);
  if (bytes < bytesMin)
    throw new ToolFailure(`max_bytes must be at least ${bytesMin} for ${count} calls, got ${bytes}`);
  return Math.floor((bytes - FRAME_BYTES) / count) - 1;
}
