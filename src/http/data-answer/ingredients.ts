import type { AnyOnDemand, Observation } from "../../contract/on-demand.js";
import type { AnyOperation } from "../../contract/operation.js";
import type { AnyDataset } from "../../contract/product.js";
import type { ReadSetting } from "../../contract/setting.js";
import type { AvailableSnapshot, Snapshot, UnavailableSnapshot } from "../../contract/snapshot.js";
import type { Clock } from "../../kit/clock.js";
import type { HistoryGap } from "../../snapshots/history/past-snapshots.js";
import type { SnapshotRegistry } from "../../snapshots/registry.js";
import { type Position, snapshotsAt } from "../paging.js";
import { generationsText, type Question } from "./question.js";

export type Snapshots = Readonly<Record<string, Snapshot<unknown>>>;
export type Observed = Observation<readonly unknown[]>;
export type Observations = Readonly<Record<string, Observed | readonly Observed[]>>;

/** The inputs of one answer. */
export interface Ingredients {
  readonly question: Question;
  readonly snapshots: Snapshots;
  readonly observations: Observations;
  /** Epoch ms. */
  readonly now: number;
  /** Set only for an answer about the past (`as_of`). */
  readonly past?: {
    /** The gaps in the history from which the answer is made. */
    readonly gaps: readonly HistoryGap[];
    /** Epoch ms. */
    readonly askedAt: number;
  };
}

/** Reads an upstream on behalf of a request. */
export type ReadOnDemand = (read: AnyOnDemand<never>, plan: unknown) => Promise<Observed>;

export interface IngredientParts {
  readonly clock: Clock;
  readonly registry: SnapshotRegistry;
  readonly readOnDemand: ReadOnDemand;
  /** Reports the use of a dataset that is built on request. Returns the build to wait for, if any. */
  readonly awaken: (dataset: AnyDataset) => Promise<void> | undefined;
  readonly settingOf: ReadSetting;
}

/** Collects the inputs of an answer, synchronously if there is nothing to wait for. */
export function ingredientsOf(parts: IngredientParts, question: Question): Ingredients | Promise<Ingredients> {
  const build = buildToWaitFor(parts, question);
  if (build || question.position || question.registered.operation.fetches) {
    return gatheredIngredients(parts, question, build);
  }
  const now = parts.clock.now();
  return { question, snapshots: newestSnapshots(parts.registry, question, now), observations: noObservations, now };
}

export const noObservations: Observations = {};

/** The snapshot of a dataset that has no generation to serve. */
export function nothingServed(state: UnavailableSnapshot["state"] = "absent"): UnavailableSnapshot {
  return { available: false, state, reason: "nothing was served", attempt: null };
}

async function gatheredIngredients(
  parts: IngredientParts,
  question: Question,
  build: Promise<unknown> | undefined,
): Promise<Ingredients> {
  await build;
  const { registered, position, reads } = question;
  const snapshots = position
    ? await snapshotsAt(parts.registry, reads, position)
    : newestSnapshots(parts.registry, question, parts.clock.now());
  const observations = registered.operation.fetches ? await observe(parts, question, snapshots) : noObservations;
  return { question, snapshots, observations, now: parts.clock.now() };
}

function buildToWaitFor({ awaken }: IngredientParts, { builtOnRequest }: Question): Promise<unknown> | undefined {
  if (builtOnRequest.length === 0) return undefined;
  const builds = builtOnRequest.flatMap((dataset) => awaken(dataset) ?? []);
  return builds.length > 0 ? Promise.all(builds) : undefined;
}

function newestSnapshots(registry: SnapshotRegistry, { reads }: Question, now: number): Snapshots {
  const snapshots: Record<string, Snapshot<unknown>> = {};
  for (const [name, dataset] of reads) snapshots[name] = registry.get(dataset, now);
  return snapshots;
}

async function observe(
  { clock, settingOf, readOnDemand }: IngredientParts,
  { registered, query }: Question,
  snapshots: Snapshots,
): Promise<Observations> {
  const reads = Object.entries(registered.operation.fetches as Readonly<Record<string, AnyOnDemand<never>>>);
  // The cast is safe, because the query was parsed with the fields of this operation.
  const values = query.values as never;
  const planning = { snapshots, now: clock.now(), settingOf };
  const observed = reads.map(async ([name, read]) => {
    if ("plans" in read) {
      return [name, await Promise.all(read.plans(values).map((plan) => readOnDemand(read, plan)))] as const;
    }
    const plan: unknown = "planFrom" in read ? read.planFrom(values, planning) : read.plan(values);
    return [name, plan === undefined ? notRequested : await readOnDemand(read, plan)] as const;
  });
  return Object.fromEntries(await Promise.all(observed));
}

