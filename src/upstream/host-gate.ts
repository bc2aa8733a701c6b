import { BulkheadRejectedError, bulkhead } from "cockatiel";
import { LRUCache } from "lru-cache";
import { SourceFailure } from "../contract/source.js";
import type { Clock } from "../kit/clock.js";
import { entriesUpTo } from "../kit/entries-up-to.js";
import { unlessAborted } from "./time-limit.js";
import { HostTrouble, unavailable } from "./unavailable.js";

export interface HostLimits {
  /** Maximum number of calls in flight per host. Default 4. */
  readonly inFlightMax?: number;
  /** Maximum number of calls per host that wait for their turn; further calls are refused. Default 200. */
  readonly waitingMax?: number;
  /** Consecutive failures after which calls to the host pause. Default 5. */
  readonly failuresMax?: number;
  /** Pause before one call tries a failing host again. Default 60,000. */
  readonly restMs?: number;
}

/**
 * Admission control for one host: its circuit breaker, its `Retry-After`, its concurrency limit, and the spacing of its
 * calls.
 */
export interface HostGate {
  /** Runs `work` when it is this call's turn. Waiting does not count against the call's time limit. */
  run<T>(place: string, work: () => Promise<T>, turn?: Turn): Promise<T>;
}

/** The conditions under which one call gets its turn. */
export interface Turn {
  readonly signal?: AbortSignal | undefined;
  /** Minimum time since the start of the previous call to the host, or to any host of the group `spacedWith`. */
  readonly spacingMs?: number;
  /** Name of the group of hosts that share a spacing. Default: the host shares its spacing with no other host. */
  readonly spacedWith?: string | undefined;
}

/** Maximum number of gates, and also of spacings; in each case, the least recently used one is dropped first. */
const HOSTS_MAX = 512;

/** Creates a function that returns the gate of a host: the same object for every call, until the gate is dropped. */
export function createHostGates(clock: Clock, limits: HostLimits = {}): (host: string) => HostGate {
  const gates = new LRUCache<string, HostGate>(entriesUpTo(HOSTS_MAX));
  const spacings = new LRUCache<string, Spacing>(entriesUpTo(HOSTS_MAX));
  const spacingOf = (name: string): Spacing => remembered(spacings, name, () => createSpacing(clock));
  return (host) => remembered(gates, host, () => createHostGate(clock, spacingOf, limits));
}

function remembered<T extends object>(cache: LRUCache<string, T>, key: string, create: () => T): T {
  const value = cache.get(key) ?? create();
  cache.set(key, value);
  return value;
}

/** Waits until a call may start: `spacingMs` after the start of the previous one. */
type Spacing = (spacingMs: number, signal: AbortSignal | undefined) => Promise<void>;

function createSpacing(clock: Clock): Spacing {
  let freeAt = 0;
  const now = nowOf(clock, (byMs) => {
    freeAt -= byMs;
  });
  return async (spacingMs, signal) => {
    const at = now();
    const startAt = Math.max(at, freeAt);
    freeAt = startAt + spacingMs;
    if (startAt > at) await clock.sleep(startAt - at, signal);
  };
}

function createHostGate(
  clock: Clock,
  spacingOf: (name: string) => Spacing,
  { inFlightMax = 4, waitingMax = 200, ...limits }: HostLimits,
): HostGate {
  const breaker = createBreaker(clock, limits);
  const turns = bulkhead(inFlightMax, waitingMax);
  const own = createSpacing(clock);

  return {
    async run(place, work, { signal, spacingMs = 0, spacedWith } = {}) {
      breaker.refuseIfResting(place);
      // The signal is not passed to the bulkhead: cockatiel 3.2.1 drops a cancelled caller without starting the next
      // one, so all callers behind it would wait forever.
      const turn = turns.execute(async () => {
        signal?.throwIfAborted();
        if (spacingMs > 0) await (spacedWith === undefined ? own : spacingOf(spacedWith))(spacingMs, signal);
        // The breaker is checked again, because the host may have failed or sent Retry-After during the wait.
        return breaker.watch(place, work);
      });
      return await unlessAborted(signal, turn).catch((error: unknown) => {
        if (!(error instanceof BulkheadRejectedError)) throw error;
        throw unavailable(place, `${waitingMax} calls to this host are waiting already; expected fewer`);
      });
    },
  };
}

interface Breaker {
  /** Throws while the host must not be called. */
  refuseIfResting(place: string): void;
  /** Runs `work` unless the host must not be called, and records its outcome. */
  watch<T>(place: string, work: () => Promise<T>): Promise<T>;
}

/** Used instead of cockatiel's breaker, which reads the machine's clock and not the injected clock. */
function createBreaker(
  clock: Clock,
  { failuresMax = 5, restMs = 60_000 }: Pick<HostLimits, "failuresMax" | "restMs">,
): Breaker {
  let failuresInRow = 0;
  let restingUntil = 0;
  let pausedUntil = 0;
  let probe: Promise<unknown> | undefined;
  const now = nowOf(clock, (byMs) => {
    restingUntil -= byMs;
    pausedUntil -= byMs;
  });

  function refuseIfResting(place: string): void {
    const at = now();
    if (at < pausedUntil) {
      throw refusal(place, "the host requested a pause", Math.max(pausedUntil, restingUntil));
    }
    if (at < restingUntil) {
      throw refusal(place, `the host failed ${failuresInRow} times in a row and is not called`, restingUntil);
    }
  }

  function learn(error: unknown): void {
    if (!(error instanceof SourceFailure)) return;
    const at = now();
    if (error.retryAt !== undefined) pausedUntil = Math.max(pausedUntil, error.retryAt);
    if (error instanceof HostTrouble) {
      failuresInRow += 1;
      if (failuresInRow >= failuresMax) restingUntil = at + restMs;
    } else if (error.status !== undefined) failuresInRow = 0; // The host answered, so it is not at fault.
  }

  return {
    refuseIfResting,
    async watch(place, work) {
      // After the pause that follows repeated failures, one call tests the host. The others wait for the outcome of
      // this call instead of failing.
      while (probe !== undefined) await probe;
      refuseIfResting(place);
      const attempt = observed(work);
      if (failuresInRow >= failuresMax) {
        probe = attempt.then(clearProbe, clearProbe);
      }
      return attempt;
    },
  };

  function clearProbe(): void {
    probe = undefined;
  }

  async function observed<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      failuresInRow = 0;
      return result;
    } catch (error) {
      learn(error);
      throw error;
    }
  }
}

/** Returns a reader of `clock` that calls `onSetBack` if the clock was set back since the last reading. */
function nowOf(clock: Clock, onSetBack: (byMs: number) => void): () => number {
  let seenAt = Number.NEGATIVE_INFINITY;
  return () => {
    const at = clock.now();
    if (at < seenAt) onSetBack(seenAt - at);
    seenAt = at;
    return at;
  };
}

function refusal(place: string, why: string, retryAt: number): SourceFailure {
  const until = new Date(retryAt).toISOString();
  return unavailable(place, `${why}; expected a call after ${until}`, { retryAt });
}
