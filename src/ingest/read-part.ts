import type { AnyPart, DatasetContext } from "../contract/dataset.js";
import { among, countingTally, identityOf } from "../contract/row-tally.js";
import { type AnySource, SourceFailure } from "../contract/source.js";
import { accountOf, accountOfKept, type PartAccount } from "../snapshots/builds/build-account.js";
import type { RequestProvenance, SourceRunReport, StoredPartStatus } from "../snapshots/provenance.js";
import { internalFailure, type PartFailure } from "./part-failure.js";
import { readSource } from "./read-source.js";
import { recordFault } from "./record-faults.js";
import { firstRequests } from "./requests.js";
import { wasCancelled } from "./run.js";
import type { ReadingTools, SourceReading, StepOutcome } from "./source-reading.js";

/** The state of a part after the previous run. */
export interface PartBefore {
  readonly records: readonly unknown[];
  readonly provenance: Readonly<Record<string, RequestProvenance>>;
  readonly status: StoredPartStatus | undefined;
  /** The part's memory; undefined for a part without memory. */
  readonly memory: unknown;
  /**
   * The row counts of the build that stored the records; undefined if an earlier version of the software stored them.
   */
  readonly account?: PartAccount | undefined;
}

/**
 * The state of a part after this run. `failure` is the failure of this run to read all of the part; undefined if the
 * part was read completely, was not due or is switched off.
 */
export interface PartAfter {
  readonly records: readonly unknown[];
  readonly provenance: Readonly<Record<string, RequestProvenance>>;
  readonly status: StoredPartStatus;
  readonly account: PartAccount;
  readonly failure: PartFailure | undefined;
  /** The progress that the part's sources reported in this run. */
  readonly progress: readonly unknown[];
  /** True if an upstream answered for the part in this run, or if the part is complete and needed no request. */
  readonly isRead: boolean;
  /** True if the run reached its time limit before all requests were sent. */
  readonly isCutShort?: boolean;
}

type Outcome = Omit<PartAfter, "progress">;

