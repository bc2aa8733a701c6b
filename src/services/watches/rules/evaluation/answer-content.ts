import type { StoredRows } from "../../../../contract/stored-answers.js";

/** The compared part of an answer: rows, or a value if there are no rows. */
export interface Content {
  readonly rows: StoredRows | undefined;
  /** The result of the condition, or the whole answer. */
  readonly value: unknown;
}

/**
 * The reason why there is nothing to compare: an error of the call or of an expression, or `gone` if a generation is no
 * longer kept.
 */
export type Lacking = { readonly error: string } | "gone";

export function isLacking<T extends object>(result: T | Lacking): result is Lacking {
  return result === "gone" || "error" in result;
}
