import { LRUCache } from "lru-cache";
import { BudgetSpent } from "../contract/budget.js";
import type { NotAskable, Observation, OnDemandPolicy } from "../contract/on-demand.js";
import { SourceFailure } from "../contract/source.js";
import { CLOCK_AHEAD_MS_MAX, type Clock } from "../kit/clock.js";
import { entriesUpTo } from "../kit/entries-up-to.js";
import type { KnownObservation, SharedObservations, Turn } from "./shared-observations.js";
import { TimeLimitReached, withTimeLimit } from "./time-limit.js";

export interface OnDemandOptions {
  readonly clock: Clock;
  /** Maximum number of cached observations; the least recently read one is dropped first. Default 2,000. */
  readonly entriesMax?: number;
  /**
   * Maximum number of concurrent loads per policy, so that a hanging upstream blocks no other. Further loads fail
   * immediately. Default 100.
   */
  readonly loadsMax?: number;
  /** Shares observations with the other nodes that use the store. */
  readonly shared?: SharedObservations | undefined;
  /** Called for every failed load with its cause, for the log. */
  readonly onFailure?: (key: string, cause: unknown) => void;
}

export interface OnDemandReader {
  /**
   * Returns the cached observation of `key` while it is fresh. Otherwise loads a new one, once for all concurrent
   * callers. If the load fails, returns the expired observation for as long as the policy allows, and otherwise the
   * failure. `load` resolves to undefined if the upstream has no record. A load continues after its callers leave, up
   * to the time limit. A failure is cached only if the policy states a time for it. Running loads are counted per
   * `policy` object. Never rejects.
   */
  read<T>(
    key: string,
    policy: OnDemandPolicy,
    load: (signal: AbortSignal) => Promise<T | undefined>,
  ): Promise<Observation<T>>;
}

/**
 * Creates a reader that reads upstreams when a request needs them. It has one bounded cache. Each key always holds the
 * same type of data.
 */
