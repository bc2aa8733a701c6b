import { type AnyOnDemand, type Observation, type OnDemandPolicy, sourcesOf } from "../contract/on-demand.js";
import type { ReadSetting } from "../contract/setting.js";
import { type AnySource, SourceFailure } from "../contract/source.js";
import type { Clock } from "../kit/clock.js";
import { createOnDemandReader } from "../upstream/on-demand.js";
import type { SharedObservations } from "../upstream/shared-observations.js";
import { lackedSetting, readSource, type SourceSettings } from "./read-source.js";
import type { ReadingTools } from "./source-reading.js";

export interface OnDemandParts {
  readonly reading: ReadingTools;
  readonly clock: Clock;
  /** Shares observations with other nodes. */
  readonly shared?: SharedObservations | undefined;
  /** Called with the failure of each failed read, and with every other failure of a source, so that all are logged. */
  readonly onFailure: (key: string, cause: unknown) => void;
}

/** The outcome of the latest read under one name. Reads that were answered from a cache are ignored. */
export interface OnDemandOutcome {
  readonly name: string;
  readonly sources: readonly string[];
  /** Epoch ms. */
  readonly at: number;
  readonly state: "ok" | "stale" | "failed";
  /** Null unless `state` is `failed`. */
  readonly error: string | null;
  /**
   * The errors of the latest read, except `error` and the errors after which the same source was tried again. If a
   * source refused a request with an account, and then answered the same request without an account, the refusal is one
   * of these errors.
   */
  readonly passedOver: readonly string[];
}

export interface ReadingOnDemand {
  read(read: AnyOnDemand<never>, plan: unknown): Promise<Observation<readonly unknown[]>>;
  /** Returns the latest outcome of each read since the process started, sorted by name. */
  outcomes(): readonly OnDemandOutcome[];
}

/** Reads sources at request time, through one cache for all callers. */
export function readingOnDemand({ reading, clock, shared, onFailure }: OnDemandParts): ReadingOnDemand {
  const reader = createOnDemandReader({ clock, shared, onFailure });
  const newest = new Map<string, Omit<OnDemandOutcome, "passedOver">>();
  const passedOver = new Map<string, readonly string[]>();
  const policies = new WeakMap<AnyOnDemand<never>, OnDemandPolicy>();

  /** Returns the same object for every call with a read, because the reader counts running loads per policy object. */
  function policyFor(read: AnyOnDemand<never>): OnDemandPolicy {
    const policy = policies.get(read) ?? policyOf(read, reading.settingOf);
    policies.set(read, policy);
    return policy;
  }

  function observe(read: AnyOnDemand<never>, plan: unknown): Promise<Observation<readonly unknown[]>> {
    const key = `${read.name} ${JSON.stringify("keyOf" in read ? read.keyOf(plan) : plan)}`;
    const policy = policyFor(read);
    return reader.read(key, policy, async (signal) => {
      const failed: SourceFailure[] = [];
      const until = clock.now() + policy.timeLimitMs;
      const busy = (failure: unknown): void => onFailure(key, failure);
      let cause: unknown;
      try {
        const records = await firstRecords(sourcesOf(read), plan, signal, failed, async (source) => {
          const question = { part: read.name, source, plan, signal };
          const ask = async (): Promise<Records> => {
            const { records, passedOver } = await readSource(reading, question);
            if (passedOver) failed.push(passedOver);
            return records;
          };
          return read.asksTwice ? twice(clock, until, signal, busy, ask) : ask();
        });
        return records && "keep" in read ? [read.keep(plan, records)] : records;
      } catch (error) {
        cause = error;
        throw error;
      } finally {
        const others = failed.filter((failure) => failure !== cause);
        for (const other of others) onFailure(key, other);
        const sentences = others.map(({ message }) => message);
        passedOver.set(read.name, sentences);
      }
    });
  }

  return {
    async read(read, plan) {
      const observation = await observe(read, plan);
      const outcome = outcomeOf(read, observation, clock.now());
      if (outcome) newest.set(read.name, outcome);
      return observation;
    },
    outcomes: () =>
      [...newest.values()]
        .map((outcome) => ({ ...outcome, passedOver: passedOver.get(outcome.name) ?? [] }))
        .toSorted((a, b) => a.name.localeCompare(b.name)),
  };
}