const notRequested: Observed = { state: "not-asked", fetchedAt: 0, expiresAt: Number.POSITIVE_INFINITY };

/** All observations as one list, whether they come from single reads or from lists of reads. */
export function allOf(observations: Observations): readonly Observed[] {
  return Object.values(observations).flat();
}

/** The stamp of the inputs: equal stamps mean equal inputs. Most operations read one dataset and reuse its stamp. */
export function stampOf({ question, snapshots, observations }: Ingredients): string {
  // An explanation shows attempts too: it contains the state of the parts after the latest run.
  const showsAttempts = question.registered.operation.showsAttempts || question.query.explained;
  let stamp = "";
  for (const name in snapshots) {
    const snapshot = snapshots[name] as Snapshot<unknown>;
    const own = snapshotStamp(snapshot);
    stamp = stamp === "" ? own : `${stamp}|${own}`;
    if (showsAttempts) stamp += attemptStamp(snapshot);
  }
  if (observations === noObservations) return stamp;
  for (const { state, fetchedAt } of allOf(observations)) stamp += `|${state} ${fetchedAt}`;
  return stamp;
}

/** Cached stamps by snapshot. The registry returns the same object until something changes. */
const stamps = new WeakMap<Snapshot<unknown>, string>();

function snapshotStamp(snapshot: Snapshot<unknown>): string {
  let stamp = stamps.get(snapshot);
  if (stamp === undefined) {
    const { state } = snapshot;
    stamp = snapshot.available ? `${state} ${versionOf(snapshot)}` : state;
    stamps.set(snapshot, stamp);
  }
  return stamp;
}

/**
 * The content version of an answer. Unlike a stamp, it contains the state of an available snapshot only if the answer
 * shows attempts.
 */
export function contentOf({ showsAttempts }: AnyOperation, snapshots: Snapshots): string {
  return Object.values(snapshots)
    .map((snapshot) => {
      const content = snapshot.available ? versionOf(snapshot) : snapshot.state;
      return showsAttempts ? content + attemptStamp(snapshot) + ageStamp(snapshot) : content;
    })
    .join(",");
}

/**
 * The state of an available snapshot; empty for `ok`. The stamp of the latest attempt does not reveal this state,
 * because a snapshot can become stale without an attempt.
 */
function ageStamp({ state, available }: Snapshot<unknown>): string {
  return available && state !== "ok" ? ` ${state}` : "";
}

/**
 * The version of a snapshot's content: equal versions mean equal bytes. The build time is included, because answers
 * contain it.
 */
function versionOf({ generation, contentHash, builtAt }: AvailableSnapshot<unknown>): string {
  return `${generation}:${contentHash}:${builtAt}`;
}

function attemptStamp({ attempt }: Snapshot<unknown>): string {
  return attempt ? ` ${attempt.at} ${attempt.ended}` : "";
}

/** The served generations in the form of the header `X-Vigil-Generation`. */
export function generationsOf({ reads }: Question, snapshots: Snapshots): string {
  return generationsText(reads, servedGenerations(reads, snapshots));
}

/** The start of the answer's page in its list, with the served generations. */
export function positionOf({ position, reads }: Question, snapshots: Snapshots): Position {
  return { generations: servedGenerations(reads, snapshots), offset: position?.offset ?? 0 };
}

/** The served generation of each dataset read; 0 if there is none. */
function servedGenerations(reads: Question["reads"], snapshots: Snapshots): readonly number[] {
  return reads.map(([name]) => generationOf(snapshots[name]));
}

function generationOf(snapshot: Snapshot<unknown> | undefined): number {
  return snapshot?.available ? snapshot.generation : 0;
}

/** Build time of the newest served snapshot, epoch ms; undefined if none is served. */
export function lastModifiedAt(snapshots: Snapshots): number | undefined {
  const builtAt = Object.values(snapshots).flatMap((snapshot) => (snapshot.available ? [snapshot.builtAt] : []));
  return builtAt.length === 0 ? undefined : Math.max(...builtAt);
}
