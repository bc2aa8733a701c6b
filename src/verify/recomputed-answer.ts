import { Failure } from "../contract/failures.js";
import type { RegisteredOperation } from "../contract/operation.js";
import { countingTally, silentTally } from "../contract/row-tally.js";
import type { ReadSetting } from "../contract/setting.js";
import type { Snapshot } from "../contract/snapshot.js";
import { type Question, questionOf } from "../http/data-answer/question.js";
import { type Cursors, paginator } from "../http/paging.js";
import { type ReadQuery, readQuery } from "../http/query.js";
import { publishedSnapshot } from "../snapshots/registry.js";
import { type AnswerCheck, Skipped, type Stored } from "./check.js";
import type { Recomputation } from "./check-tally.js";
import type { HeldGeneration, OtherGenerations } from "./held-generations.js";

/** An answer to check. */
export interface CheckedAnswer {
  readonly operation: RegisteredOperation;
  readonly check: AnswerCheck;
  readonly held: HeldGeneration;
  /** The query string. */
  readonly query: string;
}

/**
 * Runs an operation on a generation, and recomputes the values of its answer. For the other datasets of the operation,
 * uses the generations that were the newest when the checked generation was built.
 */
export async function recomputedAnswer(
  settingOf: ReadSetting,
  others: OtherGenerations,
  { operation, check, held, query: search }: CheckedAnswer,
): Promise<Recomputation> {
  const now = held.generation.builtAt;
  const query = queryOf(operation, search, now);
  if (query instanceof Skipped) return query;
  const question = questionOf(noCursors, operation, query);
  const rows = new Map<string, Stored>();
  const snapshots: Record<string, Snapshot<unknown>> = {};
  for (const [name, dataset] of question.reads) {
    const generation = dataset === held.dataset ? held : await others.at(dataset, now);
    if (!generation) return new Skipped(`${dataset.name} was not stored yet`);
    const loaded = await generation.loaded();
    if (loaded.pending !== undefined) return new Skipped(`${dataset.name} was not served yet: ${loaded.pending}`);
    snapshots[name] = publishedSnapshot(loaded, "ok");
    rows.set(dataset.name, generation.stored);
  }
  const served = servedAnswer(question, snapshots, settingOf, now);
  const from = (name: string): Stored => {
    const stored = rows.get(name);
    if (!stored) throw new Error(`${check.operation} does not read ${name}`);
    return stored;
  };
  return { expected: check.recompute({ query: new URLSearchParams(search), now, from, served }), served };
}

/**
 * Parses a query. Returns `Skipped` if the operation refuses the query: queries are built from names in rows, and some
 * of these names are not valid in queries.
 */
function queryOf({ operation }: RegisteredOperation, search: string, now: number): ReadQuery | Skipped {
  try {
    return readQuery(operation, search, now);
  } catch (error) {
    if (error instanceof Failure && error.failure === "validation") return new Skipped("the operation refuses a query");
    throw error;
  }
}

/** The answer after a round trip through JSON. */
function servedAnswer(
  { registered, query }: Question,
  snapshots: Readonly<Record<string, Snapshot<unknown>>>,
  settingOf: ReadSetting,
  now: number,
): unknown {
  const paginate = paginator(noCursors, registered, query, { generations: [], offset: 0 });
  const tally = query.explained ? countingTally(registered.operation.list?.identity) : silentTally;
  const context = { observations: {}, simulated: false, settingOf, now: () => now, paginate, tally };
  return JSON.parse(JSON.stringify(registered.operation.run(query.values, snapshots, context)));
}

/** A stub for the cursors, which are not needed, because only the first page of a list is checked. */
const noCursors: Cursors = { make: () => "", read: () => undefined };
