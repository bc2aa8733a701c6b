import { createHash } from "node:crypto";
import type { StoredRows } from "../../../../contract/stored-answers.js";
import { visitSteps } from "../../../../kit/list-steps.js";
import { ClockPace, type Steps } from "../../../../kit/loop-turns.js";
import { IDENTITY_CHARACTERS_MAX, IDENTITY_ROWS_AT_ONCE, IDENTITY_UNITS_MAX } from "../limits.js";
import { declaredIds } from "./declared-ids.js";
import type { Watched } from "./moment.js";

type Identified = StoredRows | { readonly error: string };

/** Identifies each row by the value of an expression on it. */
export async function rowsByExpression(
  rows: readonly unknown[],
  identity: string,
  watched: Watched,
): Promise<Identified> {
  const identities: unknown[] = [];
  let units = 0;
  const onWork = (added: number): void => {
    units += added;
  };
  for (let from = 0; from < rows.length; from += IDENTITY_ROWS_AT_ONCE) {
    const some = rows.slice(from, from + IDENTITY_ROWS_AT_ONCE);
    // The identity is a valid expression, so its parentheses are balanced and cannot close those of `map`.
    const evaluation = await watched.evaluate(`map(&(${identity}), @)`, some, { onWork });
    if ("error" in evaluation) return { error: `The identity failed: ${evaluation.error}` };
    // `map` yields an item for each row. The items are added in a loop, because `push` accepts only a limited number of
    // arguments.
    for (const value of evaluation.value as readonly unknown[]) identities.push(value);
    if (units > IDENTITY_UNITS_MAX) return { error: "The identity takes too much work for a list of this length" };
  }
  const pace = new ClockPace();
  return watched.turns.run(
    numberedSteps(rows, (index) => identityText(identities[index] ?? rows[index]), pace),
    pace,
  );
}

/**
 * Identifies the rows that a condition yields: a row of the answer's list keeps its identity in that list, and a row
 * that the condition has changed is identified by its whole content.
 */
export async function rowsOfCondition(
  rows: readonly unknown[],
  declared: StoredRows | undefined,
  { turns }: Watched,
): Promise<StoredRows> {
  const idOf = declared && rows.length > 0 ? await declaredIds(declared, turns) : () => undefined;
  const pace = new ClockPace();
  return turns.run(
    numberedSteps(rows, (index) => identityText(idOf(rows[index]) ?? rows[index]), pace),
    pace,
  );
}

/** Returns the rows of a list with the identities that its operation declares; long identities are shortened. */
export async function rowsOfList(declared: StoredRows, { turns }: Watched): Promise<StoredRows> {
  const cached = shortIds.get(declared);
  if (cached) return cached;
  const { rows, collisions } = declared;
  const isLong = ({ id }: { readonly id: string }): boolean => id.length > IDENTITY_CHARACTERS_MAX;
  let list = declared;
  if (rows.some(isLong)) {
    const pace = new ClockPace();
    const shortened: { readonly id: string; readonly row: unknown }[] = [];
    const steps = visitSteps(rows, pace, ({ id, row }) => shortened.push({ id: shortId(id), row }));
    await turns.run(steps, pace);
    list = { rows: shortened, collisions };
  }
  shortIds.set(declared, list);
  return list;
}

/** The results of `rowsOfList`, which are cached because several watches compare the same list. */
const shortIds = new WeakMap<StoredRows, StoredRows>();

function* numberedSteps(rows: readonly unknown[], idAt: (index: number) => string, pace: ClockPace): Steps<StoredRows> {
  const counts = new Map<string, number>();
  const numbered: { readonly id: string; readonly row: unknown }[] = [];
  let collisions = 0;
  yield* visitSteps(rows, pace, (row) => {
    const id = idAt(numbered.length);
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    if (count > 1) collisions += 1;
    numbered.push({ id: count === 1 ? id : `${id}#${count}`, row });
  });
  return { rows: numbered, collisions };
}

function identityText(value: unknown): string {
  return shortId(typeof value === "string" ? value : JSON.stringify(value));
}

/** Returns the identity itself, or the start of a long identity followed by a hash of the whole. */
function shortId(id: string): string {
  if (id.length <= IDENTITY_CHARACTERS_MAX) return id;
  const hash = createHash("sha256").update(id).digest("hex").slice(0, HASH_CHARACTERS);
  return `${id.slice(0, IDENTITY_CHARACTERS_MAX - HASH_CHARACTERS - 1)}~${hash}`;
}

const HASH_CHARACTERS = 32;
