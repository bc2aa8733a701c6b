import { isWithin } from "../kit/clock.js";
import { chargesKey, type Figures, type Grant, type GrantUse, type SharedCounters, type Taken } from "./grant.js";
import type { Charge, Limiter, Standing, Verdict } from "./limiter.js";

export interface GrantedLimiter extends Limiter {
  /** Ends a grant early. */
  recall(grantId: number): void;
}

interface GrantedLimiterParts {
  readonly counters: SharedCounters;
  readonly schedule?: (callback: () => void, ms: number) => () => void;
}

/** A grant in use. */
interface HeldGrant {
  readonly key: string;
  readonly id: number;
  /** Time of the call that obtained the grant. */
  readonly at: number;
  readonly ms: number;
  /** The standings after the last call that this grant allows. */
  readonly figures: readonly Figures[];
  readonly givenBack: number[];
  /** The number of calls at each time. */
  readonly calls: [at: number, count: number][];
  left: number;
  isEnded: boolean;
  cancel: () => void;
}

/**
 * A limiter whose counters are in another process on the machine. For a caller with few calls, each call asks that
 * process; for a caller with many calls, this process gets grants, under which it answers calls without asking.
 */
export function grantedLimiter({ counters, schedule = unrefTimer }: GrantedLimiterParts): GrantedLimiter {
  const held = new Map<string, HeldGrant>();
  const byId = new Map<number, HeldGrant>();
  /** By key, a promise that resolves once the call that asks for the next grant has its answer. */
  const renewals = new Map<string, Promise<void>>();

  function end(grant: HeldGrant): void {
    if (grant.isEnded) return;
    grant.isEnded = true;
    grant.cancel();
    held.delete(grant.key);
    byId.delete(grant.id);
    counters.end(grant.id, useOf(grant));
  }

  function keep(key: string, { id, calls, ms }: Grant, figures: readonly Figures[], at: number): void {
    const before = held.get(key);
    if (before) end(before);
    const grant: HeldGrant = {
      key,
      id,
      at,
      ms,
      figures,
      givenBack: figures.map(() => 0),
      calls: [],
      left: calls,
      isEnded: false,
      cancel: () => undefined,
    };
    grant.cancel = schedule(() => end(grant), ms);
    held.set(key, grant);
    byId.set(id, grant);
  }

  /** The grant for these charges, unless it has expired. Setting the clock back ends the grant. */
  function current(key: string, now: number): HeldGrant | undefined {
    const grant = held.get(key);
    if (grant === undefined) return undefined;
    if (isWithin(now, grant.at, grant.ms)) return grant;
    end(grant);
    return undefined;
  }

  function used(grant: HeldGrant, charges: readonly Charge[], now: number): Verdict {
    grant.left -= 1;
    const last = grant.calls.at(-1);
    if (last?.[0] === now) last[1] += 1;
    else grant.calls.push([now, 1]);
    const standings = standingsIn(grant, charges);
    const returned = new Set<number>();
    return {
      refused: undefined,
      standings,
      giveBack(which) {
        const indexes = indexesOf(charges, which).filter((index) => !returned.has(index));
        for (const index of indexes) returned.add(index);
        if (grant.isEnded) counters.giveBack(grant.id, indexes);
        else for (const index of indexes) grant.givenBack[index] = (grant.givenBack[index] ?? 0) + 1;
        return look(charges, now);
      },
    };
  }

  function verdictOf(charges: readonly Charge[], key: string, answer: Taken, now: number): Verdict {
    const { id, refusedIndex, standings: figures, grant } = answer;
    if (grant) keep(key, grant, figures, now);
    const settled = charges.map((charge, index) => standing(charge, figures[index], grant?.calls ?? 0));
    const refused = settled[refusedIndex];
    const returned = new Set<number>();
    return {
      refused,
      standings: settled,
      giveBack(which) {
        const indexes = refused ? [] : indexesOf(charges, which).filter((index) => !returned.has(index));
        for (const index of indexes) returned.add(index);
        if (indexes.length > 0) counters.giveBack(id, indexes);
        return look(charges, now);
      },
    };
  }

  /** Makes later calls with this key wait for the answer, so that only one call asks for the next grant. */
  function awaitRenewal(key: string, answer: Promise<Verdict>): void {
    const renewal = answer.then(
      () => void renewals.delete(key),
      () => void renewals.delete(key),
    );
    renewals.set(key, renewal);
  }

  function take(charges: readonly Charge[], now: number): Verdict | Promise<Verdict> {
    const key = keyOf(charges);
    const grant = current(key, now);
    if (grant && grant.left > 0) return used(grant, charges, now);
    if (grant) end(grant);
    const renewal = renewals.get(key);
    if (renewal) return renewal.then(() => take(charges, now));
    const answer = counters.take(charges, now).then((taken) => verdictOf(charges, key, taken, now));
    if (grant) awaitRenewal(key, answer);
    return answer;
  }

  function look(charges: readonly Charge[], now: number): readonly Standing[] | Promise<readonly Standing[]> {
    const grant = current(keyOf(charges), now);
    if (grant) return standingsIn(grant, charges);
    return counters
      .look(charges, now)
      .then((figures) => charges.map((charge, index) => standing(charge, figures[index], 0)));
  }

  return {
    take,
    look,
    recall(grantId) {
      const grant = byId.get(grantId);
      if (grant) end(grant);
    },
    async close() {
      for (const grant of [...held.values()]) end(grant);
    },
  };
}

/** The keys of lists of charges. The calls of a caller share a list. */
const keys = new WeakMap<readonly Charge[], string>();

function keyOf(charges: readonly Charge[]): string {
  let key = keys.get(charges);
  if (key === undefined) {
    key = chargesKey(charges);
    keys.set(charges, key);
  }
  return key;
}

function useOf({ calls, givenBack }: HeldGrant): GrantUse {
  return { calls, givenBack };
}

function standingsIn({ figures, left, givenBack }: HeldGrant, charges: readonly Charge[]): readonly Standing[] {
  return charges.map((charge, index) => standing(charge, figures[index], left + (givenBack[index] ?? 0)));
}

function standing({ limit }: Charge, figures: Figures | undefined, more: number): Standing {
  const { remaining, resetAt } = figures ?? { remaining: 0, resetAt: 0 };
  return { limit, remaining: Math.min(limit.max, remaining + more), resetAt };
}

function indexesOf(charges: readonly Charge[], which: ((charge: Charge) => boolean) | undefined): readonly number[] {
  return charges.flatMap((charge, index) => (which === undefined || which(charge) ? [index] : []));
}

function unrefTimer(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms).unref();
  return () => clearTimeout(timer);
}
