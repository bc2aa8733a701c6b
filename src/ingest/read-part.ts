import type { AnyPart } from "../contract/dataset.js";
import { SourceFailure } from "../contract/source.js";
import type { RequestProvenance, SourceRunReport, StoredPartStatus } from "../snapshots/provenance.js";
import { type ReadingTools, readSource, type SourceReading } from "./read-source.js";

/** A part as the previous run left it. */
export interface PartBefore {
  readonly records: readonly unknown[];
  readonly provenance: Readonly<Record<string, RequestProvenance>>;
  readonly status: StoredPartStatus | undefined;
}

/** A part after this run; `failure` says why its records are not fresh. */
export interface PartAfter {
  readonly records: readonly unknown[];
  readonly provenance: Readonly<Record<string, RequestProvenance>>;
  readonly status: StoredPartStatus;
  readonly failure: SourceFailure | undefined;
}

/**
 * Reads a part from the first of its sources that can be read. A failure leaves the kept records standing; anything
 * that is not a `SourceFailure` is a fault of ours and thrown on.
 */
export async function readPart(
  tools: ReadingTools,
  name: string,
  part: AnyPart,
  before: PartBefore,
  run: { readonly signal: AbortSignal; readonly onReport: (report: SourceRunReport) => void },
): Promise<PartAfter> {
  const plan: unknown = part.plan({ kept: before.records, now: tools.clock.now() });
  let failure: SourceFailure | undefined;
  for (const source of part.sources) {
    const validators = before.records.length > 0 ? before.status?.validators : undefined;
    try {
      const question = { part: name, source, plan, ...run };
      const canLean = part.merge !== undefined || source.requests(plan, emptyCredentials).length === 1;
      const reading = await readSource(tools, { ...question, ...(validators && canLean && { validators }) });
      return fresh(part, before, reading, tools.clock.now());
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      failure = worse(failure, error);
    }
  }
  return kept(before, failure ?? new SourceFailure("unconfigured", `${name} has no source`));
}

/** Enough to count a source's requests, which never depends on what the credentials are. */
const emptyCredentials: Readonly<Record<string, string>> = {};

/** Of two failures the one to report: a missing key matters only when nothing else was tried. */
function worse(first: SourceFailure | undefined, second: SourceFailure): SourceFailure {
  return first === undefined || first.kind === "unconfigured"
    ? second
    : second.kind === "unconfigured"
      ? first
      : second;
}

function fresh(part: AnyPart, before: PartBefore, reading: SourceReading, now: number): PartAfter {
  const merged = part.merge
    ? part.merge(before.records, reading.records)
    : reading.leansOnKept
      ? before.records
      : reading.records;
  const accumulates = part.merge !== undefined || reading.leansOnKept;
  return {
    records: merged,
    provenance: accumulates ? { ...before.provenance, ...reading.provenance } : reading.provenance,
    status: { state: "fresh", confirmedAt: now, error: null, validators: reading.validators },
    failure: undefined,
  };
}

function kept(before: PartBefore, failure: SourceFailure): PartAfter {
  const hasRecords = before.records.length > 0;
  return {
    records: before.records,
    provenance: before.provenance,
    status: {
      state: hasRecords ? "kept" : "missing",
      confirmedAt: hasRecords ? (before.status?.confirmedAt ?? null) : null,
      error: failure.message,
      validators: before.status?.validators ?? {},
    },
    failure,
  };
}
