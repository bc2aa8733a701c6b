import { randomUUID } from "node:crypto";
import type { AnyCollection } from "../contract/dataset.js";
import { mapValues } from "../kit/map-values.js";
import type { PartRecords } from "../snapshots/bodies/body.js";
import type { Comparison } from "../snapshots/changes/generation-changes.js";
import type { DatasetStatus, FinishedRun, Generation, RunOutcome } from "../snapshots/generation.js";
import { newestReadable } from "../snapshots/newest-readable.js";
import { openedParts } from "../snapshots/opened.js";
import type { Provenance, SourceRunReport, StoredPartStatus } from "../snapshots/provenance.js";
import type { SnapshotStore } from "../snapshots/store.js";
import { fieldsAfter } from "./field-shares.js";
import { memoryAfter, memoryBefore } from "./part-memory.js";
import { type PartAfter, type PartBefore, readPart } from "./read-part.js";
import { gateRefusal, type Refusal, viewRefusal } from "./refusal.js";
import { type CollectionTools, type RunOptions, type RunResult, wasCancelled } from "./run.js";
import { CONTINUED_AFTER_MS, nextRunAt } from "./schedule.js";

/**
 * Reads all parts of a dataset concurrently, checks the gate, checks that the view can be built, and publishes. A
 * failed run changes only the status. If some parts fail but the gate passes, these parts keep their older records.
 */
export async function runCollection(
  tools: CollectionTools,
  dataset: AnyCollection,
  options: RunOptions,
): Promise<RunResult> {
  const before = await standing(tools.store, dataset);
  const reports: SourceRunReport[] = [];
  const run = {
    signal: options.signal,
    onReport: (report: SourceRunReport) => {
      reports.push(report);
      options.onReport?.(report);
    },
    onFault: options.onFault,
  };
  const read = await Promise.all(
    Object.entries(dataset.parts).map(
      async ([name, part]) => [name, await readPart(tools, name, part, before.partOf(name), run)] as const,
    ),
  );
  const after = Object.fromEntries(
    read.map(([name, part]) => [name, withFields(name, part, before.partOf(name), reports)]),
  );
  if (wasCancelled(options.signal)) throw options.signal.reason;
  const finished = (outcome: RunOutcome, error: string | null): FinishedRun => ({
    runId: randomUUID(),
    status: statusAfter(tools, dataset, before, after, { outcome, error }),
    reports,
  });
  const refusal = refusalOf(dataset, after, options.gated ?? true) ?? (await viewRefusal(dataset, recordsOf(after)));
  if (refusal) {
    const finishedRun = finished(refusal.kind, refusal.sentence);
    await tools.store.recordRun(finishedRun);
    return { outcome: refusal.kind, status: finishedRun.status, generation: before.generation, reports };
  }
  return publish(tools, dataset, after, before, finished("published", failuresIn(after)), reports);
}

/**
 * Extends a part's status. For each optional field, adds the share of rows without the field, and a warning if this
 * share jumped.
 */
function withFields(
  name: string,
  part: PartAfter,
  { status }: PartBefore,
  reports: readonly SourceRunReport[],
): PartAfter {
  const { fields, warnings } = fieldsAfter(name, status, reports);
  return {
    ...part,
    status: {
      ...part.status,
      ...(Object.keys(fields).length > 0 && { fields }),
      ...(warnings.length > 0 && { warnings }),
    },
  };
}

async function publish(
  tools: CollectionTools,
  dataset: AnyCollection,
  after: Readonly<Record<string, PartAfter>>,
  before: Standing,
  run: FinishedRun,
  reports: readonly SourceRunReport[],
): Promise<RunResult> {
  const records = recordsOf(after);
  const provenance: Provenance = mapValues(after, (part) => part.provenance);
  const build = {
    records,
    newestAt: dataset.newestAt(records),
    provenance,
    account: mapValues(after, (part) => part.account),
    comparison: { dataset, before: before.stored },
  };
  const generation = await tools.store.publish(dataset.name, build, run, run.status.attemptedAt);
  const outcome = generation.generation === before.generation?.generation ? "unchanged" : "published";
  return { outcome, status: { ...run.status, outcome }, generation, reports };
}

interface Standing {
  readonly generation: Generation | undefined;
  /** The records of the newest readable generation, in their stored form. */
  readonly stored: Comparison["before"];
  readonly status: DatasetStatus | undefined;
  partOf(name: string): PartBefore;
}

/**
 * Returns the state that the previous run left. If the newest generation is unreadable, the records come from the
 * newest readable one. Every upstream is then requested in full, because a "not modified" answer would confirm the
 * unreadable generation and not the older one.
 */
