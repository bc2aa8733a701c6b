import type { TSchema } from "typebox";
import { visitSteps } from "../../kit/list-steps.js";
import type { ClockPace, Steps } from "../../kit/loop-turns.js";

/** A column of a table. */
export interface Column {
  readonly name: string;
  /**
   * The names of the nested members that lead to the column's value. With an empty path, the value is the row itself.
   */
  readonly path: readonly string[];
  /** True if this column omits objects that have members, because other columns show these members. */
  readonly isLeaf: boolean;
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

type Members = Readonly<Record<string, unknown>>;

/** The name of the column of rows that are not objects. */
const VALUE = "value";

/** The columns of a row schema, in the order of its members. The members of nested objects are columns of their own. */
export function columnsOf(schema: TSchema, path: readonly string[] = []): readonly Column[] {
  const { properties } = schema as Schema;
  if (properties === undefined) return [{ name: path.join("."), path, isLeaf: false }];
  return Object.entries(properties).flatMap(([name, member]) => columnsOf(member as TSchema, [...path, name]));
}

/** A member that some of the rows have, with the members below it. */
interface Branch {
  readonly name: string;
  /** Number of characters of the path, plus one for a separator. */
  readonly length: number;
  readonly below: Map<string, Branch>;
  /** True if a row has a value without members at this path. Such a value needs a column of its own. */
  isLeaf: boolean;
  /** True if a row has a value without members, other than `null`, at this path. */
  hasValue: boolean;
}

/**
 * The columns of rows without a schema, in the order of their first appearance in the rows; the columns of a nested
 * object are adjacent. A member that is an object in one row and `null` in others has only the columns of the object.
 * `onName` is called with the number of characters of each name and its separator, and throws if the total is too
 * large.
 */
export function* columnSteps(
  rows: readonly unknown[],
  pace: ClockPace,
  onName: (characters: number) => void,
): Steps<readonly Column[]> {
  const survey = columnSurvey(onName);
  yield* visitSteps(rows, pace, survey.add);
  return survey.columns();
}

/** Finds the columns of rows that arrive one by one. */
export interface ColumnSurvey {
  add(row: unknown): void;
  /** The columns of the rows so far. */
  columns(): readonly Column[];
}

/** Creates a survey that finds columns and calls `onName` by the same rules as `columnSteps`. */
export function columnSurvey(onName: (characters: number) => void): ColumnSurvey {
  const root = branch("", -1);
  return {
    add: (row) => visit(root, row, onName),
    columns: () => numbered([...columnsBelow(root, [])]),
  };
}

function branch(name: string, lengthAbove: number): Branch {
  return { name, length: lengthAbove + 1 + name.length, below: new Map(), isLeaf: false, hasValue: false };
}

function visit(at: Branch, value: unknown, onName: (characters: number) => void): void {
  const members = isMembers(value) ? Object.entries(value) : [];
  if (members.length === 0) {
    if (!at.isLeaf) onName(at.length);
    at.isLeaf = true;
    at.hasValue ||= value !== null;
  }
  for (const [name, member] of members) {
    let next = at.below.get(name);
    if (next === undefined) {
      next = branch(name, at.length);
      at.below.set(name, next);
    }
    visit(next, member, onName);
  }
}

function* columnsBelow({ isLeaf, hasValue, below }: Branch, path: readonly string[]): Generator<Column> {
  const isColumn = isLeaf && (hasValue || below.size === 0);
  if (isColumn) yield { name: path.length === 0 ? VALUE : path.join("."), path, isLeaf: true };
  for (const next of below.values()) yield* columnsBelow(next, [...path, next.name]);
}

/** Makes names unique: the second column with the same name becomes `<name>#2`, and so on. */
function numbered(columns: readonly Column[]): readonly Column[] {
  const counts = new Map<string, number>();
  return columns.map((column) => {
    const count = (counts.get(column.name) ?? 0) + 1;
    counts.set(column.name, count);
    return count === 1 ? column : { ...column, name: `${column.name}#${count}` };
  });
}

/** The value of a row in a column; undefined if the row has none there. */
export function valueIn(row: unknown, { path, isLeaf }: Column): unknown {
  let value = row;
  for (const name of path) {
    if (!isMembers(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return isLeaf && isMembers(value) && Object.keys(value).length > 0 ? undefined : value;
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
