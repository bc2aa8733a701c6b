import { type AnySource, SourceFailure } from "../../contract/source.js";
import { readSource } from "../../ingest/read-source.js";
import type { ReadingTools } from "../../ingest/source-reading.js";
import { table } from "../../kit/text-table.js";
import type { SourceRunReport } from "../../snapshots/provenance.js";
import type { PlannedQuestion } from "./source-questions.js";

/** The result of the trial requests to a source from this machine. */
export interface CheckedSource {
  readonly id: string;
  readonly seen: AnySource["seen"];
  /**
   * `ok`: the answers have rows; `empty`: the answers have no rows; `failed`: a request failed, and no answer has rows;
   * `unasked`: no request was sent, because a key is missing or there is nothing to request while the store is empty.
   */
  readonly state: "ok" | "empty" | "failed" | "unasked";
  readonly answers: number;
  readonly rows: number;
  readonly bad: number;
  /** Optional fields that no row has. */
  readonly neverSeen: readonly string[];
  /** ISO instant of the newest observation; null if none is dated. */
  readonly newestAt: string | null;
  /** The message of the first failure, or the reason for `unasked`; null if there is neither. */
  readonly why: string | null;
  /** Reasons to check the decoder: many bad rows, or fields that no row has. */
  readonly findings: readonly string[];
}

export interface SourceCheckOptions {
  readonly sources: readonly AnySource[];
  readonly questions: readonly PlannedQuestion[];
  readonly tools: ReadingTools;
  /** Ends the check. Sources that have not answered by then are left out of the result. */
  readonly signal: AbortSignal;
  readonly onChecked?: (count: number, of: number) => void;
}

const PARALLEL = 6;
/**
 * Maximum number of requests for one planned read of a source, including the requests for further pages. A source that
 * charges by the call gets a single request.
 */
const REQUESTS_MAX = 60;
/** Share of bad rows above which the decoder is suspect. */
const BAD_SHARE_MAX = 0.05;
/** Minimum number of rows for reporting a field that is absent from all of them. */
const ROWS_MIN = 5;

