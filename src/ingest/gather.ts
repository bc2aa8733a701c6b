import { setMaxListeners } from "node:events";
import { type Gather, type GatheredOutcome, SourceFailure } from "../contract/source.js";
import { SECOND_MS } from "../kit/clock.js";
import type { RequestProvenance, Trouble, Validators } from "../snapshots/provenance.js";
import { TimeLimitReached } from "../upstream/time-limit.js";
import { type GatheredAnswers, gatheredAnswers, type Reusable } from "./gathered-answers.js";
import { type Lanes, lanesOf } from "./lanes.js";
import type { ReadingTools, SourceQuestion, SourceReading } from "./read-source.js";
import { failureReport, provenanceOf, reportOf, validatorsOf, withoutOrigin } from "./request-report.js";
import type { PlannedRequest } from "./requests.js";

/** The outcome of one request, shared between runs. */
export interface Answered extends Reusable, GatheredOutcome {
  readonly records: readonly unknown[];
  readonly provenance: RequestProvenance | undefined;
  readonly validators: Validators | undefined;
}

/** Answers for all gathered sources of a process: a few records of half a kilobyte for each request. */
export function newGatheredAnswers(): GatheredAnswers<Answered> {
  const bytesOf = ({ records }: Answered): number => JSON.stringify(records).length * 2;
  return gatheredAnswers({ entriesMax: 2_000, bytesMax: 32_000_000, bytesOf });
}

export interface GatherQuestion extends SourceQuestion {
  readonly credentials: Readonly<Record<string, string>>;
  readonly gather: Gather;
}

/**
 * Runs all requests within the time of the run, round-robin over lanes. Each stands for itself: those that fail, or that
 * time is over for, give the record of that and no others. Throws only when the run itself is cancelled, or asks for more
 * than its source may.
 */
export async function gather(
  tools: ReadingTools,
  question: GatherQuestion,
  requests: readonly PlannedRequest[],
): Promise<SourceReading> {
  const { source, gather: policy, troubles = {} } = question;
  if (requests.length > policy.requestsMax) {
    throw new SourceFailure(
      "changed",
      `${source.id} calls for ${requests.length} requests; expected ${policy.requestsMax} at most`,
    );
  }
  const lanes = lanesOf(requests, {
    laneOf: ({ context }) => policy.laneOf(context),
    isDoubtful: ({ key }) => troubles[key] !== undefined,
  });
  const found = await allWithin(tools, question, lanes);
  question.signal?.throwIfAborted();
  const answers = requests.map((request) => [request, found.get(request.key) ?? late(question, "unasked")] as const);
  return {
    records: answers.flatMap(([request, answered]) => [
      ...answered.records,
      policy.outcome(request.context, outcomeOf(answered)),
    ]),
    lacks: [],
    leansOnKept: false,
    provenance: Object.fromEntries(
      answers.flatMap(([{ key }, { provenance }]) => (provenance ? [[key, provenance]] : [])),
    ),
    validators: {},
    gathered: {
      keys: new Set(requests.map(({ key }) => key)),
      troubles: troublesAfter(answers, troubles, tools.clock.now()),
      isCutShort: found.size < requests.length,
    },
    failure: undefined,
  };
}

/** The answers by request key that came before time was over. */
async function allWithin(
  tools: ReadingTools,
  question: GatherQuestion,
  lanes: Lanes<PlannedRequest>,
): Promise<ReadonlyMap<string, Answered>> {
  const { gather: policy } = question;
  const found = new Map<string, Answered>();
  const over = new AbortController();
  const done = new AbortController();
  const signal = question.signal ? AbortSignal.any([question.signal, over.signal]) : over.signal;
  // Every request under way listens, and Node takes more than ten listeners for a leak.
  setMaxListeners(policy.parallelMax * 4, signal);
  tools.clock.sleep(policy.timeLimitMs, done.signal).then(
    () => over.abort(new TimeLimitReached(policy.timeLimitMs)),
    () => undefined,
  );
  const worker = async (): Promise<void> => {
    for (let turn = lanes.next(); turn !== undefined && !signal.aborted; turn = lanes.next()) {
      const { request } = turn;
      const answered = await answerTo(tools, question, request, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        return late(question, "begun");
      });
      found.set(request.key, answered);
      turn.end();
    }
  };
  try {
    await Promise.all(Array.from({ length: policy.parallelMax }, worker));
  } finally {
    done.abort();
  }
  return found;
}

