import type { AnyPart, RunGiven } from "../contract/dataset.js";
import { type AnySource, SourceFailure } from "../contract/source.js";
import type { RequestProvenance, SourceRunReport, StoredPartStatus } from "../snapshots/provenance.js";
import { type ReadingTools, readSource, type SourceReading, type StepOutcome } from "./read-source.js";
import { recordFault } from "./record-faults.js";
import { firstRequests } from "./requests.js";

/** A part as the previous run left it. */
export interface PartBefore {
  readonly records: readonly unknown[];
  readonly provenance: Readonly<Record<string, RequestProvenance>>;
  readonly status: StoredPartStatus | undefined;
  /** Its memory; undefined for a part without one. */
  readonly memory: unknown;
}

/** A part after this run; `failure` says why its records are not fresh. */
export interface PartAfter {
  readonly records: readonly unknown[];
  readonly provenance: Readonly<Record<string, RequestProvenance>>;
  readonly status: StoredPartStatus;
  readonly failure: SourceFailure | undefined;
  /** The progress that its sources reported of the run. */
  readonly progress: readonly unknown[];
  /** True when an upstream answered for it in this run, or need not be asked. */
  readonly isRead: boolean;
  /** True when the time of the run was over before each of its requests had a turn. */
  readonly isCutShort?: boolean;
}

type Outcome = Omit<PartAfter, "progress">;

interface PartRun {
  readonly signal: AbortSignal;
  readonly onReport: (report: SourceRunReport) => void;
}

/**
 * Reads a part from the first of its sources that can be read. A failure leaves the kept records standing; anything
 * that is not a `SourceFailure` is an internal error and is thrown on.
 */
export async function readPart(
  tools: ReadingTools,
  name: string,
  part: AnyPart,
  before: PartBefore,
  run: PartRun,
): Promise<PartAfter> {
  const sound = { ...before, records: soundRecords(part, before.records, tools.clock.now()) };
  const progress: unknown[] = [];
  const after = await readPlanned(tools, name, part, sound, { ...run, tell: (told) => progress.push(...told) });
  return { ...after, progress };
}

/**
 * The kept records that would be taken from an upstream today. Another version may have stored what is refused now, and
 * what is asked next must not depend on that.
 */
function soundRecords({ sources }: AnyPart, records: readonly unknown[], now: number): readonly unknown[] {
  const isSound = (record: unknown): boolean =>
    sources.some((source) => recordFault(source, record, now) === undefined);
  return sources.length === 0 || records.every(isSound) ? records : records.filter(isSound);
}

async function readPlanned(
  tools: ReadingTools,
  name: string,
  part: AnyPart,
  before: PartBefore,
  { tell, ...run }: PartRun & { readonly tell: (progress: readonly unknown[]) => void },
): Promise<Outcome> {
  const now = tools.clock.now();
  const { records, memory } = before;
  const plan: unknown = part.plan({ kept: records, memory, now, settingOf: tools.settingOf });
  if (plan === undefined) return unplanned(part, before, now);
  let failure: SourceFailure | undefined;
  let unconfigured: SourceFailure | undefined;
  for (const source of part.sources) {
    const validators = before.records.length > 0 ? before.status?.validators : undefined;
    const outcomes: StepOutcome[] = [];
    try {
      const question = { part: name, source, plan, ...run, onOutcome: (sent: StepOutcome) => outcomes.push(sent) };
      const reading = await readSource(tools, {
        ...question,
        ...(validators && canLean(part, source, plan) && { validators }),
        fillsUp: part.fillsUp === true,
      });
      return fresh(
        part,
        before,
        { ...reading, passedOver: failure ?? reading.passedOver },
        { now: tools.clock.now(), settingOf: tools.settingOf },
      );
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      if (error.kind === "unconfigured") unconfigured ??= error;
      failure = worse(failure, error);
    } finally {
      tell(progressOf(source, outcomes));
    }
  }
  const reason = failure ?? new SourceFailure("unconfigured", `${name} has no source`);
  return kept(part, before, tools.clock.now(), namingSetting(reason, unconfigured));
}

/** Collects the progress that a source reports of its requests. */
function progressOf(source: AnySource, outcomes: readonly StepOutcome[]): readonly unknown[] {
  if (!source.progress) return [];
  const steps = Object.entries(source.steps);
  const byStep = steps.map(([name, step]) => [name, outcomes.filter((sent) => sent.step === step)] as const);
  return source.progress(Object.fromEntries(byStep));
}

