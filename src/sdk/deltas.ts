import { type Answer, type DataState, type Generation, generationIn } from "./answer.js";
import { GoneError, MalformedAnswerError, ValidationError } from "./errors.js";
import { type Call, memberOf, pagesOf } from "./pages.js";
import type { AnyParams } from "./params.js";
import type { Platform } from "./platform.js";
import { EVERY_MS, type PollOptions } from "./polls.js";

/** A row with its identity in the list. */
export interface IdentifiedRow<Row> {
  readonly id: string;
  readonly row: Row;
}

/** The whole list, which replaces the caller's copy. */
export interface ListReset<Row> {
  readonly type: "reset";
  /**
   * `start`: the iteration starts; `gone`: the generation to compare with is no longer kept; `unknown`: that generation
   * is newer than any that the service has, for example after a backup was restored.
   */
  readonly reason: "start" | "gone" | "unknown";
  readonly rows: readonly IdentifiedRow<Row>[];
  /** Pass it as `sinceGeneration` to continue in another iteration. */
  readonly generation: Generation;
  readonly state: DataState | undefined;
}

/** The changes of a list since the previous step. */
export interface ListChanges<Row> {
  readonly type: "changes";
  readonly changes: readonly ListChange<Row>[];
  /** Number of rows in the list after the changes. */
  readonly rowCount: number;
  /** Pass it as `sinceGeneration` to continue in another iteration. */
  readonly generation: Generation;
  readonly state: DataState | undefined;
}

/** No data is available. The rows that the caller holds are the last known ones. */
export interface ListOutage {
  readonly type: "outage";
  readonly state: DataState | undefined;
}

/** One step in following a list. */
export type ListStep<Row> = ListReset<Row> | ListChanges<Row> | ListOutage;

/** An added or changed row with its position in the whole list, or the identity of a removed row. */
export type ListChange<Row> =
  | ({ readonly kind: "added" | "changed"; readonly index: number } & IdentifiedRow<Row>)
  | { readonly kind: "removed"; readonly id: string };

/** A list that reports its changes. */
export interface ChangingList {
  readonly call: Call;
  readonly name: string;
  /** The path of the rows, such as `earthquakes`, or `categories.*.items` for rows in groups. */
  readonly place: string;
}

/**
 * Follows a list until the signal aborts. Begins with the changes since `sinceGeneration` or, if it is undefined, with
 * the whole list. Yields nothing while nothing changes. An outage is yielded when it begins and not again while it
 * lasts.
 */
export async function* deltasOf(
  list: ChangingList,
  { sinceGeneration, ...params }: AnyParams,
  { everyMs = EVERY_MS, ...options }: PollOptions,
  { sleep }: Platform,
): AsyncGenerator<ListStep<unknown>, void, undefined> {
  let since = sinceGeneration;
  let reason: ListReset<unknown>["reason"] = "start";
  let isOut = false;
  for (;;) {
    let step: ListStep<unknown>;
    try {
      step =
        since === undefined
          ? await wholeList(list, params, options, reason)
          : await changesSince(list, params, options, since);
    } catch (error) {
      const lost: ListReset<unknown>["reason"] | undefined = reasonOfLoss(error, since);
      if (lost === undefined) throw error;
      reason = lost;
      since = undefined;
      continue;
    }
    const isRepeated = step.type === "outage" ? isOut : isUnchanged(step, since);
    isOut = step.type === "outage";
    if (step.type !== "outage") since = step.generation;
    if (!isRepeated) yield step;
    await sleep(everyMs, options.signal);
  }
}

/** Applies a step to the rows and returns the new rows. An outage leaves the rows unchanged. */
export function rowsAfter<Row>(
  rows: readonly IdentifiedRow<Row>[],
  step: ListStep<Row>,
): readonly IdentifiedRow<Row>[] {
  if (step.type === "outage") return rows;
  if (step.type === "reset") return step.rows;
  const touched = new Set(step.changes.map(({ id }) => id));
  const kept = rows.filter(({ id }) => !touched.has(id));
  const placed = step.changes.filter((change) => change.kind !== "removed").sort((a, b) => a.index - b.index);
  const after: IdentifiedRow<Row>[] = [];
  let next = 0;
  for (const { id, row, index } of placed) {
    while (after.length < index && next < kept.length) after.push(kept[next++] as IdentifiedRow<Row>);
    after.push({ id, row });
  }
  after.push(...kept.slice(next));
  return after;
}