/** Sends the planned requests of every source once. Returns what the decoders read, in the order of the sources. */
export async function checkSources(options: SourceCheckOptions): Promise<readonly CheckedSource[]> {
  const { sources, signal, onChecked } = options;
  const checked = new Map<string, CheckedSource>();
  const waiting = [...sources];
  const worker = async (): Promise<void> => {
    for (let source = waiting.shift(); source !== undefined && !signal.aborted; source = waiting.shift()) {
      const result = await checkSource(source, options);
      if (signal.aborted) return;
      checked.set(source.id, result);
      onChecked?.(checked.size, sources.length);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return sources.flatMap(({ id }) => checked.get(id) ?? []);
}

async function checkSource(source: AnySource, options: SourceCheckOptions): Promise<CheckedSource> {
  const { questions, tools, signal } = options;
  const reports: SourceRunReport[] = [];
  const failures: SourceFailure[] = [];
  const own = distinct(questions.filter((question) => question.source === source));
  // Calls to sources with budgets cost money, so these sources get only one request.
  const affordable = source.budgets === undefined ? own : own.slice(0, 1);
  for (const { part, plan } of affordable) {
    const requestsMax = source.budgets === undefined ? REQUESTS_MAX : 1;
    const question = { part, source, plan, requestsMax, signal: AbortSignal.any([signal]), fillsUp: true };
    try {
      const onReport = (report: SourceRunReport): void => void reports.push(report);
      const { failure } = await readSource(tools, { ...question, onReport });
      if (failure) failures.push(failure);
    } catch (error) {
      if (signal.aborted) break;
      if (!(error instanceof SourceFailure)) throw error;
      failures.push(error);
      if (error.kind === "unconfigured") break;
    }
  }
  return { id: source.id, seen: source.seen, ...resultOf(reports, failures, affordable.length) };
}

/** Keeps one planned read for each distinct plan. */
function distinct(questions: readonly PlannedQuestion[]): readonly PlannedQuestion[] {
  return [...new Map(questions.map((question) => [JSON.stringify(question.plan), question])).values()];
}

function resultOf(
  reports: readonly SourceRunReport[],
  failures: readonly SourceFailure[],
  questions: number,
): Omit<CheckedSource, "id" | "seen"> {
  const read = reports.filter(({ rowsRead }) => rowsRead !== null);
  const sum = (of: (report: SourceRunReport) => number | null): number =>
    read.reduce((total, report) => total + (of(report) ?? 0), 0);
  const [rows, bad] = [sum(({ rowsRead }) => rowsRead), sum(({ rowsBad }) => rowsBad)];
  const neverSeen = fieldsNeverSeen(read, rows - bad);
  const dates = read.flatMap(({ newestAt }) => newestAt ?? []);
  const [failure] = failures;
  const state =
    rows > 0
      ? "ok"
      : failure?.kind === "unconfigured" || questions === 0
        ? "unasked"
        : failure && failure.kind !== "empty"
          ? "failed"
          : "empty";
  return {
    state,
    answers: read.length,
    rows,
    bad,
    neverSeen,
    newestAt: dates.length === 0 ? null : new Date(dates.reduce((a, b) => Math.max(a, b))).toISOString(),
    why: failure?.message ?? (questions === 0 ? "nothing to request while the store is empty" : null),
    findings: findingsIn(read),
  };
}

/** The row counts of one answer. Findings are derived from these counts. */
interface CountedRows {
  readonly rowsRead: number | null;
  readonly rowsBad: number | null;
  readonly rowsWithout?: Readonly<Record<string, number>>;
}

/** Returns the optional fields that no good row has; none if there are too few rows for this finding. */
function fieldsNeverSeen(answers: readonly CountedRows[], rows: number): readonly string[] {
  if (rows < ROWS_MIN) return [];
  const without: Record<string, number> = {};
  for (const { rowsWithout = {} } of answers) {
    for (const [field, count] of Object.entries(rowsWithout)) without[field] = (without[field] ?? 0) + count;
  }
  return Object.keys(without).filter((field) => without[field] === rows);
}

export function hasManyBadRows({ rows, bad }: Pick<CheckedSource, "rows" | "bad">): boolean {
  return bad > rows * BAD_SHARE_MAX;
}

/**
 * Reasons to check a decoder after it has read a recording or live answers: many bad rows, or fields that no row has.
 */
export function findingsIn(answers: readonly CountedRows[]): readonly string[] {
  const rows = answers.reduce((sum, { rowsRead }) => sum + (rowsRead ?? 0), 0);
  const bad = answers.reduce((sum, { rowsBad }) => sum + (rowsBad ?? 0), 0);
  return [
    ...(hasManyBadRows({ rows, bad }) ? [`${bad} of ${rows} rows are bad`] : []),
    ...fieldsNeverSeen(answers, rows - bad).map((field) => `no row has ${field}`),
  ];
}

const states = ["ok", "empty", "failed", "unasked"] as const;
const WHY_LENGTH_MAX = 160;

/** Formats a table with a row for each source, followed by a sentence with the number of sources in each state. */
export function sourceTable(checked: readonly CheckedSource[], of: number): string {
  const rows = checked.map((source) => [
    source.id,
    source.seen,
    source.state,
    String(source.rows),
    String(source.bad),
    source.newestAt === null ? "-" : source.newestAt.slice(0, 16).replace("T", " "),
    [...source.findings, ...(source.why === null ? [] : [source.why])].join("; ").slice(0, WHY_LENGTH_MAX),
  ]);
  const count = (state: CheckedSource["state"]): number => checked.filter((source) => source.state === state).length;
  const summary = states.map((state) => `${count(state)} ${state}`).join(", ");
  const end = checked.length === of ? "" : `; cancelled before ${of - checked.length} more had answered`;
  const header = ["source", "payload", "state", "rows", "bad", "newest (UTC)", "findings"];
  return `${table(header, rows)}\n\n${checked.length} sources: ${summary}${end}`;
}