/** A failure where another source could have been asked with a setting: that sentence belongs to it. */
function namingSetting(failure: SourceFailure, unconfigured: SourceFailure | undefined): SourceFailure {
  if (unconfigured === undefined || failure.kind === "unconfigured") return failure;
  const { kind, message, status, retryAt } = failure;
  return new SourceFailure(kind, `${message}; ${unconfigured.message}`, { status, retryAt, cause: failure });
}

/** True if a "not modified" can be used: the records that it stands for must be distinguishable from the others. */
function canLean(part: AnyPart, source: AnySource, plan: unknown): boolean {
  if (part.merge !== undefined) return true;
  const isFollowed = Object.values(source.steps).some(({ more, next }) => more !== undefined || next !== undefined);
  return !isFollowed && firstRequests(source, plan).length === 1;
}

/** Of two failures the one to report: a missing key matters only when nothing else was tried. */
function worse(first: SourceFailure | undefined, second: SourceFailure): SourceFailure {
  return first === undefined || first.kind === "unconfigured"
    ? second
    : second.kind === "unconfigured"
      ? first
      : second;
}

/** Nothing is to be asked: all is there, or the turn of no request has come since the last reading failed. */
function unplanned(part: AnyPart, before: PartBefore, now: number): Outcome {
  const error = before.status?.error ?? null;
  if (error === null) return complete(before, now);
  // Told as it was, but no failure of this run, which would only hasten the next one.
  return { ...kept(part, before, now, new SourceFailure("empty", error)), failure: undefined };
}

/** There is nothing more to ask: what is kept is all there will ever be. */
function complete({ records, provenance, status }: PartBefore, now: number): Outcome {
  const validators = status?.validators ?? {};
  return {
    records,
    provenance,
    status: { state: "fresh", confirmedAt: now, error: null, validators },
    failure: undefined,
    isRead: true,
  };
}

interface ReadBehind extends Omit<SourceReading, "passedOver"> {
  /** The failure of a source before, or of its own account. */
  readonly passedOver: SourceFailure | undefined;
}

function fresh(part: AnyPart, before: PartBefore, reading: ReadBehind, given: RunGiven): Outcome {
  const { now } = given;
  const merged = part.merge
    ? part.merge(before.records, reading.records, { ...given, memory: before.memory })
    : reading.leansOnKept
      ? before.records
      : reading.records;
  const accumulates = part.merge !== undefined || reading.leansOnKept;
  const records = part.select ? part.select(merged, now) : merged;
  const { failure, gatheredKeys, isCutShort = false, passedOver, lacks } = reading;
  const earlier = gatheredKeys ? ofKeys(before.provenance, gatheredKeys) : before.provenance;
  const standing = {
    validators: gatheredKeys
      ? { ...ofKeys(before.status?.validators ?? {}, gatheredKeys), ...reading.validators }
      : reading.validators,
    // A source that nobody has set up is not worth a word.
    ...(passedOver && passedOver.kind !== "unconfigured" && { passedOver: passedOver.message }),
    ...(lacks.length > 0 && { lacking: lacks.join("; ") }),
  };
  return {
    records,
    provenance: accumulates ? { ...earlier, ...reading.provenance } : reading.provenance,
    status: failure
      ? { state: "kept", confirmedAt: before.status?.confirmedAt ?? now, error: failure.message, ...standing }
      : { state: "fresh", confirmedAt: now, error: null, ...standing },
    failure,
    isRead: true,
    isCutShort,
  };
}

function ofKeys<T>(values: Readonly<Record<string, T>>, keys: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => keys.has(key)));
}

function kept(part: AnyPart, before: PartBefore, now: number, failure: SourceFailure): Outcome {
  if (failure.kind === "unconfigured" && part.optional === true) return off(failure);
  const isTooOld = now - (before.status?.confirmedAt ?? now) >= (part.keptMaxMs ?? Number.POSITIVE_INFINITY);
  const hasRecords = before.records.length > 0 && !isTooOld;
  return {
    records: hasRecords ? before.records : [],
    provenance: hasRecords ? before.provenance : {},
    status: {
      state: hasRecords ? "kept" : "missing",
      confirmedAt: hasRecords ? (before.status?.confirmedAt ?? null) : null,
      error: failure.message,
      validators: hasRecords ? (before.status?.validators ?? {}) : {},
    },
    failure,
    isRead: false,
  };
}

/** An optional part that nobody has configured, or no longer: what it once held is not served on. */
function off({ message }: SourceFailure): Outcome {
  return {
    records: [],
    provenance: {},
    status: { state: "off", confirmedAt: null, error: message, validators: {} },
    failure: undefined,
    isRead: false,
  };
}