interface PartRun {
  readonly signal: AbortSignal;
  readonly onReport: (report: SourceRunReport) => void;
  /** Called with the internal error that ended the reading. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Reads a part from its first readable source. If all sources fail, the stored records are kept, unless they are too
 * old, or the part is optional and not configured. An error other than `SourceFailure` is internal: it is passed to
 * `onFault`, and the part fails with it. Throws only if the run is cancelled.
 */
export async function readPart(
  tools: ReadingTools,
  name: string,
  part: AnyPart,
  before: PartBefore,
  run: PartRun,
): Promise<PartAfter> {
  const progress: unknown[] = [];
  let standing = before;
  let refused: readonly unknown[] = [];
  let outcome: Outcome;
  try {
    const accepted = soundRecords(part, before.records, tools.clock.now());
    const isSound = among(accepted);
    refused = accepted === before.records ? [] : before.records.filter((record) => !isSound(record));
    // The row counts describe the records as they were stored, so the counts are dropped if records are rejected now.
    const account = refused.length === 0 ? before.account : undefined;
    standing = { ...before, records: part.carriedOver?.(accepted) ?? accepted, account };
    const tell = (reports: readonly unknown[]): void => void progress.push(...reports);
    outcome = await readPlanned(tools, name, part, standing, { ...run, tell });
  } catch (error) {
    if (wasCancelled(run.signal)) throw error;
    run.onFault(error);
    outcome = kept(part, standing, tools.clock.now(), internalFailure(error));
  }
  return { ...outcome, account: withRefused(outcome.account, refused), progress };
}

/**
 * If today's checks reject kept records, adds these records to the part's account as left-out rows. An account that
 * counts no earlier records stays unchanged.
 */
function withRefused(account: PartAccount, refused: readonly unknown[]): PartAccount {
  if (refused.length === 0 || account.earlier === 0) return account;
  const leftOut = { rule: "no longer valid", count: refused.length, example: identityOf(refused[0]) };
  return { ...account, earlier: account.earlier + refused.length, leftOut: [leftOut, ...account.leftOut] };
}

/**
 * Returns the kept records that pass today's checks. An earlier version may have stored records that are rejected now,
 * and the next request must not depend on them.
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

/** Collects the progress that a source reports on its requests. */
function progressOf(source: AnySource, outcomes: readonly StepOutcome[]): readonly unknown[] {
  if (!source.progress) return [];
  const steps = Object.entries(source.steps);
  const byStep = steps.map(([name, step]) => [name, outcomes.filter((sent) => sent.step === step)] as const);
  return source.progress(Object.fromEntries(byStep));
}

/** Adds to a failure the setting that would make another source available. */
function namingSetting(failure: SourceFailure, unconfigured: SourceFailure | undefined): SourceFailure {
  if (unconfigured === undefined || failure.kind === "unconfigured") return failure;
  const { kind, message, status, retryAt } = failure;
  return new SourceFailure(kind, `${message}; ${unconfigured.message}`, { status, retryAt, cause: failure });
}

/**
 * True if a "not modified" answer can be used. A part that merges new records into the kept ones can always use it. For
 * other parts, the source must send a single request, so that the answer confirms all kept records.
 */
function canLean(part: AnyPart, source: AnySource, plan: unknown): boolean {
  if (part.merge !== undefined) return true;
  const isFollowed = Object.values(source.steps).some(({ more, next }) => more !== undefined || next !== undefined);
  return !isFollowed && firstRequests(source, plan).length === 1;
}

/** Returns `second`, unless there is a `first` and only `second` reports a missing setting: then returns `first`. */
function worse(first: SourceFailure | undefined, second: SourceFailure): SourceFailure {
  return first === undefined || first.kind === "unconfigured"
    ? second
    : second.kind === "unconfigured"
      ? first
      : second;
}

/**
 * The result if no request is due. The part is then complete, or its last read failed and the next attempt is not due
 * yet.
 */
function unplanned(part: AnyPart, before: PartBefore, now: number): Outcome {
  const error = before.status?.error ?? null;
  if (error === null) return complete(before, now);
  // The status keeps the earlier failure, but this run reports no failure, because a failure would bring the next run
  // forward.
  return { ...kept(part, before, now, new SourceFailure("empty", error)), failure: undefined };
}

/** The result if no request is left: the kept records are complete. */
function complete(before: PartBefore, now: number): Outcome {
  const { records, provenance, status } = before;
  const validators = status?.validators ?? {};
  return {
    records,
    account: keptAccount(before),
    provenance,
    status: { state: "fresh", confirmedAt: now, error: null, validators },
    failure: undefined,
    isRead: true,
  };
}

interface ReadBehind extends Omit<SourceReading, "passedOver"> {
  /** The failure of a source tried earlier in this run, or the upstream's refusal of this source's credentials. */
  readonly passedOver: SourceFailure | undefined;
}

function fresh(part: AnyPart, before: PartBefore, reading: ReadBehind, context: DatasetContext): Outcome {
  const { now } = context;
  const { tally } = reading;
  const merged = part.merge
    ? part.merge(before.records, reading.records, { ...context, memory: before.memory, tally })
    : reading.leansOnKept
      ? before.records
      : reading.records;
  const accumulates = part.merge !== undefined || reading.leansOnKept;
  const records = part.select ? part.select(merged, now, tally) : merged;
  const isUntouched = reading.leansOnKept && part.merge === undefined && records.length === before.records.length;
  const earlierCount = accumulates ? before.records.length : 0;
  const { failure, gatheredKeys, isCutShort = false, passedOver, lacks } = reading;
  const earlier = gatheredKeys ? ofKeys(before.provenance, gatheredKeys) : before.provenance;
  const standing = {
    validators: gatheredKeys
      ? { ...ofKeys(before.status?.validators ?? {}, gatheredKeys), ...reading.validators }
      : reading.validators,
    // A source that was passed over because a setting is missing is not reported.
    ...(passedOver && passedOver.kind !== "unconfigured" && { passedOver: passedOver.message }),
    ...(lacks.length > 0 && { lacking: lacks.join("; ") }),
  };
  return {
    records,
    account: isUntouched
      ? keptAccount(before)
      : accountOf(tally, { earlier: earlierCount, read: reading.rowsRead, stored: records.length }),
    provenance: accumulates ? { ...earlier, ...reading.provenance } : reading.provenance,
    status: failure
      ? { state: "kept", confirmedAt: before.status?.confirmedAt ?? now, error: failure.message, ...standing }
      : { state: "fresh", confirmedAt: now, error: null, ...standing },
    failure,
    isRead: true,
    isCutShort,
  };
}

/**
 * Returns the row counts that were stored with the kept records. If these counts are missing or state another number of
 * records, only the kept records are counted.
 */
function keptAccount({ account, records }: PartBefore): PartAccount {
  return account?.stored === records.length ? account : accountOfKept(records);
}

function accountOfDropped(rule: string, records: readonly unknown[]): PartAccount {
  const tally = countingTally();
  tally.leftOut(rule, records[0], records.length);
  return accountOf(tally, { earlier: records.length, read: 0, stored: 0 });
}

function ofKeys<T>(values: Readonly<Record<string, T>>, keys: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => keys.has(key)));
}

function kept(part: AnyPart, before: PartBefore, now: number, failure: PartFailure): Outcome {
  if (failure.kind === "unconfigured" && part.optional === true) return off(before, failure);
  const isTooOld = now - (before.status?.confirmedAt ?? now) >= (part.keptMaxMs ?? Number.POSITIVE_INFINITY);
  const hasRecords = before.records.length > 0 && !isTooOld;
  return {
    records: hasRecords ? before.records : [],
    account: hasRecords ? keptAccount(before) : accountOfDropped("source silent for too long", before.records),
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

/**
 * The result for an optional part that is not (or no longer) configured. Records from an earlier run are not served.
 */
function off(before: PartBefore, { message }: PartFailure): Outcome {
  return {
    records: [],
    account: accountOfDropped("source switched off", before.records),
    provenance: {},
    status: { state: "off", confirmedAt: null, error: message, validators: {} },
    failure: undefined,
    isRead: false,
  };
}
