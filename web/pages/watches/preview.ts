import { useEffect, useState } from "preact/hooks";
import { type CallName, ProjectionError, ValidationError } from "../../../src/sdk/index.js";
import { failureText, readFailureText } from "../../reads/failure-text.js";
import { type Read, useRead } from "../../reads/read.js";
import { comparesRows, type Draft, paramsIn, rowsOf, valueTrouble } from "./draft.js";

/** The service's feedback on a draft as it is edited: the current values and the problems of the draft. */
export interface Preview {
  /**
   * The current value of the condition, as text. Without a condition, and for a trigger that ignores the condition: the
   * number of rows or, if the answer has no list, the names of its members.
   */
  readonly value: string | undefined;
  readonly callTrouble: string | undefined;
  readonly conditionTrouble: string | undefined;
  readonly identityTrouble: string | undefined;
}

const TYPING_MS = 400;
const TEXT_MAX = 400;

/** Asks the service for the values of a draft through projections, so that the service's own rules apply. */
export function usePreview(draft: Draft, isKnown: boolean): Preview {
  const settled = useSettled(draft);
  const { operation, on, condition, identity } = settled;
  const params = paramsIn(settled.params);
  const member = rowsOf(operation);
  const isAsked = isKnown && params !== undefined;
  const whole = condition.trim() === "" || on === "WATCH_ON_STATE_CHANGES";
  const count = member === undefined ? "keys(@)" : `join(' ', [to_string(length(${member})), 'rows'])`;
  const operand = whole ? count : condition;
  const read = useProjection(operation, params, operand, isAsked);
  const hasIdentity = identity.trim() !== "" && comparesRows(on);
  const rows = condition.trim() === "" ? (member ?? "@") : `(${condition})`;
  const failed = read.kind === "failed" ? read.failure : undefined;
  const identities = useProjection(
    operation,
    params,
    `${rows} | [*].[${identity}]`,
    isAsked && hasIdentity && failed === undefined,
  );
  const value = read.kind === "ready" ? read.answer.data : undefined;
  return {
    value: read.kind === "ready" ? valueText(value) : undefined,
    callTrouble:
      failed !== undefined && !(failed instanceof ProjectionError) ? readFailureText(failed, read) : undefined,
    conditionTrouble:
      failed instanceof ProjectionError
        ? failureText(failed)
        : read.kind === "ready" && !whole
          ? valueTrouble(on, value)
          : undefined,
    identityTrouble: hasIdentity ? identityTrouble(identities) : undefined,
  };
}

/** Reads a projection of a call that is known to exist. The type of a projected answer is always unknown. */
function useProjection(
  operation: string,
  params: Readonly<Record<string, unknown>> | undefined,
  jmespath: string,
  isWanted: boolean,
): Read<unknown> {
  const sent = { ...params, jmespath } as object;
  return useRead(operation as CallName, sent, { hasPast: false, isWanted });
}

function identityTrouble(read: Read<unknown>): string | undefined {
  if (read.kind === "failed") {
    return read.failure instanceof ProjectionError || read.failure instanceof ValidationError
      ? failureText(read.failure)
      : undefined;
  }
  if (read.kind !== "ready" || !Array.isArray(read.answer.data)) return undefined;
  const all = read.answer.data.map((entry) => JSON.stringify(entry));
  const shared = all.length - new Set(all).size;
  return shared === 0 ? undefined : `Rows that repeat the identity of an earlier row: ${shared} of ${all.length}.`;
}

function valueText(value: unknown): string {
  const count = Array.isArray(value) ? `${value.length} entries: ` : "";
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
  return count + (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text);
}

/** Delays a value: returns the last value that has stayed the same for `TYPING_MS`. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