function answerTo(
  tools: ReadingTools,
  question: GatherQuestion,
  request: PlannedRequest,
  signal: AbortSignal,
): Promise<Answered> {
  const key = `${question.source.id} ${request.url}`;
  return tools.gathered.get(key, tools.clock.now(), signal, (good, during) =>
    readOne(tools, question, request, good, during),
  );
}

/** One answer of an upstream. Rejects only when nobody waits for it any more. */
async function readOne(
  tools: ReadingTools,
  question: GatherQuestion,
  request: PlannedRequest,
  good: Answered | undefined,
  signal: AbortSignal,
): Promise<Answered> {
  const { source, credentials, gather: policy } = question;
  const { clock } = tools;
  try {
    const validators = good?.validators;
    const call = { signal, ...(validators && { validators: withoutOrigin(validators) }) };
    const answer = await tools.tokens.fetch(tools.client, source, credentials, request, call);
    const until = (state: Answered["state"]): number =>
      clock.now() + (state === "ok" ? policy.reuseMs : policy.reuseEmptyMs);
    if (answer.notModified && good) {
      question.onReport?.(reportOf(question, request, answer, undefined));
      return { ...good, readAt: answer.fetchedAt, until: until(good.state) };
    }
    const reading = await tools.readRows(source, request, answer.bytes, answer.contentType);
    question.onReport?.(reportOf(question, request, answer, reading));
    const { records, counts } = policy.keep(reading.records, clock.now());
    const state = reading.records.length > 0 ? "ok" : "empty";
    return {
      state,
      records,
      counts,
      readAt: answer.fetchedAt,
      until: until(state),
      isGood: true,
      provenance: provenanceOf(source, answer, reading),
      validators: validatorsOf(request, answer, tools.version),
    };
  } catch (error) {
    signal.throwIfAborted();
    question.onReport?.(failureReport(question, request, undefined, error, clock.now()));
    return failed(error, clock.now() + policy.reuseEmptyMs);
  }
}

const ERROR_LENGTH_MAX = 300;

/** A fault of ours in reading one of many answers costs that one alone, and is told like any other failure. */
function failed(error: unknown, until: number): Answered {
  const message = error instanceof Error ? error.message : String(error);
  const sentence = error instanceof SourceFailure ? message : `reading it met a fault of ours: ${message}`;
  return { ...nothing, state: "failed", error: sentence.slice(0, ERROR_LENGTH_MAX), until };
}

function late({ gather: { timeLimitMs } }: GatherQuestion, how: "begun" | "unasked"): Answered {
  const time = `the ${timeLimitMs / SECOND_MS} s of the run were over`;
  const error = how === "begun" ? `no complete answer when ${time}` : `its turn had not come when ${time}`;
  return { ...nothing, state: "timeout", error };
}

const nothing = {
  records: [],
  counts: {},
  until: 0,
  isGood: false,
  provenance: undefined,
  validators: undefined,
} satisfies Partial<Answered>;

function outcomeOf({ state, error, readAt, counts }: Answered): GatheredOutcome {
  return { state, counts, ...(error !== undefined && { error }), ...(readAt !== undefined && { readAt }) };
}

/** The requests without an answer, each with the time since which it has none. */
function troublesAfter(
  answers: readonly (readonly [PlannedRequest, Answered])[],
  before: Readonly<Record<string, Trouble>>,
  now: number,
): Readonly<Record<string, Trouble>> {
  return Object.fromEntries(
    answers.flatMap(([{ key }, { state, error = null }]) =>
      state === "ok" ? [] : [[key, { state, since: before[key]?.since ?? now, error }]],
    ),
  );
}
