import { createHash } from "node:crypto";
import type { Principal } from "../access/principal.js";
import { cacheControl, hasDegradedMarker, worstState } from "../contract/cache-policy.js";
import type { AnyDataset } from "../contract/dataset.js";
import { failure } from "../contract/failures.js";
import type { AnyOnDemand, Observation } from "../contract/on-demand.js";
import type { AnyOperation, RegisteredOperation } from "../contract/operation.js";
import type { ReadSetting } from "../contract/setting.js";
import type { AvailableSnapshot, Snapshot } from "../contract/snapshot.js";
import { type Clock, SECOND_MS } from "../kit/clock.js";
import { ClockPace, type LoopTurns } from "../kit/loop-turns.js";
import type { SnapshotRegistry } from "../snapshots/registry.js";
import type { AnswerCache, ReadyAnswer } from "./answer-cache.js";
import type { Answer, Exchange } from "./exchange.js";
import { httpDate } from "./http-date.js";
import { jsonBodySteps } from "./json-body.js";
import { type Cursors, type Position, paginator, snapshotsAt } from "./paging.js";
import type { ReadQuery } from "./query.js";
import { bytesOf, type Encoding, encodingFor, etagOf, matchingEtag, representation, tagOf } from "./representation.js";

/** Applies a projection: its bytes, or the sentence of the documented failure. Rejects when `signal` is aborted. */
export type Project = (
  expression: string,
  root: unknown,
  caller: string,
  signal: AbortSignal,
) => Promise<{ readonly body: Buffer } | { readonly error: string; readonly originalKeys: readonly string[] }>;

/** Reads an upstream on behalf of a request. */
export type ReadOnDemand = (read: AnyOnDemand<never>, plan: unknown) => Promise<Observation<readonly unknown[]>>;

export interface DataAnswerParts {
  readonly clock: Clock;
  readonly registry: SnapshotRegistry;
  readonly cache: AnswerCache;
  readonly project: Project;
  /** Whom the work of a projection counts for: an account, or the address of a caller without one. */
  readonly workerOf: (exchange: Exchange) => string;
  readonly readOnDemand: ReadOnDemand;
  /** Notes that a dataset is read which is built only while somebody asks for it; what there is to wait for, if anything. */
  readonly awaken: (dataset: AnyDataset) => Promise<void> | undefined;
  readonly cursors: Cursors;
  readonly setting: ReadSetting;
  /** Part of every ETag: another version may answer differently from the same snapshots. */
  readonly version: string;
  /** The data is not real. */
  readonly simulated: boolean;
  /** In which long answers are written. */
  readonly turns: LoopTurns;
  readonly onFault: (error: unknown) => void;
}

type Snapshots = Readonly<Record<string, Snapshot<unknown>>>;
type Observed = Observation<readonly unknown[]>;
type Observations = Readonly<Record<string, Observed | readonly Observed[]>>;

/** What is asked, and what has to be read for it. */
interface Question {
  readonly registered: RegisteredOperation;
  readonly query: ReadQuery;
  readonly reads: NeededReads;
}

/** What one answer is made from. */
interface Ingredients extends Question {
  readonly snapshots: Snapshots;
  readonly observations: Observations;
  /** Row at which the asked page begins. */
  readonly offset: number;
  readonly now: number;
  readonly principal: Principal;
  readonly exchange: Exchange;
}

/** Answers an operation for a query that was read: from the cache, or by running it once for all who ask the same. */
export function dataAnswer(
  parts: DataAnswerParts,
  exchange: Exchange,
  registered: RegisteredOperation,
  query: ReadQuery,
): Answer | Promise<Answer> {
  const position = parts.cursors.read(registered, query);
  const reads = readsFor(registered.operation, query);
  const waking = wakingOf(parts, reads);
  if (position || waking || registered.operation.fetches) {
    return gathered(parts, exchange, { registered, query, reads }, position, waking);
  }
  const snapshots = snapshotsOf(parts.registry, reads);
  return answerFrom(parts, exchange, ingredientsOf(parts, exchange, { registered, query, reads }, snapshots, none, 0));
}

