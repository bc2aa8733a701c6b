import { setMaxListeners } from "node:events";
import { BudgetSpent } from "../contract/budget.js";
import { countingTally, type RowTally } from "../contract/row-tally.js";
import { type AnySource, type AnyStep, BadRow, SourceFailure, type StepResult } from "../contract/source.js";
import type { RequestProvenance, Validators } from "../snapshots/provenance.js";
import { ANSWER_BYTES_MAX, type UpstreamAnswer } from "../upstream/answer.js";
import { budgeted } from "./before-calls.js";
import { gather } from "./gather.js";
import { countLeftOut, type Reading } from "./read-rows.js";
import { failureReport, provenanceOf, reportOf, usableValidators, validatorsOf } from "./request-report.js";
import { firstRequests, insteadOf, type PlannedRequest, stepName } from "./requests.js";
import type { ReadingTools, SourceQuestion, SourceReading } from "./source-reading.js";
import { TokenFailure } from "./tokens.js";

const LISTENERS_PER_REQUEST = 4;
/** Maximum number of requests per source and run, including the further requests that answers call for. */
const REQUESTS_MAX = 250;

/**
 * Reads all records of one source for one plan. The first requests are sent concurrently, except for a part that is
 * filled over several runs (`fillsUp`). The further requests that an answer calls for are sent as soon as the answer
 * has been read. If the upstream refuses the account, or grants it no token, the requests are repeated anonymously,
 * provided that the source declares its account as optional. Throws `SourceFailure`. Every request is reported, even if
 * the reading fails.
 */
export async function readSource(readingTools: ReadingTools, question: SourceQuestion): Promise<SourceReading> {
  const tools = paying(readingTools, question.source);
  const credentials = credentialsFor(question.source, tools);
  try {
    return await readAs(tools, question, credentials);
  } catch (refusal) {
    const hasAccount = Object.keys(credentials).length > 0;
    if (!question.source.auth?.isOptional || !hasAccount || !isOfAccount(refusal) || question.signal?.aborted)
      throw refusal;
    return { ...(await readWithoutAccount(tools, question, refusal)), passedOver: refusal };
  }
}

function isOfAccount(error: unknown): error is SourceFailure {
  return error instanceof TokenFailure || (error instanceof SourceFailure && accountRefused.has(error.status));
}

const accountRefused: ReadonlySet<number | undefined> = new Set([401, 403]);

async function readWithoutAccount(
  tools: ReadingTools,
  question: SourceQuestion,
  refusal: SourceFailure,
): Promise<SourceReading> {
  try {
    return await readAs(tools, question, {});
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    const { kind, status, retryAt } = error;
    const message = `${refusal.message}; without an account: ${error.message}`;
    throw new SourceFailure(kind, message, { status, retryAt, cause: error });
  }
}

type Credentials = Readonly<Record<string, string>>;

