import type { DatasetLogEntry } from "../../../contract/dataset-log.js";
import type { SnapshotState } from "../../../contract/snapshot.js";
import { SECOND_MS } from "../../../kit/clock.js";
import type { WatchDefinition } from "../records.js";
import { generationKey, type Row } from "./scripted-call.js";

/** A schedule of a few datasets, in which everything happens at whole steps of `stepMs` after the start. */
export interface OracleCase {
  readonly watch: WatchDefinition;
  readonly datasets: readonly string[];
  readonly startAt: number;
  readonly stepMs: number;
  /** Length of the schedule in steps. */
  readonly steps: number;
  readonly first: readonly Omit<DatasetLogEntry, "position" | "at">[];
  readonly entries: readonly DatasetLogEntry[];
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  /** The condition as a function of rows. */
  readonly condition: (rows: readonly Row[]) => unknown;
}

const order: readonly SnapshotState[] = ["ok", "partial", "stale", "absent", "unreadable"];

/**
 * Computes the expected reports of a watch, as lines `<step> <kind> <details>`. The oracle is naive: it goes through
 * every step of the schedule, and keeps whole rows for comparison with later rows. It shares no code with the rules of
 * watches.
 */
export function expectedLines(trial: OracleCase): readonly string[] {
  const { watch, startAt, stepMs, steps, entries } = trial;
  const now = new Map(trial.first.map((standing) => [standing.dataset, standing]));
  const teller = tellerOf(trial);
  const lines: string[] = [];
  let quietUntil: number | undefined = startAt;
  let isWaiting = true;
  const look = (at: number): void => {
    const all = [...now.values()];
    const state = order[Math.max(...all.map((standing) => order.indexOf(standing.state)))] ?? "ok";
    const rows = all.flatMap((standing) => trial.rows.get(generationKey(standing)) ?? []);
    for (const line of teller(state, rows)) {
      lines.push(`${(at - startAt) / stepMs} ${line}`);
      if (line.startsWith("FIRED") && watch.quietSeconds > 0) quietUntil = at + watch.quietSeconds * SECOND_MS;
    }
  };
  for (let step = 0; step <= steps; step += 1) {
    const at = startAt + step * stepMs;
    if (quietUntil === at) {
      quietUntil = undefined;
      const looks = isWaiting;
      isWaiting = false;
      if (looks) look(at);
    }
    for (const entry of entries.filter((candidate) => candidate.at === at)) {
      now.set(entry.dataset, entry);
      if (quietUntil === undefined) look(at);
      else isWaiting = true;
    }
  }
  return lines;
}

type Teller = (state: SnapshotState, rows: readonly Row[]) => readonly string[];

function tellerOf(trial: OracleCase): Teller {
  const { on } = trial.watch;
  if (on === "WATCH_ON_STATE_CHANGES") return stateTeller();
  const tell = on === "WATCH_ON_NEW_ROWS" || on === "WATCH_ON_CHANGED" ? rowTeller(trial) : conditionTeller(trial);
  return (state, rows) => (state === "absent" || state === "unreadable" ? [] : tell(state, rows));
}

function stateTeller(): Teller {
  let before: SnapshotState | undefined;
  return (state) => {
    const earlier = before;
    before = state;
    if (earlier === undefined || earlier === state) return [];
    return [`${state === "ok" ? "RESOLVED" : "FIRED"} ${earlier}→${state}`];
  };
}

function rowTeller({ watch }: OracleCase): Teller {
  const tellsAll = watch.on === "WATCH_ON_CHANGED";
  let held: Map<string, string> | undefined;
  return (state, rows) => {
    const current = numbered(rows);
    if (held === undefined) {
      held = current;
      return [];
    }
    const changes: string[] = [];
    for (const [id, text] of current) {
      if (!held.has(id)) changes.push(`+${id}`);
      else if (tellsAll && held.get(id) !== text) changes.push(`~${id}`);
    }
    if (state === "ok") {
      if (tellsAll) for (const id of held.keys()) if (!current.has(id)) changes.push(`-${id}`);
      held = current;
    } else for (const [id, text] of current) held.set(id, text);
    if (changes.length === 0) return [];
    if (watch.grouping === "WATCH_GROUPING_ROW") return changes.map((change) => `FIRED ${change}`).sort();
    return [`FIRED ${changes.sort().join(" ")}`];
  };
}

function numbered(rows: readonly Row[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const row of rows) {
    let [id, number] = [row.id, 1];
    while (texts.has(id)) {
      number += 1;
      id = `${row.id}#${number}`;
    }
    texts.set(id, JSON.stringify(row));
  }
  return texts;
}

function conditionTeller({ watch, condition }: OracleCase): Teller {
  const { threshold } = watch;
  let lastTruth: boolean | undefined;
  let complete: readonly Row[] = [];
  const holds = (rows: readonly Row[]): boolean | undefined => {
    const value = condition(rows);
    if (!threshold) return Boolean(value);
    if (typeof value !== "number") return undefined;
    const { above, below, clearsAt } = threshold;
    if (above !== undefined) return lastTruth === true && clearsAt !== undefined ? value > clearsAt : value > above;
    if (below !== undefined) return lastTruth === true && clearsAt !== undefined ? value < clearsAt : value < below;
    return undefined;
  };
  return (state, rows) => {
    const isTrue = holds(rows);
    if (state !== "ok") {
      if (lastTruth !== false || isTrue !== true) return [];
      const ids = new Set(numbered(rows).keys());
      const missing = [...numbered(complete)].filter(([id]) => !ids.has(id)).map(([, text]) => JSON.parse(text));
      if (holds([...rows, ...missing]) !== true) return [];
      lastTruth = true;
      return ["FIRED"];
    }
    if (isTrue === undefined) return [];
    complete = rows;
    const earlier = lastTruth;
    lastTruth = isTrue;
    if (earlier === undefined || earlier === isTrue) return [];
    return [isTrue ? "FIRED" : "RESOLVED"];
  };
}
