import type { DatasetLogEntry } from "../../../contract/dataset-log.js";
import type { SnapshotState } from "../../../contract/snapshot.js";
import type { DatasetAt, StoredAnswer, StoredQuestion, StoredRows } from "../../../contract/stored-answers.js";
import { MINUTE_MS } from "../../../kit/clock.js";
import { LoopTurns } from "../../../kit/loop-turns.js";
import type { WatchDefinition } from "../records.js";
import { firstMemory, play, type StepResult, type Watched, type WatchMemory } from "../rules/watch-step.js";

export const START_AT = Date.UTC(2026, 10, 23);

export const minute = (minutes: number): number => START_AT + minutes * MINUTE_MS;

export interface Row {
  readonly id: string;
  readonly [member: string]: unknown;
}

/**
 * The function that computes the value of each expression, by the text of the expression. If it throws, the expression
 * fails.
 */
export type Expressions = Readonly<Record<string, (value: never) => unknown>>;

export interface ScriptedCall {
  /** The rows of each generation, by `<dataset> <generation>`. */
  readonly rows: ReadonlyMap<string, readonly unknown[]>;
  readonly expressions?: Expressions;
  /** The times from which generations are no longer kept, epoch ms. */
  readonly gone?: ReadonlyMap<string, number>;
  /** False for a call without a list. */
  readonly isList?: boolean;
}

export const question: StoredQuestion = {
  call: "/api/trials/v1/list-trials?country=SDN",
  key: "list-trials SDN",
  path: "/api/trials/v1/list-trials",
  tier: 0,
  datasets: ["a", "b"],
  isList: true,
  dependsOnTime: false,
  sources: [{ name: "Trial source", url: "https://trial.example", licence: "CC0" }],
};

export const generationKey = ({ dataset, generation }: Pick<DatasetAt, "dataset" | "generation">): string =>
  `${dataset} ${generation}`;

/**
 * Creates a watched call. The member `rows` of its answer has the rows of all its datasets, one dataset after another.
 */
export function scriptedCall({ rows, expressions = {}, gone = new Map(), isList = true }: ScriptedCall): Watched {
  let latestAt = Number.NEGATIVE_INFINITY;
  return {
    turns: new LoopTurns(),
    async answer(standings, at) {
      latestAt = Math.max(latestAt, at);
      const isGone = (standing: DatasetAt): boolean => (gone.get(generationKey(standing)) ?? latestAt + 1) <= latestAt;
      if (standings.some(isGone)) return undefined;
      return answerWith(
        standings.flatMap((standing) => rows.get(generationKey(standing)) ?? []),
        isList,
      );
    },
    content: (_standings, _at, _expressions, compute) => compute(),
    async evaluate(expression, value) {
      const [, each] = /^map\(&\((.*)\), @\)$/.exec(expression) ?? [];
      const run = expressions[each ?? expression];
      if (!run) throw new Error(`the script has no expression ${each ?? expression}`);
      try {
        const result = each === undefined ? run(value as never) : (value as never[]).map((row) => run(row) ?? null);
        return { value: JSON.parse(JSON.stringify(result ?? null)) };
      } catch (error) {
        return { error: (error as Error).message };
      }
    },
  };
}

function answerWith(rows: readonly unknown[], isList: boolean): StoredAnswer {
  const listed = isList ? listedRows(rows) : undefined;
  return {
    question: { ...question, isList },
    value: { rows },
    rows: async () => listed,
    withRows: (others) => ({ rows: others }),
  };
}

function listedRows(rows: readonly unknown[]): StoredRows {
  const counts = new Map<string, number>();
  const listed = rows.map((row) => {
    const { id } = row as Row;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return { id: count === 1 ? id : `${id}#${count}`, row };
  });
  return { rows: listed, collisions: rows.length - counts.size };
}

export function definitionOf(members: Partial<WatchDefinition> = {}): WatchDefinition {
  return {
    name: "Trials",
    call: question.call,
    on: "WATCH_ON_NEW_ROWS",
    quietSeconds: 0,
    grouping: "WATCH_GROUPING_EVALUATION",
    emails: [],
    ...members,
  };
}

/** A state and its rows. `ok a b` has the rows a and b; `partial a:2` has only the row a, with the content 2. */
export type Scene = string;

export interface Schedule {
  /** The scenes of dataset a: the first is set before the watch starts, each later one at its minute. */
  readonly scenes: readonly Scene[];
  /** The minutes of the later scenes. Default: 1, 2, 3, … */
  readonly minutes?: readonly number[];
  readonly watch: Partial<WatchDefinition>;
  readonly expressions?: Expressions;
  /** The minute from which a generation is no longer kept, by generation. */
  readonly gone?: Readonly<Record<number, number>>;
  readonly isList?: boolean;
  /** The minute up to which wake-ups are evaluated; default: an hour. */
  readonly untilMinute?: number;
}

/** Collects the items of an iterable, in order. */
export async function collected<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export interface Played {
  readonly results: readonly StepResult[];
  readonly memory: WatchMemory;
  /** Every firing as a line, such as `2 FIRED +c ~b -a`. */
  readonly lines: readonly string[];
}

/** Plays scenes of one dataset. Generations and positions are numbered from 1. */
export async function playScenes(schedule: Schedule): Promise<Played> {
  const { scenes, watch, expressions, gone = {}, isList, untilMinute = 60 } = schedule;
  const parsed = scenes.map((scene, index) => sceneOf(scene, index + 1));
  const [first] = parsed;
  if (!first) throw new Error("a schedule needs a first scene");
  const minutes = schedule.minutes ?? parsed.map((_, index) => index + 1);
  const entries = parsed
    .slice(1)
    .map(
      ({ standing }, index): DatasetLogEntry => ({ ...standing, position: index + 2, at: minute(minutes[index] ?? 0) }),
    );
  const call = scriptedCall({
    rows: new Map(parsed.map(({ standing, rows }) => [generationKey(standing), rows])),
    gone: new Map(Object.entries(gone).map(([generation, from]) => [`a ${generation}`, minute(from)])),
    ...(expressions && { expressions }),
    ...(isList !== undefined && { isList }),
  });
  const results: StepResult[] = [];
  let memory = firstMemory(1, START_AT, [first.standing]);
  for await (const result of play(definitionOf(watch), memory, entries, minute(untilMinute), call)) {
    results.push(result);
    memory = result.memory;
  }
  return { results, memory, lines: results.flatMap(({ firings }) => firings).map(lineOf) };
}

function sceneOf(scene: Scene, number: number): { readonly standing: DatasetAt; readonly rows: readonly Row[] } {
  const [state, ...words] = scene.split(" ");
  const rows = words.map((word): Row => {
    const [id = "", content] = word.split(":");
    return content === undefined ? { id } : { id, n: Number(content) };
  });
  const isServed = state !== "absent" && state !== "unreadable";
  // The cast is safe, because the first word of a scene is a state.
  return { standing: { dataset: "a", generation: isServed ? number : null, state: state as SnapshotState }, rows };
}

const signs = { added: "+", changed: "~", removed: "-" } as const;

function lineOf({ kind, firedAt, rows = [], before, after, message }: StepResult["firings"][number]): string {
  const values =
    before === undefined && after === undefined ? [] : [`${JSON.stringify(before)}→${JSON.stringify(after)}`];
  return [
    (firedAt - START_AT) / MINUTE_MS,
    kind.slice("WATCH_FIRING_KIND_".length),
    ...rows.map(({ change, id }) => `${signs[change]}${id}`),
    ...values,
    ...(message === undefined ? [] : [message]),
  ].join(" ");
}