const none: Observations = {};

/** The answer from snapshots and observations that have to be waited for. */
async function gathered(
  parts: DataAnswerParts,
  exchange: Exchange,
  question: Question,
  position: Position | undefined,
  waking: Promise<unknown> | undefined,
): Promise<Answer> {
  const { registered, query, reads } = question;
  await waking;
  const snapshots = position
    ? await snapshotsAt(parts.registry, registered, position)
    : snapshotsOf(parts.registry, reads);
  const { operation } = registered;
  const observations = operation.fetches ? await observe(parts, operation, query, snapshots) : none;
  const offset = position?.offset ?? 0;
  return await answerFrom(parts, exchange, ingredientsOf(parts, exchange, question, snapshots, observations, offset));
}

function ingredientsOf(
  parts: DataAnswerParts,
  exchange: Exchange,
  { registered, query, reads }: Question,
  snapshots: Snapshots,
  observations: Observations,
  offset: number,
): Ingredients {
  // The credential step ran before; only a bug could leave it out.
  const principal = exchange.principal as Principal;
  return { registered, query, reads, snapshots, observations, offset, now: parts.clock.now(), principal, exchange };
}

/** The cached answer with these ingredients, or the one that is made of them. */
function answerFrom(parts: DataAnswerParts, exchange: Exchange, ingredients: Ingredients): Answer | Promise<Answer> {
  const { registered, query, snapshots, observations, now } = ingredients;
  const stamp = stampOf(registered.operation, snapshots, observations);
  const key = keyOf(registered, query);
  const gone = (): AbortSignal | undefined => exchange.call.signal;
  const cached = parts.cache.get(key, stamp, now, (signal) => make(parts, ingredients, key, stamp, signal), gone);
  if (cached instanceof Promise) return cached.then((ready) => written(parts, exchange, ingredients, ready));
  return written(parts, exchange, ingredients, cached);
}

/** The reads that an answer is made from, and those among them that are built only while somebody asks for them. */
interface NeededReads {
  readonly all: readonly (readonly [name: string, dataset: AnyDataset])[];
  readonly asked: readonly AnyDataset[];
}

/** Made once: by query where the operation chooses among its reads, else by operation. */
const neededReads = new WeakMap<object, NeededReads>();

function readsFor(operation: AnyOperation, query: ReadQuery): NeededReads {
  const owner = operation.readsFor ? query : operation;
  let needed = neededReads.get(owner);
  if (!needed) {
    const reads = operation.reads as Readonly<Record<string, AnyDataset>>;
    // The query was read by this operation's own fields, which is what it chooses by.
    const names = operation.readsFor?.(query.values as never) ?? Object.keys(reads);
    const all = names.flatMap((name) => {
      const dataset = reads[name];
      return dataset ? [[name, dataset] as const] : [];
    });
    const asked = all.flatMap(([, dataset]) => (dataset.whileAskedForMs === undefined ? [] : [dataset]));
    needed = { all, asked };
    neededReads.set(owner, needed);
  }
  return needed;
}

function wakingOf({ awaken }: DataAnswerParts, { asked }: NeededReads): Promise<unknown> | undefined {
  if (asked.length === 0) return undefined;
  const waking = asked.flatMap((dataset) => awaken(dataset) ?? []);
  return waking.length > 0 ? Promise.all(waking) : undefined;
}

function snapshotsOf(registry: SnapshotRegistry, { all }: NeededReads): Snapshots {
  const snapshots: Record<string, Snapshot<unknown>> = {};
  for (const [name, dataset] of all) snapshots[name] = registry.get(dataset);
  return snapshots;
}

