import { type TSchema, Type } from "typebox";
import { type ListDelta, RowChange } from "../../contract/list-delta.js";
import type { AnyOperation } from "../../contract/operation.js";
import { type AnyRowList, identityIn, rowsIn } from "../../contract/row-list.js";
import { rowSchemaOf } from "../../contract/row-schema.js";
import { visitSteps } from "../../kit/list-steps.js";
import type { ClockPace, Steps } from "../../kit/loop-turns.js";

/**
 * Creates the rows of an answer for row formats, such as CSV. A row of a grouped list also has the member `group`, the
 * name of its group. With `since_generation`, the member `delta` contains the change of the row; a removed row has only
 * `delta`.
 */
export function* servedRowSteps(list: AnyRowList, answer: unknown, pace: ClockPace): Steps<readonly unknown[]> {
  const rows = rowsIn(list, answer);
  const own = "groups" in list ? (rows as readonly RowOfGroup[]).map(({ group, row }) => ({ group, ...row })) : rows;
  const { delta } = answer as { readonly delta?: ListDelta };
  if (delta === undefined) return own;
  const changed: unknown[] = [];
  // The changes of the rows in the answer come first, in the order of those rows; the changes of removed rows follow.
  yield* visitSteps(delta.changes, pace, (change) => {
    changed.push({ delta: change, ...(own[changed.length] as object) });
  });
  return changed;
}

interface RowOfGroup {
  readonly group: string;
  readonly row: object;
}

/** The rows of an answer as they are in its list; rows of a grouped list come without their groups. */
export function listedRows(list: AnyRowList, answer: unknown): readonly unknown[] {
  const rows = rowsIn(list, answer);
  return "groups" in list ? (rows as readonly RowOfGroup[]).map(({ row }) => row) : rows;
}

/** Returns a function that finds the identity of a row by its index in the rows of `servedRowSteps`. */
export function servedIdAt(list: AnyRowList, answer: unknown): (index: number) => string | undefined {
  const { delta } = answer as { readonly delta?: ListDelta };
  if (delta) return (index) => delta.changes[index]?.id;
  const rows = rowsIn(list, answer);
  return (index) => identityIn(list, rows[index]);
}

/** The schema of the rows of `servedRowSteps`. */
export function servedRowSchema(operation: AnyOperation, list: AnyRowList, hasChanges: boolean): TSchema {
  const { properties } = rowSchemaOf(operation, list) as TSchema & { properties: Readonly<Record<string, TSchema>> };
  return Type.Object({
    ...(hasChanges && { delta: RowChange }),
    ...("groups" in list && { group: Type.String() }),
    ...properties,
  });
}