/**
 * Reads the whole list as the changes since generation 0, because only an answer with changes includes the identity of
 * every row.
 */
async function wholeList(
  list: ChangingList,
  params: AnyParams,
  options: PollOptions,
  reason: ListReset<unknown>["reason"],
): Promise<ListReset<unknown> | ListOutage> {
  const { state, generation } = await list.call(list.name, params, options);
  if (!isAvailable(state)) return { type: "outage", state };
  const beginning = Object.fromEntries(Object.keys(generation).map((dataset) => [dataset, 0]));
  const step = await changesSince(list, params, options, beginning);
  if (step.type === "outage") return step;
  const rows = step.changes.flatMap((change) => (change.kind === "removed" ? [] : { id: change.id, row: change.row }));
  return { type: "reset", reason, rows, generation: step.generation, state: step.state };
}

async function changesSince(
  list: ChangingList,
  params: AnyParams,
  options: PollOptions,
  since: unknown,
): Promise<ListChanges<unknown> | ListOutage> {
  const { call, name, place } = list;
  const changes: ListChange<unknown>[] = [];
  let last: { readonly state: DataState | undefined; readonly delta: unknown } | undefined;
  for await (const { data, state } of pagesOf(call, name, { ...params, sinceGeneration: since }, options)) {
    if (!isAvailable(state)) return { type: "outage", state };
    const delta = memberOf(data, "delta");
    changes.push(...changesIn(name, delta, rowsAt(data, place.split("."))));
    last = { state, delta };
  }
  const generation = generationIn(String(memberOf(last?.delta, "to")));
  return {
    type: "changes",
    changes,
    rowCount: Number(memberOf(last?.delta, "rowCount")),
    generation,
    state: last?.state,
  };
}

/** Returns the changes on a page. Each added or changed row is included in its change. */
function changesIn(name: string, delta: unknown, rows: readonly unknown[]): readonly ListChange<unknown>[] {
  const changes = memberOf(delta, "changes");
  if (!Array.isArray(changes)) throw new MalformedAnswerError(`${name} does not report what has changed`);
  return changes.map((change: ListChange<unknown>, at) =>
    // The changes begin with those of added and changed rows, in the same order as `rows`.
    change.kind === "removed" ? change : { ...change, row: rows[at] },
  );
}

/** Returns the rows at a path in an answer; `*` matches every group. */
function rowsAt(value: unknown, [name, ...inner]: readonly string[]): readonly unknown[] {
  if (name === undefined) return Array.isArray(value) ? value : [];
  if (name !== "*") return rowsAt(memberOf(value, name), inner);
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap((group) => rowsAt(group, inner))
    : [];
}

function isAvailable(state: Answer<unknown>["state"]): boolean {
  return state !== "absent" && state !== "unreadable";
}

/** True if neither a row nor the generation has changed. */
function isUnchanged(step: ListReset<unknown> | ListChanges<unknown>, since: unknown): boolean {
  if (step.type === "reset" || step.changes.length > 0 || typeof since !== "object" || since === null) return false;
  return Object.entries(step.generation).every(([dataset, generation]) => memberOf(since, dataset) === generation);
}

/** Returns why the service cannot compare with the generations `since`; undefined for any other failure. */
function reasonOfLoss(error: unknown, since: unknown): "gone" | "unknown" | undefined {
  if (since === undefined) return undefined;
  if (error instanceof GoneError) return "gone";
  const isRefused =
    error instanceof ValidationError &&
    error.reasons.every((reason) => /^sinceGeneration must not be newer\b/.test(reason));
  return isRefused ? "unknown" : undefined;
}