async function observe(
  parts: DataAnswerParts,
  operation: AnyOperation,
  query: ReadQuery,
  snapshots: Snapshots,
): Promise<Observations> {
  const reads = Object.entries(operation.fetches as Readonly<Record<string, AnyOnDemand<never>>>);
  // The query was read by this operation's own fields, which is what its reads plan from.
  const values = query.values as never;
  const given = { snapshots, now: parts.clock.now(), setting: parts.setting };
  const observed = reads.map(async ([name, read]) => {
    if ("plans" in read) {
      return [name, await Promise.all(read.plans(values).map((plan) => parts.readOnDemand(read, plan)))] as const;
    }
    const plan: unknown = "planFrom" in read ? read.planFrom(values, given) : read.plan(values);
    return [name, plan === undefined ? notAsked : await parts.readOnDemand(read, plan)] as const;
  });
  return Object.fromEntries(await Promise.all(observed));
}

const notAsked: Observed = { state: "not-asked", fetchedAt: 0, expiresAt: Number.POSITIVE_INFINITY };

function allOf(observations: Observations): readonly Observed[] {
  return Object.values(observations).flat();
}

/** Made once for a query that is remembered: hashing a text anew for every call costs more than finding it. */
const keys = new WeakMap<ReadQuery, string>();

function keyOf({ path }: RegisteredOperation, query: ReadQuery): string {
  let key = keys.get(query);
  if (key === undefined) {
    key = `${path}?${query.canonical}\n${query.jmespath ?? ""}`;
    keys.set(query, key);
  }
  return key;
}

/** Equal stamps mean equal ingredients. Most operations read one dataset, whose stamp is there already. */
function stampOf({ showsAttempts }: AnyOperation, snapshots: Snapshots, observations: Observations): string {
  let stamp = "";
  for (const name in snapshots) {
    const snapshot = snapshots[name] as Snapshot<unknown>;
    const own = snapshotStamp(snapshot);
    stamp = stamp === "" ? own : `${stamp}|${own}`;
    if (showsAttempts) stamp += attemptStamp(snapshot);
  }
  for (const { state, fetchedAt } of allOf(observations)) stamp += `|${state} ${fetchedAt}`;
  return stamp;
}

/** Made once: the registry hands out the same object while nothing changes. */
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

/** Equal versions mean equal bytes: content of the same hash that was built at another time tells that other time. */
function versionOf({ generation, contentHash, builtAt }: AvailableSnapshot<unknown>): string {
  return `${generation}:${contentHash}:${builtAt}`;
}

function attemptStamp({ attempt }: Snapshot<unknown>): string {
  return attempt ? ` ${attempt.at} ${attempt.ended}` : "";
}

async function make(
  parts: DataAnswerParts,
  ingredients: Ingredients,
  key: string,
  stamp: string,
  signal: AbortSignal,
): Promise<ReadyAnswer> {
  const { registered, query, snapshots, observations, offset, now, exchange } = ingredients;
  const { operation } = registered;
  const generations = Object.values(snapshots).map((snapshot) => (snapshot.available ? snapshot.generation : 0));
  const paginate = paginator(parts.cursors, registered, query, { generations, offset });
  const validUntil: number = operation.validUntil?.(query.values, snapshots, now) ?? Number.POSITIVE_INFINITY;
  const answerClock = (): number => {
    if (operation.validUntil) return now;
    throw new Error(`${operation.rpc} asks for the time but declares no validUntil`);
  };
  const value: unknown = operation.run(query.values, snapshots, {
    ...{ observations, simulated: parts.simulated, setting: parts.setting },
    ...{ now: answerClock, paginate },
  });
  const body =
    query.jmespath === undefined
      ? await whole(parts, value)
      : await projected(parts, query.jmespath, value, exchange, signal);
  const hasFailed = allOf(observations).some(({ state }) => state === "error");
  const isServed = (snapshot: Snapshot<unknown>): boolean => snapshot.available || operation.failsSoft === true;
  const isWhole = !hasFailed && Object.values(snapshots).every(isServed);
  const hasMarker = hasDegradedMarker(value);
  const tag =
    isWhole && !hasMarker
      ? tagOf([parts.version, key, contentOf(operation, snapshots), momentOf(operation, validUntil, body)])
      : undefined;
  // An answer without its content tells its own time, which is over with it.
  const isOfNow = hasMarker && operation.validUntil !== undefined;
  const expiry = Math.min(
    validUntil,
    ...(isOfNow ? [now + 1] : []),
    ...allOf(observations).map(({ expiresAt }) => expiresAt),
  );
  return {
    body: representation(body, tag),
    stamp,
    validUntil: expiry,
    hasMarker,
    heads: new WeakMap(),
  };
}