async function readAs(tools: ReadingTools, question: SourceQuestion, credentials: Credentials): Promise<SourceReading> {
  const { source, requestsMax = Number.POSITIVE_INFINITY } = question;
  const requests = fewOf(firstRequests(source, question.plan), requestsMax);
  const [gathered] = Object.values(source.steps).flatMap((step) => step.gather ?? []);
  if (gathered) return gather(tools, { ...question, credentials, gather: gathered }, requests);
  // The first failure ends the reading of this source, so the remaining requests are not sent.
  const stop = new AbortController();
  const signal = question.signal ? AbortSignal.any([question.signal, stop.signal]) : stop.signal;
  // Every request adds a listener, and Node would report more than ten listeners as a leak.
  setMaxListeners(REQUESTS_MAX * LISTENERS_PER_REQUEST, signal);
  const read: ReadRequest[] = [];
  let requestCount = 0;
  let left = requestsMax - requests.length;

  async function ask(request: PlannedRequest, place: Place): Promise<void> {
    requestCount += 1;
    if (requestCount > REQUESTS_MAX) throw tooMany(source);
    await askAll(await followers(request, place), place);
  }

  /** Returns the requests that an answer calls for, or the replacements of a failed request. */
  async function followers(request: PlannedRequest, place: Place): Promise<readonly PlannedRequest[]> {
    try {
      const answered = await readInTurn(tools, { ...question, credentials, signal }, request);
      read.push({ ...answered, place });
      const more = (answered.reading?.more ?? []).slice(0, Math.max(0, left));
      left -= more.length;
      return more;
    } catch (error) {
      // An aborted request says nothing about the upstream, so it is not replaced.
      const failure = error instanceof SourceFailure && !signal.aborted ? error : undefined;
      const others = failure && insteadOf(request, failure);
      if (others === undefined) throw error;
      return others;
    }
  }

  async function askAll(plannedRequests: readonly PlannedRequest[], parent: Place): Promise<void> {
    const all = plannedRequests.map((request, index) =>
      ask(request, [...parent, index]).catch((error: unknown) => stop.abort(error)),
    );
    await Promise.all(all);
  }

  // The requests of a part that is filled over several runs (`fillsUp`) are sent one by one. If one fails, the answers
  // before it are complete and can be kept.
  if (question.fillsUp !== true) await askAll(requests, []);
  else for (const [index, request] of requests.entries()) if (!stop.signal.aborted) await askAll([request], [index]);
  read.sort(byPlace);
  if (!stop.signal.aborted) return combined(source, read, undefined);
  const { reason } = stop.signal;
  if (question.fillsUp !== true || read.length === 0 || !(reason instanceof SourceFailure)) throw reason;
  try {
    return combined(source, read, reason);
  } catch (error) {
    // The failure that ended the reading is more informative than the empty answers before it.
    throw error instanceof SourceFailure ? reason : error;
  }
}

/**
 * The position of a request in the tree of requests. A first request has its own index, for example `[2]`. The
 * requests that follow from it have the positions `[2, 0]`, `[2, 1]` and so on. If the first requests are sent one by
 * one, each has a second number: `[0, 0]`, `[1, 0]` and so on.
 */
type Place = readonly number[];

/**
 * Compares answers by position, whatever the order of their arrival: all answers of one depth come before those of the
 * next.
 */