export function createOnDemandReader(options: OnDemandOptions): OnDemandReader {
  const { clock, entriesMax = 2_000, loadsMax = 100, shared, onFailure } = options;
  const cache = new LRUCache<string, KnownObservation<unknown>>(entriesUpTo(entriesMax));
  const failures = new LRUCache<string, Extract<Observation<unknown>, { state: "error" }>>(entriesUpTo(entriesMax));
  const loading = new Map<string, Promise<Observation<unknown>>>();
  const loads = new Map<OnDemandPolicy, number>();
  const loadsOf = (policy: OnDemandPolicy): number => loads.get(policy) ?? 0;

  /** Counts a load that starts (1) or ends (-1). Only policies with running loads are kept. */
  function count(policy: OnDemandPolicy, by: 1 | -1): void {
    const running = loadsOf(policy) + by;
    if (running > 0) loads.set(policy, running);
    else loads.delete(policy);
  }

  function failed(key: string, policy: OnDemandPolicy, cause: unknown, rememberMs = 0): Observation<unknown> {
    onFailure?.(key, cause);
    const now = clock.now();
    const reason = reasonOf(cause);
    // A failure with a `reason`, such as a spent budget, was detected without a request and may be fixed at any moment,
    // so it is not cached.
    const againAt = Math.max(retryAtOf(cause) ?? now, reason === undefined ? now + rememberMs : now);
    const failure = {
      state: "error" as const,
      fetchedAt: now,
      expiresAt: againAt,
      error: sentenceOf(cause),
      ...(reason && { reason }),
      ...(cause instanceof SourceFailure && cause.kind === "changed" && { isChanged: true as const }),
    };
    if (rememberMs > 0) failures.set(key, failure);
    return standInFor(failure, key, policy);
  }

  /** Returns the last observation if the policy still allows it as a stale answer, else the failure. */
  function standInFor(failure: Observation<unknown>, key: string, policy: OnDemandPolicy): Observation<unknown> {
    const last = cache.get(key);
    if (last === undefined || last.state === "miss" || isAhead(last)) return failure;
    const standsInUntil = last.expiresAt + (policy.staleWhileErrorMs ?? 0);
    return clock.now() < standsInUntil ? { ...last, state: "stale" } : failure;
  }

  /** True if the time of an observation is ahead of this clock. The age of the observation is then unknown. */
  const isAhead = ({ fetchedAt }: Timed): boolean => fetchedAt - clock.now() > CLOCK_AHEAD_MS_MAX;
  const isFresh = (timed: Timed): boolean => clock.now() < timed.expiresAt && !isAhead(timed);

  /** Caches an observation, unless its time is ahead of the clock or the cached observation is newer. */
  function remember(key: string, observation: KnownObservation<unknown>): void {
    if (isAhead(observation)) return;
    const last = cache.get(key);
    if (last === undefined || observation.fetchedAt >= last.fetchedAt || isAhead(last)) cache.set(key, observation);
  }

  async function ask(
    key: string,
    policy: OnDemandPolicy,
    load: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<Observation<unknown>> {
    let turn: Turn | undefined;
    try {
      const observation = await withTimeLimit({ clock, timeLimitMs: policy.timeLimitMs }, async (signal) => {
        if (shared) {
          turn = await shared.turn(key, signal);
          if (turn?.observation) remember(key, turn.observation);
          const last = cache.get(key);
          if (last !== undefined && isFresh(last)) return asCached(last);
        }
        return observed(await load(signal), policy, clock.now());
      });
      if (observation.state === "cached") {
        await turn?.end();
        return observation;
      }
      remember(key, observation);
      await turn?.end(
        observation,
        observation.expiresAt + (observation.state === "miss" ? 0 : (policy.staleWhileErrorMs ?? 0)),
      );
      return observation;
    } catch (cause) {
      await turn?.end();
      return failed(key, policy, cause, policy.errorTtlMs);
    } finally {
      loading.delete(key);
      count(policy, -1);
    }
  }

  async function read(
    key: string,
    policy: OnDemandPolicy,
    load: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<Observation<unknown>> {
    const last = cache.get(key);
    if (last !== undefined && isFresh(last)) return asCached(last);
    const failure = failures.get(key);
    if (failure !== undefined && isFresh(failure)) return standInFor(failure, key, policy);
    const underWay = loading.get(key);
    if (underWay !== undefined) return await underWay;
    if (loadsOf(policy) >= loadsMax) return failed(key, policy, new SourceFailure("unavailable", tooMany(loadsMax)));
    count(policy, 1);
    const pending = ask(key, policy, load);
    loading.set(key, pending);
    return await pending;
  }

  // Each key always holds the same type of data, which the type of the shared cache cannot express.
  return { read: read as OnDemandReader["read"] };
}

type Timed = Pick<KnownObservation<unknown>, "fetchedAt" | "expiresAt">;

function asCached(observation: KnownObservation<unknown>): KnownObservation<unknown> {
  return observation.state === "miss" ? observation : { ...observation, state: "cached" };
}

function observed(data: unknown, { ttlMs, missTtlMs }: OnDemandPolicy, now: number): KnownObservation<unknown> {
  if (data === undefined) return { state: "miss", fetchedAt: now, expiresAt: now + missTtlMs };
  return { state: "fresh", fetchedAt: now, expiresAt: now + ttlMs, data };
}

function reasonOf(cause: unknown): NotAskable | undefined {
  if (cause instanceof BudgetSpent) return "budget";
  return cause instanceof SourceFailure && cause.kind === "unconfigured" ? "unconfigured" : undefined;
}

function retryAtOf(cause: unknown): number | undefined {
  return cause instanceof SourceFailure ? cause.retryAt : undefined;
}

/**
 * Only `SourceFailure` and `TimeLimitReached` have messages that callers may see. Any other error is a bug, and its
 * message is only logged.
 */
function sentenceOf(cause: unknown): string {
  if (cause instanceof SourceFailure || cause instanceof TimeLimitReached) return cause.message;
  return "the read failed for an unexpected reason";
}

function tooMany(loadsMax: number): string {
  return `${loadsMax} on-demand reads of this kind are already running; expected fewer`;
}