function whole({ turns }: DataAnswerParts, value: unknown): Buffer | Promise<Buffer> {
  const pace = new ClockPace();
  return turns.run(jsonBodySteps(value, pace), pace);
}

async function projected(
  parts: DataAnswerParts,
  expression: string,
  value: unknown,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<Buffer> {
  const projection = await parts.project(expression, value, parts.workerOf(exchange), signal);
  if ("error" in projection) throw failure("projection", projection);
  return projection.body;
}

/** An upstream that could not be asked is like a snapshot that is not there; an older answer may stand in. */
function standingOf({ state }: Observed): "absent" | "stale" | "ok" {
  if (state === "error") return "absent";
  return state === "stale" ? "stale" : "ok";
}

/** Where some are there, the ones that are not make it partial; where none is, they say why. */
function softened(snapshots: readonly Snapshot<unknown>[]): readonly Pick<Snapshot<unknown>, "state">[] {
  if (!snapshots.some(({ available }) => available)) return snapshots;
  return snapshots.map(({ available, state }) => ({ state: available ? state : "partial" }));
}

function contentOf({ showsAttempts }: AnyOperation, snapshots: Snapshots): string {
  return Object.values(snapshots)
    .map((snapshot) => {
      const content = snapshot.available ? versionOf(snapshot) : snapshot.state;
      return showsAttempts ? content + attemptStamp(snapshot) : content;
    })
    .join(",");
}

/** What an answer depends on beside its snapshots. What was read at request time has no generation but its content. */
function momentOf({ fetches }: AnyOperation, validUntil: number, body: Buffer): string {
  return fetches ? createHash("sha256").update(body).digest("base64url") : String(validUntil);
}

function written(
  parts: DataAnswerParts,
  exchange: Exchange,
  made: Ingredients,
  ready: ReadyAnswer,
): Answer | Promise<Answer> {
  const { body } = ready;
  const known = knownEtag(exchange, made, ready);
  if (known !== undefined) {
    return {
      status: 304,
      headers: headOf(exchange, made, ready, known, () => ({ ETag: known })),
      body: undefined,
    };
  }
  const encoding = encodingFor(body, exchange.call.header("accept-encoding"), parts.onFault);
  if (!(encoding instanceof Promise)) return encoded(exchange, made, ready, encoding);
  return encoding.then((packed) => encoded(exchange, made, ready, packed));
}

/** The ETag of what the caller holds already; undefined where it holds nothing or something else. */
function knownEtag({ call }: Exchange, made: Ingredients, ready: ReadyAnswer): string | undefined {
  const ifNoneMatch = call.header("if-none-match");
  if (ifNoneMatch !== undefined) return matchingEtag(ifNoneMatch, ready.body);
  const ifModifiedSince = call.header("if-modified-since");
  if (ifModifiedSince === undefined || !isDated(made, ready)) return undefined;
  const since = httpDate(ifModifiedSince);
  const modifiedAt = lastModifiedAt(made.snapshots);
  const isKnown =
    since !== undefined && modifiedAt !== undefined && Math.floor(modifiedAt / SECOND_MS) * SECOND_MS <= since;
  return isKnown ? ready.body.etag : undefined;
}

/** True for an answer that changes with the builds of its snapshots alone, so that their date is its own. */
function isDated({ registered: { operation } }: Ingredients, { body, validUntil }: ReadyAnswer): boolean {
  return (
    body.tag !== undefined && validUntil === Number.POSITIVE_INFINITY && !operation.fetches && !operation.showsAttempts
  );
}

/** When the newest of what is served was built, epoch ms; undefined where nothing was. */
function lastModifiedAt(snapshots: Snapshots): number | undefined {
  const builtAt = Object.values(snapshots).flatMap((snapshot) => (snapshot.available ? [snapshot.builtAt] : []));
  return builtAt.length === 0 ? undefined : Math.max(...builtAt);
}

function encoded(exchange: Exchange, made: Ingredients, ready: ReadyAnswer, encoding: Encoding): Answer {
  const { body } = ready;
  const bytes = bytesOf(body, encoding);
  const headers = headOf(exchange, made, ready, encoding, () => ({
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(bytes)),
    ...(encoding !== "identity" && { "Content-Encoding": encoding }),
    ...(body.tag !== undefined && { ETag: etagOf(body.tag, encoding) }),
  }));
  return { status: 200, headers, body: bytes };
}

