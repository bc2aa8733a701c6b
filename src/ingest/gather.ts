import { setMaxListeners } from "node:events";
import { countingTally, type RowTally } from "../contract/row-tally.js";
import { type Gather, type GatheredOutcome, SourceFailure } from "../contract/source.js";
import { SECOND_MS } from "../kit/clock.js";
import type { RequestProvenance, Validators } from "../snapshots/provenance.js";
import { TimeLimitReached } from "../upstream/time-limit.js";
import { type Lanes, lanesOf } from "./lanes.js";
import { countLeftOut } from "./read-rows.js";
import { failureReport, provenanceOf, reportOf, usableValidators, validatorsOf } from "./request-report.js";
import type { PlannedRequest } from "./requests.js";
import type { ReadingTools, SourceQuestion, SourceReading } from "./source-reading.js";

/** The outcome of one request. */
interface Answered {
  readonly outcome: GatheredOutcome;
  readonly records: readonly unknown[];
  readonly provenance?: RequestProvenance;
  readonly validators?: Validators | undefined;
}

export interface GatherQuestion extends SourceQuestion {
  readonly credentials: Readonly<Record<string, string>>;
  readonly gather: Gather;
}

interface CountedQuestion extends GatherQuestion {
  /** Counts the rows that are left out. */
  readonly tally: RowTally;
}

/**
 * Reads a source whose step declares `gather`: many independent requests, of which some may fail. Runs all of them
 * within the time limit of the run. The next request always goes to the host with the fewest running requests. A
 * request that fails or is late yields only a failure record. Throws only if the run is cancelled or the plan has more
 * requests than the source may send.
 */
export async function gather(
  tools: ReadingTools,
  question: GatherQuestion,
  requests: readonly PlannedRequest[],
): Promise<SourceReading> {
  const { source, plan, gather: policy } = question;
  const tally = countingTally();
  if (requests.length > policy.requestsMax) {
    throw new SourceFailure(
      "changed",
      `${source.id} calls for ${requests.length} requests; expected ${policy.requestsMax} at most`,
    );
  }
  const byKey = await allWithin(
    tools,
    { ...question, tally },
    lanesOf(requests, ({ url }) => new URL(url).host),
  );
  question.signal?.throwIfAborted();
  const answers = requests.map((request) => [request, byKey.get(request.key) ?? late(question, "unasked")] as const);
  tally.made("outcome of a request", answers.length);
  return {
    rowsRead: answers.reduce((sum, [, { provenance }]) => sum + (provenance?.rowsRead ?? 0), 0),
    tally,
    records: answers.flatMap(([{ context }, { records, outcome }]) => [...records, policy.outcome(context, outcome)]),
    lacks: [],
    leansOnKept: false,
    provenance: Object.fromEntries(
      answers.flatMap(([{ key }, { provenance }]) => (provenance ? [[key, provenance]] : [])),
    ),
    validators: Object.fromEntries(
      answers.flatMap(([{ key }, { validators }]) => (validators ? [[key, validators]] : [])),
    ),
    gatheredKeys: new Set(policy.keysOf(plan)),
    isCutShort: byKey.size < requests.length,
    failure: undefined,
  };
}

/** Returns the outcomes of the requests that were sent within the time limit, by request key. */
async function allWithin(
  tools: ReadingTools,
  question: CountedQuestion,
  lanes: Lanes<PlannedRequest>,
): Promise<ReadonlyMap<string, Answered>> {
  const { gather: policy } = question;
  const byKey = new Map<string, Answered>();
  const over = new AbortController();
  const done = new AbortController();
  const signal = question.signal ? AbortSignal.any([question.signal, over.signal]) : over.signal;
  // Every running request adds a listener, and Node would report more than ten listeners as a leak.
  setMaxListeners(policy.parallelMax * 4, signal);
  tools.clock.sleep(policy.timeLimitMs, done.signal).then(
    () => over.abort(new TimeLimitReached(policy.timeLimitMs)),
    () => undefined,
  );
  const worker = async (): Promise<void> => {
    for (let turn = lanes.next(); turn !== undefined && !signal.aborted; turn = lanes.next()) {
      const { request } = turn;
      const answered = await readOne(tools, question, request, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        return late(question, "begun");
      });
      byKey.set(request.key, answered);
      turn.end();
    }
  };
  try {
    await Promise.all(Array.from({ length: policy.parallelMax }, worker));
  } finally {
    done.abort();
  }
  return byKey;
}

/** Reads one answer. Rejects only if the run is cancelled or has reached its time limit. */
async function readOne(
  tools: ReadingTools,
  question: CountedQuestion,
  request: PlannedRequest,
  signal: AbortSignal,
): Promise<Answered> {
  const { source, credentials, gather: policy } = question;
  const { clock } = tools;
  const { step, context } = request;
  const sent = { step, context, sentAt: clock.now() };
  try {
    const conditions = policy.isStored(context) ? usableValidators(question, request, tools.version) : undefined;
    const call = { signal, ...(conditions && { validators: conditions }) };
    const answer = await tools.tokens.fetch(tools.client, source, credentials, request, call);
    const reading = answer.notModified
      ? undefined
      : await tools.readRows(source, request, answer.bytes, answer.contentType);
    question.onReport?.(reportOf(question, request, answer, reading));
    question.onOutcome?.({ ...sent, isRead: true, failure: undefined });
    const validators = validatorsOf(request, answer, tools.version);
    if (!reading) return { outcome: { state: "unchanged" }, records: [], validators };
    countLeftOut(question.tally, reading.leftOut);
    return {
      outcome: { state: reading.records.length > 0 ? "ok" : "empty" },
      records: policy.keep(reading.records, clock.now(), question.tally),
      provenance: provenanceOf(source, answer, reading),
      validators,
    };
  } catch (error) {
    const failure = error instanceof SourceFailure && !signal.aborted ? error : undefined;
    question.onOutcome?.({ ...sent, isRead: false, failure });
    signal.throwIfAborted();
    question.onReport?.(failureReport(question, request, undefined, error, clock.now()));
    return failed(error);
  }
}

const ERROR_LENGTH_MAX = 300;

/**
 * The outcome of a request that failed. If an internal error occurs while the service reads the answer, only this
 * request fails, and the error is reported like any other failure.
 */
function failed(error: unknown): Answered {
  const message = error instanceof Error ? error.message : String(error);
  const sentence =
    error instanceof SourceFailure ? message : `an internal error occurred while reading the answer: ${message}`;
  return { outcome: { state: "failed", error: sentence.slice(0, ERROR_LENGTH_MAX) }, records: [] };
}

function late({ gather: { timeLimitMs } }: GatherQuestion, how: "begun" | "unasked"): Answered {
  const time = `within the ${timeLimitMs / SECOND_MS} s of the run`;
  const outcome: GatheredOutcome =
    how === "begun"
      ? { state: "timeout", error: `no complete answer ${time}` }
      : { state: "unasked", error: `not sent ${time}` };
  return { outcome, records: [] };
}
