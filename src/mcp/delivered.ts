import { createHash } from "node:crypto";
import { type Place, partOf } from "./cut.js";
import { BYTES_DEFAULT, ToolFailure, type ToolResult } from "./tool.js";

/** The arguments of a tool that determine which part of the answer the tool delivers. */
export interface Budget {
  readonly max_bytes?: number;
  readonly rest?: string;
}

export interface Delivery {
  /** The call, as text. `cut.rest` is bound to this call and to the content of the answer. */
  readonly question: string;
  /** State, generation and source of the answer. */
  readonly head: object;
  /** JSON of the answer. */
  readonly text: string;
  /** Advice on how to request less, shown with a cut answer. */
  readonly advice: string;
  /** True if the same call cannot be repeated to get the rest. */
  readonly isOnce?: true;
}

/** Advice for an answer of which the caller cannot request less. */
export const LARGER_BUDGET = "set a larger max_bytes";

/** Bytes reserved for `cut` without its advice, and for the names of members. */
const CUT_BYTES = 300;

/**
 * Writes the head and the answer as JSON within the budget. If the answer is cut, the JSON also states how to read the
 * rest.
 */
export function delivered({ question, head, text, advice, isOnce }: Delivery, budget: Budget): ToolResult {
  const bytesMax = budget.max_bytes ?? BYTES_DEFAULT;
  const tag = createHash("sha256").update(`${question}\n${text}`).digest("base64url").slice(0, 16);
  const from = budget.rest === undefined ? undefined : placeIn(budget.rest, tag);
  const headText = JSON.stringify(head).slice(0, -1);
  const room = bytesMax - Buffer.byteLength(headText);
  const isWhole = from === undefined && Buffer.byteLength(text) <= room - MEMBER_BYTES;
  const part = partOf(text, isWhole ? room : room - CUT_BYTES - Buffer.byteLength(advice), from);
  // The call of a write cannot be repeated, so the head is delivered even if no part of the answer fits.
  if (!part && isOnce) return { text: `${headText},"cut":${JSON.stringify({ advice })},"answer":null}` };
  if (!part)
    throw new ToolFailure(
      `max_bytes is too small for any part of the answer; ${LARGER_BUDGET}${advice === LARGER_BUDGET ? "" : `, or ${advice}`}`,
    );
  const { json, cut, next } = part;
  if (!cut) return { text: `${headText},"answer":${json}}` };
  const rest = isOnce ? { advice } : next && { rest: restOf(tag, next), advice };
  return { text: `${headText},"cut":${JSON.stringify({ ...cut, ...rest })},"answer":${json}}` };
}

/** The bytes of `,"answer":` and the closing brace. */
const MEMBER_BYTES = 11;

/** Writes `cut.rest`, which consists of a digest of the call and its answer, and of a position in the answer. */
function restOf(tag: string, { row, character }: Place): string {
  return [tag, ...(row === undefined ? [] : [`r${row}`]), ...(character === undefined ? [] : [`c${character}`])].join(
    ".",
  );
}

/** Parses `cut.rest`. It is valid only for the same call with the same answer. */
function placeIn(rest: string, tag: string): Place {
  const [, of, row, character] = /^([\w-]{16})(?:\.r(\d{1,9}))?(?:\.c(\d{1,9}))?$/.exec(rest) ?? [];
  if (of === undefined || (row === undefined && character === undefined)) {
    throw new ToolFailure("rest must be `cut.rest` of the previous answer");
  }
  if (of !== tag) {
    throw new ToolFailure(
      "rest belongs to another call, or the answer has changed since; call again without rest (with as_of in params, the answer stays the same)",
    );
  }
  return {
    ...(row !== undefined && { row: Number(row) }),
    ...(character !== undefined && { character: Number(character) }),
  };
}