/** The headers of an answer with what its query is to be told. Texts of callers are endless, and so not kept with the answer. */
function headOf(
  exchange: Exchange,
  made: Ingredients,
  ready: ReadyAnswer,
  form: string,
  own: () => Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { notice } = made.query;
  const head = sharedHead(exchange, made, ready, form, own);
  return notice === undefined ? head : { ...head, "X-Vigil-Notice": notice };
}

/** Headers that are the same for all spellings of a query; those of private answers are made once, as no time changes them. */
function sharedHead(
  exchange: Exchange,
  made: Ingredients,
  ready: ReadyAnswer,
  form: string,
  own: () => Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (made.principal.kind === "anonymous") return { ...dataHeaders(exchange, made, ready), ...own() };
  // One object per origin that is allowed.
  let forms = ready.heads.get(exchange.cors);
  if (!forms) {
    forms = new Map();
    ready.heads.set(exchange.cors, forms);
  }
  let head = forms.get(form);
  if (!head) {
    head = { ...dataHeaders(exchange, made, ready), ...own() };
    forms.set(form, head);
  }
  return head;
}

function dataHeaders(
  exchange: Exchange,
  { registered, reads, snapshots, observations, now, principal }: Ingredients,
  ready: ReadyAnswer,
): Record<string, string> {
  const read = Object.values(snapshots);
  const states = registered.operation.failsSoft ? softened(read) : read;
  const state = worstState([...states, ...allOf(observations).map((one) => ({ state: standingOf(one) }))]);
  const available = read.filter((snapshot): snapshot is AvailableSnapshot<unknown> => snapshot.available);
  const headers: Record<string, string> = {
    ...exchange.cors,
    Vary: "Accept, Accept-Encoding, Origin",
    "X-Vigil-State": state,
    "Cache-Control": cacheControl({
      tier: registered.operation.cache,
      isPublic: principal.kind === "anonymous",
      isDegraded: ready.hasMarker || state !== "ok",
      nextBuildInMs: nextBuildInMs(available, now),
    }),
  };
  if (read.length > 0) headers["X-Vigil-Generation"] = generationsOf(reads, snapshots);
  const modifiedAt = lastModifiedAt(snapshots);
  if (modifiedAt !== undefined) headers["Last-Modified"] = new Date(modifiedAt).toUTCString();
  return headers;
}

/** A structured dictionary with one entry per dataset read; 0 where there is no generation to serve. */
function generationsOf({ all }: NeededReads, snapshots: Snapshots): string {
  return all
    .map(([name, dataset]) => {
      const snapshot = snapshots[name];
      return `${dataset.name}=${snapshot?.available ? snapshot.generation : 0}`;
    })
    .join(", ");
}

function nextBuildInMs(snapshots: readonly AvailableSnapshot<unknown>[], now: number): number {
  return Math.min(...snapshots.map(({ nextBuildAt }) => (nextBuildAt ?? Number.POSITIVE_INFINITY) - now));
}