/** Returns false if every source of the read lacks a key or is switched off. */
export function isConfigured(read: AnyOnDemand<never>, settings: SourceSettings): boolean {
  return sourcesOf(read).some((source) => lackedSetting(source, settings) === undefined);
}

function policyOf(read: AnyOnDemand<never>, settingOf: ReadSetting): OnDemandPolicy {
  if (!("timeLimitOf" in read) || !read.timeLimitOf) return read;
  const { ttlMs, missTtlMs, staleWhileErrorMs, errorTtlMs } = read;
  return {
    ttlMs,
    missTtlMs,
    timeLimitMs: read.timeLimitOf(settingOf),
    ...(staleWhileErrorMs !== undefined && { staleWhileErrorMs }),
    ...(errorTtlMs !== undefined && { errorTtlMs }),
  };
}

/** Minimum delay before a retry. The delay is longer if the source asks for a longer one. */
const PAUSE_MS = 500;

/** Reads the source, with one retry if a retry may succeed and time is left. */
async function twice(
  clock: Clock,
  until: number,
  signal: AbortSignal,
  onPassedOver: (cause: unknown) => void,
  ask: () => Promise<Records>,
): Promise<Records> {
  try {
    return await ask();
  } catch (error) {
    const againAt = Math.max(clock.now() + PAUSE_MS, retryAtOf(error));
    if (!mayDoBetter(error) || signal.aborted || againAt >= until) throw error;
    onPassedOver(error);
    await clock.sleep(againAt - clock.now(), signal);
    return await ask();
  }
}

/**
 * True if a retry may succeed, because the upstream could not be reached, is overloaded or failed. After a refusal or a
 * wrong answer, a retry would only have the same result.
 */
function mayDoBetter(error: unknown): boolean {
  if (!(error instanceof SourceFailure) || error.kind !== "unavailable") return false;
  return error.status === undefined || error.status === 429 || error.status >= 500;
}

function retryAtOf(error: unknown): number {
  return error instanceof SourceFailure ? (error.retryAt ?? 0) : 0;
}

/** The outcome of a read; undefined for a read that was answered from the cache or that the query did not need. */
function outcomeOf(
  read: AnyOnDemand<never>,
  seen: Observation<unknown>,
  now: number,
): Omit<OnDemandOutcome, "passedOver"> | undefined {
  const about = { name: read.name, sources: sourcesOf(read).map(({ id }) => id) };
  switch (seen.state) {
    case "fresh":
    case "miss":
      return { ...about, at: seen.fetchedAt, state: "ok", error: null };
    case "stale":
      return { ...about, at: now, state: "stale", error: null };
    case "error":
      return { ...about, at: seen.fetchedAt, state: "failed", error: seen.error };
    case "cached":
    case "not-asked":
      return undefined;
  }
}

type Records = readonly unknown[];

/**
 * Returns the records of the first source that has records. If none has, the first source that could be called
 * decides: if its answer was empty, returns undefined; if it failed, throws its failure. If no source could be called,
 * throws the failure "unconfigured". Failures of every other kind are added to `failed`.
 */
async function firstRecords(
  sources: readonly AnySource[],
  plan: unknown,
  signal: AbortSignal,
  failed: SourceFailure[],
  read: (source: AnySource) => Promise<Records>,
): Promise<Records | undefined> {
  let first: Records | SourceFailure | undefined;
  let unconfigured: SourceFailure | undefined;
  for (const source of sources.filter(({ answers }) => answers?.(plan) !== false)) {
    const outcome = await recordsOrFailure(source, read);
    if (signal.aborted) throw signal.reason;
    if (outcome instanceof SourceFailure && outcome.kind === "unconfigured") {
      unconfigured ??= outcome;
      continue;
    }
    if (outcome instanceof SourceFailure) failed.push(outcome);
    else if (outcome.length > 0) return outcome;
    first ??= outcome;
  }
  if (first === undefined) throw unconfigured ?? new SourceFailure("unconfigured", "no source supports this request");
  if (first instanceof SourceFailure) throw first;
  return undefined;
}

async function recordsOrFailure(
  source: AnySource,
  read: (source: AnySource) => Promise<Records>,
): Promise<Records | SourceFailure> {
  try {
    return await read(source);
  } catch (error) {
    if (error instanceof SourceFailure) return error;
    throw error;
  }
}