function byPlace({ place: a }: Placed, { place: b }: Placed): number {
  if (a.length !== b.length) return a.length - b.length;
  const index = a.findIndex((number, depth) => number !== b[depth]);
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

/**
 * Returns at most `max` requests: all of them or, if there are more, the first `max - 1` and the last one, which asks
 * for the newest data.
 */
function fewOf(requests: readonly PlannedRequest[], max: number): readonly PlannedRequest[] {
  return requests.length <= max ? requests : [...requests.slice(0, max - 1), ...requests.slice(-1)];
}

/** Returns tools whose client takes a budget unit for each call, if the source names a budget. */
function paying(tools: ReadingTools, { budgets: names }: AnySource): ReadingTools {
  return names === undefined ? tools : { ...tools, client: budgeted(tools.client, tools.budgets, names) };
}

function tooMany({ id }: AnySource): SourceFailure {
  return new SourceFailure("changed", `${id} calls for more than ${REQUESTS_MAX} requests; expected fewer`);
}

/**
 * Returns the credentials of a source. If a setting prevents calls of the source, throws a `SourceFailure` of the kind
 * "unconfigured" that names the setting.
 */
function credentialsFor(source: AnySource, tools: SourceSettings): Readonly<Record<string, string>> {
  const lacking = lackedSetting(source, tools);
  if (lacking !== undefined) throw new SourceFailure("unconfigured", lacking);
  // An optional account with only some of its settings has been refused above, so either all or none of its settings
  // are set.
  return Object.fromEntries(
    source.credentials.flatMap(({ variable }) => {
      const value = tools.credentials[variable];
      return value ? [[variable, value]] : [];
    }),
  );
}

/** The settings that decide whether a source can be called. */
export type SourceSettings = Pick<ReadingTools, "credentials" | "openLicencesOnly">;

/** If a setting prevents calls of the source, returns a sentence that names the setting; otherwise undefined. */
export function lackedSetting(source: AnySource, tools: SourceSettings): string | undefined {
  if (tools.openLicencesOnly && !source.licence.open) return `${source.id} is switched off by VIGIL_LICENCE_MODE=open`;
  const unset = source.credentials.filter(({ variable }) => !tools.credentials[variable]);
  if (source.auth?.isOptional && unset.length === source.credentials.length) return undefined;
  return unset[0] && `${source.id} needs ${unset[0].variable}`;
}

interface Placed {
  readonly place: Place;
}

/** The outcome of one request, without the bytes of its answer, so that these are freed before the next request. */
interface AnsweredRequest {
  readonly request: PlannedRequest;
  /** Undefined when the answer was "not modified". */
  readonly reading: Reading | undefined;
  readonly provenance: RequestProvenance | undefined;
  readonly validators: Validators | undefined;
}

interface ReadRequest extends AnsweredRequest, Placed {}

interface AuthorisedQuestion extends SourceQuestion {
  readonly credentials: Readonly<Record<string, string>>;
}

/**
 * Reads one answer. Answers that may exceed the usual limit are requested and read one at a time, because each takes
 * several times its size in memory.
 */
async function readInTurn(
  tools: ReadingTools,
  question: AuthorisedQuestion,
  request: PlannedRequest,
): Promise<AnsweredRequest> {
  if ((request.bytesMax ?? 0) <= ANSWER_BYTES_MAX) return readRequest(tools, question, request);
  await tools.largeAnswers.take();
  try {
    return await readRequest(tools, question, request);
  } finally {
    tools.largeAnswers.give();
  }
}

/** Requests, reads and reports one answer. */
async function readRequest(
  tools: ReadingTools,
  question: AuthorisedQuestion,
  request: PlannedRequest,
): Promise<AnsweredRequest> {
  const conditions = usableValidators(question, request, tools.version);
  let answer: UpstreamAnswer | undefined;
  const { step, context } = request;
  const sent = { step, context, sentAt: tools.clock.now() };
  try {
    const call = {
      ...(question.signal && { signal: question.signal }),
      ...(conditions && { validators: conditions }),
    };
    answer = await tools.tokens.fetch(tools.client, question.source, question.credentials, request, call);
    const reading = answer.notModified
      ? undefined
      : await tools.readRows(question.source, request, answer.bytes, answer.contentType);
    question.onReport?.(reportOf(question, request, answer, reading));
    question.onOutcome?.({ ...sent, isRead: true, failure: undefined });
    return {
      request,
      reading,
      provenance: reading && provenanceOf(question.source, answer, reading),
      validators: validatorsOf(request, answer, tools.version),
    };
  } catch (thrown) {
    const error = namingContact(request, namingCredentials(question, thrown));
    question.onReport?.(failureReport(question, request, answer, error, tools.clock.now()));
    const failure = error instanceof SourceFailure ? error : undefined;
    if (wasSent(thrown)) question.onOutcome?.({ ...sent, isRead: false, failure });
    throw error;
  }
}

/** False if the request was not sent because its budget was used up or no token was granted. */
function wasSent(error: unknown): boolean {
  return !(error instanceof BudgetSpent || error instanceof TokenFailure);
}

/** Adds the name of the contact setting to a refusal by a publisher that requires a contact. */
function namingContact({ needsContact }: PlannedRequest, error: unknown): unknown {
  if (!needsContact || !(error instanceof SourceFailure) || error.status !== 403) return error;
  const { kind, message, status, retryAt } = error;
  return new SourceFailure(kind, `${message}; set or check VIGIL_CONTACT`, { status, retryAt, cause: error });
}

/** Statuses with which an upstream refuses a key or reports it as used up. */
const keyRefused: ReadonlySet<number> = new Set([401, 402, 403, 429]);

/** If an upstream refused a key, adds the name of the key's setting to the error. */
function namingCredentials({ source, credentials }: AuthorisedQuestion, error: unknown): unknown {
  if (!(error instanceof SourceFailure) || source.credentials.length === 0) return error;
  const { kind, message, status, retryAt } = error;
  if (status === undefined || !keyRefused.has(status)) return error;
  const variables = source.credentials.map(({ variable }) => variable).join(", ");
  if (status === 403 && source.auth?.kind === "oauth" && Object.keys(credentials).length > 0) {
    // The account was granted a token and then refused. Waiting does not help: the operator needs another account.
    const denial = `${message}; the account of ${variables} has no access to the data of ${source.id}`;
    return new SourceFailure("unconfigured", denial, { status, cause: error });
  }
  const advice = Object.keys(credentials).length === 0 ? "set" : "check";
  return new SourceFailure(kind, `${message}; ${advice} ${variables}`, { status, retryAt, cause: error });
}

function combined(source: AnySource, read: readonly ReadRequest[], failure: SourceFailure | undefined): SourceReading {
  const leansOnKept = read.some(({ reading }) => reading === undefined);
  if (!leansOnKept) for (const step of Object.values(source.steps)) checkRows(source, step, read);
  const results = Object.fromEntries(
    Object.entries(source.steps).map(([name, step]) => [name, resultOf(read, step)] as const),
  );
  const tally = countingTally();
  for (const { reading } of read) countLeftOut(tally, reading?.leftOut ?? []);
  const records = servedRecords(source, results, tally);
  const rowsRead = read.reduce((sum, { reading }) => sum + (reading?.rowsRead ?? 0), 0);
  if (!leansOnKept && rowsRead > 0 && records.length < (source.recordsMin ?? 1)) {
    throw new SourceFailure("changed", `none of the ${rowsRead} rows of ${source.id} has a recognised value`);
  }
  return {
    records,
    rowsRead,
    tally,
    leansOnKept,
    failure,
    lacks: [...new Set(read.flatMap(({ reading }) => reading?.lacks ?? []))],
    provenance: Object.fromEntries(
      read.flatMap(({ request, provenance }) => (provenance ? [[request.key, provenance]] : [])),
    ),
    validators: Object.fromEntries(
      read.flatMap((answered) => (answered.validators ? [[answered.request.key, answered.validators]] : [])),
    ),
  };
}

/**
 * Returns the records that the source makes of the results of its steps. A row that proves bad only now can no longer
 * be skipped, so it fails the source with "changed".
 */
function servedRecords(
  source: AnySource,
  results: Readonly<Record<string, StepResult>>,
  tally: RowTally,
): readonly unknown[] {
  if (!source.combine) return Object.values(results).flatMap(({ records }) => records);
  try {
    return source.combine(results, tally);
  } catch (error) {
    if (!(error instanceof BadRow)) throw error;
    throw new SourceFailure("changed", `a row of ${source.id} cannot be combined: ${error.message}`, { cause: error });
  }
}

function resultOf(read: readonly ReadRequest[], step: AnyStep): StepResult {
  const answers = read.flatMap(({ request, reading }) =>
    request.step === step && reading
      ? [{ context: request.context, records: reading.records, rowsBad: reading.rowsBad }]
      : [],
  );
  return { answers, records: answers.flatMap(({ records }) => records) };
}

/**
 * Throws "empty" if the answers of a step together have fewer rows than the step requires. A step without answers is
 * not checked, unless no step has an answer.
 */
function checkRows(source: AnySource, step: AnyStep, read: readonly ReadRequest[]): void {
  const answers = read.filter(({ request }) => request.step === step);
  const rowsRead = answers.reduce((sum, { reading }) => sum + (reading?.rowsRead ?? 0), 0);
  const wasRequested = answers.length > 0 || read.length === 0;
  if (!wasRequested || rowsRead >= (step.rowsMin ?? 1)) return;
  const place = Object.keys(source.steps).length === 1 ? "" : ` of its ${stepName(source, step)}`;
  throw new SourceFailure("empty", `${source.id} answered without a single row${place}`);
}
