import type { Principal } from "../../../../contract/access/principal.js";
import type { DatasetLogEntry, DatasetTimeline } from "../../../../contract/dataset-log.js";
import type { SnapshotState } from "../../../../contract/snapshot.js";
import type {
  DatasetAt,
  StoredAnswer,
  StoredAnswers,
  StoredQuestion,
  StoredRows,
} from "../../../../contract/stored-answers.js";
import type { Clock } from "../../../../kit/clock.js";

export interface Row {
  readonly id: string;
  readonly [member: string]: unknown;
}

/** Datasets of rows with their log, in memory. All nodes of a test share them. */
export interface ScriptedWorld {
  readonly timeline: DatasetTimeline;
  readonly answers: StoredAnswers;
  /** Publishes a generation with these rows, or with rows of these ids, now. */
  publish(dataset: string, rows: readonly (string | Row)[], state?: SnapshotState): { readonly generation: number };
  /** Logs another state of a dataset, with the generation that it serves in that state. */
  report(dataset: string, state: SnapshotState): void;
  /** Removes everything below a position from the log. */
  thin(oldest: number): void;
  /** Forgets a generation. */
  forget(dataset: string, generation: number): void;
  /** Forgets all generations of a dataset except the newest. */
  forgetBefore(dataset: string): void;
  /** Stops answering calls that read this dataset, as after an upgrade to a version without these calls. */
  retire(dataset: string): void;
  /** Makes every call that reads this dataset a call of a Pro operation. */
  makePro(dataset: string): void;
  /** Number of computed answers. */
  readonly computed: { count: number };
}

/** The call that lists the rows of a dataset; the names of several datasets are joined by commas. */
export const callOf = (datasets: string): string => `/api/test/v1/list-rows?of=${datasets}`;

/** Creates a world without generations, in which `expressions` checks and evaluates expressions. */
export function scriptedWorld(
  clock: Clock,
  expressions: Pick<StoredAnswers, "refusal" | "evaluate"> = scriptedExpressions,
): ScriptedWorld {
  const entries: DatasetLogEntry[] = [];
  const contents = new Map<string, readonly Row[]>();
  const generations = new Map<string, number>();
  const retired = new Set<string>();
  const pro = new Set<string>();
  const computed = { count: 0 };
  let oldest = 1;
  const standing = (position: number, dataset: string): DatasetAt => {
    const entry = entries.findLast(
      (candidate) => candidate.dataset === dataset && candidate.position <= position && candidate.position >= oldest,
    );
    return entry ? { dataset, generation: entry.generation, state: entry.state } : absent(dataset);
  };
  const timeline: DatasetTimeline = {
    extent: async () => ({ oldest, newest: entries.length, snapshotGeneration: 0 }),
    after: async (position, entriesMax, datasets) =>
      entries
        .filter((entry) => entry.position > position && entry.position >= oldest)
        .filter(({ dataset }) => datasets === undefined || datasets.includes(dataset))
        .slice(0, entriesMax),
    standingsAt: async (position, datasets) => datasets.map((dataset) => standing(position, dataset)),
    positionAt: async (at) => entries.findLast((entry) => entry.at <= at)?.position ?? 0,
  };
  const reopen = (call: string): StoredQuestion | undefined => {
    const datasets = (call.split("of=")[1] ?? "").split(",");
    if (datasets.some((dataset) => retired.has(dataset))) return undefined;
    return {
      call,
      key: call,
      path: "/api/test/v1/list-rows",
      tier: datasets.some((dataset) => pro.has(dataset)) ? 1 : 0,
      datasets,
      isList: true,
      dependsOnTime: false,
      sources: [],
    };
  };
  const answers: StoredAnswers = {
    ask(call: string, _caller: Principal) {
      const question = reopen(call);
      if (question === undefined) throw new Error(`no operation answers ${call}`);
      return question;
    },
    reopen,
    ...expressions,
    async answer(question, standings) {
      const lists = standings.map(({ dataset, generation }) =>
        generation === null ? [] : contents.get(`${dataset} ${generation}`),
      );
      if (lists.some((list) => list === undefined)) return undefined;
      computed.count += 1;
      return answerOf(
        question,
        lists.flatMap((list) => list ?? []),
      );
    },
  };
  const log = (dataset: string, state: SnapshotState): void => {
    const isServed = state !== "absent" && state !== "unreadable";
    const generation = isServed ? (generations.get(dataset) ?? null) : null;
    entries.push({ position: entries.length + 1, at: clock.now(), dataset, generation, state });
  };
  return {
    timeline,
    answers,
    computed,
    publish(dataset, rows, state = "ok") {
      const generation = (generations.get(dataset) ?? 0) + 1;
      generations.set(dataset, generation);
      contents.set(
        `${dataset} ${generation}`,
        rows.map((row) => (typeof row === "string" ? { id: row } : row)),
      );
      log(dataset, state);
      return { generation };
    },
    report: log,
    thin(from) {
      oldest = from;
    },
    forget: (dataset, generation) => void contents.delete(`${dataset} ${generation}`),
    forgetBefore(dataset) {
      const newest = generations.get(dataset) ?? 0;
      for (let generation = 1; generation < newest; generation += 1) contents.delete(`${dataset} ${generation}`);
    },
    retire: (dataset) => void retired.add(dataset),
    makePro: (dataset) => void pro.add(dataset),
  };
}

const absent = (dataset: string): DatasetAt => ({ dataset, generation: null, state: "absent" });

function answerOf(question: StoredQuestion, rows: readonly Row[]): StoredAnswer {
  return {
    question,
    value: { rows },
    rows: async () => listed(rows),
    withRows: (others) => ({ rows: others }),
  };
}

/** Returns the rows with their ids; repeated ids are numbered. */
function listed(rows: readonly Row[]): StoredRows {
  const counts = new Map<string, number>();
  const numbered = rows.map((row) => {
    const count = (counts.get(row.id) ?? 0) + 1;
    counts.set(row.id, count);
    return { id: count === 1 ? row.id : `${row.id}#${count}`, row };
  });
  return { rows: numbered, collisions: rows.length - counts.size };
}

const scriptedExpressions: Pick<StoredAnswers, "refusal" | "evaluate"> = {
  refusal: () => undefined,
  async evaluate(expression, value) {
    if (expression === "fault") throw new Error("the evaluation broke");
    return evaluated(expression, (value as { readonly rows: readonly Row[] }).rows);
  },
};

/** Supports the expressions `rows`, `count` (the number of rows) and `has <id>`; all others fail. */
function evaluated(expression: string, rows: readonly Row[]): { readonly value: unknown } | { readonly error: string } {
  if (expression === "rows") return { value: rows };
  if (expression === "count") return { value: rows.length };
  const [, id] = /^has (\w+)$/.exec(expression) ?? [];
  return id === undefined ? { error: `unknown function ${expression}` } : { value: rows.some((row) => row.id === id) };
}
