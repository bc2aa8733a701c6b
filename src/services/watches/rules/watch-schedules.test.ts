import { expect, test } from "vitest";
import { randomRuns } from "../../../../test/support/effort.js";
import type { DatasetLogEntry } from "../../../contract/dataset-log.js";
import type { SnapshotState } from "../../../contract/snapshot.js";
import type { DatasetAt } from "../../../contract/stored-answers.js";
import { MINUTE_MS } from "../../../kit/clock.js";
import { type Random, seededRandom } from "../../../kit/random.js";
import { groupings, type WatchDefinition, watchTriggers } from "../records.js";
import { pick, randomThresholds, whole } from "../testing/random-watch.js";
import { definitionOf, generationKey, minute, type Row, START_AT, scriptedCall } from "../testing/scripted-call.js";
import { expectedLines, type OracleCase } from "../testing/watch-oracle.js";
import { firstMemory, type NewFiring, play, type StepResult, type Watched, type WatchMemory } from "./watch-step.js";

const SCHEDULES = randomRuns(6_000);
/** Maximum number of log entries. A watch remembers more degraded answers than this, so it never has to forget one. */
const ENTRIES_MAX = 7;
const STEPS = 60;

const states: readonly SnapshotState[] = ["ok", "ok", "ok", "partial", "partial", "stale", "absent", "unreadable"];
const conditions: Readonly<Record<string, OracleCase["condition"]>> = {
  "length(rows) == `0`": (rows) => rows.length === 0,
  "length(rows) > `3`": (rows) => rows.length > 3,
  "rows[?n == `2`]": (rows) => rows.some(({ n }) => n === 2),
  "sum(rows[].n)": (rows) => (rows.length === 0 ? null : rows.reduce((sum, { n }) => sum + Number(n), 0)),
};
const CONDITION_OF = { "rows[?n == `2`]": (rows: readonly Row[]) => rows.filter(({ n }) => n === 2) };

function randomWatch(random: Random): WatchDefinition {
  const on = pick(random, watchTriggers);
  const thresholds = randomThresholds(random, 6);
  return definitionOf({
    on,
    ...(on === "WATCH_ON_BECOMES_TRUE" && { condition: pick(random, Object.keys(conditions).slice(0, 3)) }),
    ...(on === "WATCH_ON_THRESHOLD_CROSSED" && {
      condition: "sum(rows[].n)",
      threshold: pick(random, thresholds),
    }),
    quietSeconds: 60 * Math.max(0, whole(random, 10) - 4),
    grouping: pick(random, groupings),
  });
}

function randomRows(random: Random, dataset: string): readonly Row[] {
  const shared = random() < 0.2 ? "s" : dataset;
  return Array.from({ length: whole(random, 4) }, () => ({ id: `${shared}${whole(random, 4)}`, n: whole(random, 3) }));
}

function randomCase(random: Random): OracleCase {
  const datasets = random() < 0.5 ? ["a"] : ["a", "b"];
  const rows = new Map<string, readonly Row[]>();
  let generation = 0;
  const last = new Map<string, DatasetAt>();
  const standing = (dataset: string): DatasetAt => {
    const state = pick(random, states);
    const earlier = last.get(dataset)?.generation ?? null;
    const isServed = state !== "absent" && state !== "unreadable";
    const isSame = earlier !== null && random() < 0.2;
    if (isServed && !isSame) generation += 1;
    const next = { dataset, state, generation: isServed ? (isSame ? earlier : generation) : null };
    if (isServed && !isSame) rows.set(generationKey(next), randomRows(random, dataset));
    last.set(dataset, next);
    return next;
  };
  const first = datasets.map(standing);
  const watch = randomWatch(random);
  let step = 0;
  const entries = Array.from({ length: whole(random, ENTRIES_MAX + 1) }, (_, index): DatasetLogEntry => {
    step += whole(random, 4);
    return { ...standing(pick(random, datasets)), position: 10 + index, at: minute(step) };
  });
  const condition = conditions[watch.condition ?? ""] ?? (() => undefined);
  return { watch, datasets, startAt: START_AT, stepMs: MINUTE_MS, steps: STEPS, first, entries, rows, condition };
}

function watchedIn({ rows }: OracleCase): Watched {
  const onBody = Object.entries({ ...conditions, ...CONDITION_OF }).map(([text, run]) => [
    text,
    (body: { readonly rows: readonly Row[] }) => run(body.rows),
  ]);
  return scriptedCall({ rows, expressions: Object.fromEntries(onBody) });
}

const firstOf = ({ first }: OracleCase): WatchMemory => firstMemory(9, START_AT, first);

/** Plays a case in which all entries are available from the start. */
async function playedAtOnce(trial: OracleCase): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  for await (const result of play(trial.watch, firstOf(trial), trial.entries, minute(STEPS), watchedIn(trial))) {
    results.push(result);
  }
  return results;
}

/**
 * Plays a case in which the entries arrive one by one, and returns the firings. The memory is stored as JSON after each
 * result, and the process dies at random: a result that was not stored is recomputed by a process that has no answer in
 * memory.
 */