async function standing(store: SnapshotStore, dataset: AnyCollection): Promise<Standing> {
  const [generation, statuses] = await Promise.all([store.newest(dataset.name), store.statuses()]);
  const status = statuses.find((candidate) => candidate.dataset === dataset.name);
  const readable = generation && (await newestReadable(store, generation));
  const isNewest = readable?.generation === generation;
  const opened = readable && openedParts(dataset, readable.records);
  return {
    generation,
    stored: readable && { contentHash: readable.generation.contentHash, records: readable.records },
    status,
    partOf(name) {
      const stored = status?.parts[name];
      const part = dataset.parts[name];
      const isLost = !isNewest && part?.memory?.describes === "records";
      return {
        records: opened?.[name]?.records ?? [],
        provenance: readable?.generation.provenance[name] ?? {},
        status: stored && !isNewest ? { ...stored, validators: {} } : stored,
        account: readable?.generation.account?.[name],
        memory: part && memoryBefore(part, isLost ? undefined : stored?.memory, opened?.[name]?.memory),
      };
    },
  };
}

/** Returns the reason why the run must not publish; undefined if it may. */
function refusalOf(
  dataset: AnyCollection,
  after: Readonly<Record<string, PartAfter>>,
  gated: boolean,
): Refusal | undefined {
  const parts = Object.values(after);
  if (parts.every((part) => !part.isRead)) {
    const unconfigured = parts.every(
      ({ status, failure }) => status.state === "off" || failure?.kind === "unconfigured",
    );
    return { kind: unconfigured ? "unconfigured" : "failed", sentence: failuresIn(after) ?? settingsMissing(parts) };
  }
  const declared = dataset.parts;
  const lacking = Object.keys(after).filter(
    (name) => after[name]?.status.state === "missing" && declared[name]?.optional !== true,
  );
  if (lacking.length > 0) return { kind: "failed", sentence: failuresIn(after) ?? `nothing for ${lacking.join(", ")}` };
  return gated ? gateRefusal(dataset, recordsOf(after)) : undefined;
}

/** Joins the distinct errors of the parts. These errors name the settings that would enable the parts. */
function settingsMissing(parts: readonly PartAfter[]): string {
  return [...new Set(parts.flatMap(({ status }) => (status.error === null ? [] : [status.error])))].join("; ");
}

/** Returns the failures of all parts as one string, with each distinct sentence once; null if there are none. */
function failuresIn(after: Readonly<Record<string, PartAfter>>): string | null {
  const byMessage = new Map<string, string[]>();
  for (const [name, part] of Object.entries(after)) {
    if (!part.failure) continue;
    const { kind, message } = part.failure;
    const sentence = kind === "internal" ? message : `${kind}: ${message}`;
    byMessage.set(sentence, [...(byMessage.get(sentence) ?? []), name]);
  }
  const sentences = [...byMessage].map(([sentence, names]) => `${names.join(", ")}: ${sentence}`);
  return sentences.length > 0 ? sentences.join("; ") : null;
}

function statusAfter(
  tools: CollectionTools,
  dataset: AnyCollection,
  standing: Standing,
  after: Readonly<Record<string, PartAfter>>,
  end: { readonly outcome: RunOutcome; readonly error: string | null },
): DatasetStatus {
  const now = tools.clock.now();
  const { status: before } = standing;
  const published = end.outcome === "published";
  const whole = Object.values(after).every((part) => part.failure === undefined);
  const failuresInRow = published && whole ? 0 : (before?.failuresInRow ?? 0) + 1;
  const retryAt = Math.max(0, ...Object.values(after).map((part) => part.failure?.retryAt ?? 0));
  const isCutShort = Object.values(after).some((part) => part.isCutShort === true);
  const cadenceMs = isCutShort ? Math.min(CONTINUED_AFTER_MS, dataset.cadenceMs) : dataset.cadenceMs;
  return {
    dataset: dataset.name,
    attemptedAt: now,
    outcome: end.outcome,
    error: end.error,
    checkedAt: published ? oldestConfirmation(after) : (before?.checkedAt ?? null),
    nextAt: Math.max(nextRunAt({ now, cadenceMs, failuresInRow, random: tools.random }), retryAt),
    failuresInRow,
    // A run that published nothing keeps the status of the served parts and adds the reason why they were not renewed.
    parts: mapValues(after, (part, name) => {
      const { memory: _memory, ...status } = published ? part.status : unpublished(before?.parts[name], part);
      const context = { now, settingOf: tools.settingOf, isStored: published };
      const declared = dataset.parts[name];
      const memory = declared && memoryAfter(declared, standing.partOf(name), part, context);
      return { ...status, ...(memory !== undefined && { memory }) };
    }),
  };
}

/** Returns the part's earlier status with the error, the field shares and the warnings of this run. */
function unpublished(before: StoredPartStatus | undefined, { status, failure }: PartAfter): StoredPartStatus {
  const { fields, warnings } = status;
  const error = failure?.message ?? status.error;
  const { warnings: _warnings, ...standing } = before ?? status;
  return {
    ...standing,
    error,
    ...(fields && { fields }),
    ...(warnings && { warnings }),
  };
}

/**
 * Returns the time of the oldest confirmation among the parts, because a dataset is only as fresh as its oldest part.
 */
function oldestConfirmation(after: Readonly<Record<string, PartAfter>>): number | null {
  const times = Object.values(after).flatMap(({ status }) => (status.confirmedAt === null ? [] : [status.confirmedAt]));
  return times.length > 0 ? Math.min(...times) : null;
}

function recordsOf(after: Readonly<Record<string, PartAfter>>): PartRecords {
  return mapValues(after, (part) => part.records);
}