async function playedWithRestarts(trial: OracleCase, random: Random): Promise<readonly NewFiring[]> {
  const { watch, entries } = trial;
  const stored: NewFiring[] = [];
  let memory = JSON.stringify(firstOf(trial));
  for (let index = 0; index <= entries.length; index += 1) {
    const arrived = entries.slice(0, index);
    const next = entries[index]?.at ?? minute(STEPS);
    const from = arrived.at(-1)?.at ?? START_AT;
    const until = pick(random, [from, next, from + Math.floor((next - from) * random())]);
    // Entries that were already evaluated are delivered again, as after a restart.
    for (let isDone = false; !isDone; ) {
      isDone = true;
      for await (const result of play(watch, JSON.parse(memory), arrived, until, watchedIn(trial))) {
        isDone = random() > 0.2;
        if (!isDone && random() < 0.5) break;
        memory = JSON.stringify(result.memory);
        stored.push(...result.firings);
        if (!isDone) break;
      }
    }
  }
  for await (const result of play(watch, JSON.parse(memory), entries, minute(STEPS), watchedIn(trial))) {
    stored.push(...result.firings);
  }
  return stored;
}

const signs = { added: "+", changed: "~", removed: "-" } as const;

/** Formats firings as the oracle does. The row changes within a firing are sorted by text. */
function linesOf({ watch }: OracleCase, firings: readonly NewFiring[]): readonly string[] {
  const lines = firings.map(({ kind, firedAt, rows, before, after }) => {
    const changes = rows?.map(({ change, id }) => `${signs[change]}${id}`).sort();
    const values = watch.on === "WATCH_ON_STATE_CHANGES" ? [`${before}→${after}`] : [];
    const words = [kind.slice("WATCH_FIRING_KIND_".length), ...(changes ?? values)];
    return { at: (firedAt - START_AT) / MINUTE_MS, text: words.join(" ") };
  });
  return lines.map(({ at, text }) => `${at} ${text}`);
}

const isRowWatch = ({ on }: WatchDefinition): boolean => on === "WATCH_ON_NEW_ROWS" || on === "WATCH_ON_CHANGED";

/**
 * Returns the lines in a comparable order. If the watch groups by row, the lines of each step are sorted, because the
 * watch fires in the order of the list, while the oracle sorts the firings.
 */
function comparable(trial: OracleCase, lines: readonly string[]): readonly string[] {
  const isGrouped = isRowWatch(trial.watch) && trial.watch.grouping === "WATCH_GROUPING_ROW";
  const stepOf = (line: string): number => Number(line.split(" ")[0]);
  return isGrouped ? lines.toSorted((a, b) => stepOf(a) - stepOf(b) || (a < b ? -1 : 1)) : lines;
}

/** Checks that the identities of the rows in complete answers equal those that follow from the firings so far. */
function keepsAccount(trial: OracleCase, results: readonly StepResult[]): void {
  let held: Set<string> | undefined;
  for (const { memory, firings, isEvaluated } of results) {
    if (!isEvaluated) continue;
    const isFirst = held === undefined && (memory.baseline !== null || memory.partialBaselines.length > 0);
    const listed = idsIn(trial, memory);
    if (isFirst) held = listed;
    for (const { change, id } of firings.flatMap(({ rows = [] }) => rows)) {
      expect([change, held?.has(id)]).toEqual([change, change !== "added"]);
      if (change === "added") held?.add(id);
      if (change === "removed") held?.delete(id);
    }
    const isComplete = Object.values(memory.current).every(([, state]) => state === "ok");
    if (isComplete) expect([...(held ?? [])].sort()).toEqual([...listed].sort());
  }
}

function idsIn({ rows }: OracleCase, { current }: WatchMemory): Set<string> {
  const ids = new Set<string>();
  for (const [dataset, [generation]] of Object.entries(current)) {
    for (const { id } of rows.get(generationKey({ dataset, generation })) ?? []) {
      let [name, number] = [id, 1];
      while (ids.has(name)) {
        number += 1;
        name = `${id}#${number}`;
      }
      ids.add(name);
    }
  }
  return ids;
}

test("watches on random schedules fire as a naive model predicts, whether all entries arrive together or one by one with restarts", async () => {
  let firingCount = 0;
  for (let seed = 1; seed <= SCHEDULES; seed += 1) {
    const random = seededRandom(seed);
    const trial = randomCase(random);
    const results = await playedAtOnce(trial);
    const firings = results.flatMap((result) => result.firings);
    firingCount += firings.length;
    expect({ seed, lines: comparable(trial, linesOf(trial, firings)) }).toEqual({
      seed,
      lines: comparable(trial, expectedLines(trial)),
    });
    expect({ seed, firings: await playedWithRestarts(trial, random) }).toEqual({ seed, firings });
    if (trial.watch.on === "WATCH_ON_CHANGED") keepsAccount(trial, results);
  }
  expect(firingCount).toBeGreaterThan(SCHEDULES);
});
