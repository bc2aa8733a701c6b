import { LRUCache } from "lru-cache";
import { type Clock, isWithin, SECOND_MS } from "../kit/clock.js";
import { entriesUpTo } from "../kit/entries-up-to.js";
import { chargesKey, type Figures, type Grant, type GrantUse, type Taken } from "./grant.js";
import type { Charge } from "./limiter.js";
import { type MemoryLimiter, type MemoryVerdict, memoryLimiter } from "./memory-limiter.js";

export interface GrantBookParts {
  readonly clock: Pick<Clock, "now">;
  /** Number of processes that share the counters. */
  readonly processes: () => number;
  /** Asks a process to end a grant now. */
  readonly recall: (processId: number, grantId: number) => void;
  readonly schedule?: (callback: () => void, ms: number) => () => void;
}

/**
 * If a process asks the counters about this many calls of one caller within `HOT_MS`, the process gets grants for that
 * caller.
 */
const HOT_CALLS = 16;
const HOT_MS = 100;
/**
 * Time for which a grant may be used. The calls made under a grant are counted when the grant ends. If another process
 * has counted a newer call in the meantime, they are counted at the time of that call, because the counters never go
 * back in time.
 */
const GRANT_MS = 250;
/**
 * About the number of calls that one process can answer in `GRANT_MS`. With a lower maximum, a busy process would use
 * up its grants earlier. Whenever a grant is used up, all calls with the same charges in that process wait for the next
 * grant.
 */
const GRANT_CALLS_MAX = 4_096;
/**
 * The units left are divided equally among the processes. A grant takes at most 1/`SHARES` of the share of one process,
 * so that no process runs out of units while others have plenty.
 */
const SHARES = 4;
/**
 * If a process has not reported the use of a grant this long after the end of `GRANT_MS`, the grant counts as fully
 * used.
 */
const SILENT_MS = SECOND_MS / 2;
/** Maximum number of remembered verdicts. Calls made under one grant at the same time share a verdict. */
const REMEMBERED_MAX = 20_000;
const HOT_CALLERS_MAX = 10_000;

interface OpenGrant {
  readonly processId: number;
  readonly charges: readonly Charge[];
  readonly calls: number;
  readonly ended: Promise<void>;
  /** Ends the grant and counts its reported use. */
  readonly end: (use: GrantUse) => void;
}

/** The open grants that hold units of one limit for one subject. */
interface Holders {
  readonly grantIds: Set<number>;
  units: number;
}

/**
 * Counts units for several processes exactly. A grant reserves the units of its calls. When the grant ends, the calls
 * that were made are counted at their own times (with the exception described at `GRANT_MS`), and the reservation ends.
 * Counted and reserved units together never exceed a limit, so no window ever holds more than its limit. Before a call
 * is refused, the grants that hold units of the first limit that refuses it are recalled, and the call is tried again
 * with their unused units.
 */
export class GrantBook {
  private readonly parts: GrantBookParts;
  private readonly limiter: MemoryLimiter = memoryLimiter();
  private readonly open = new Map<number, OpenGrant>();
  /** By subject and limit. */
  private readonly holders = new Map<string, Holders>();
  /** One key for each open grant, made of the process and the list of charges. */
  private readonly granted = new Set<string>();
  /** The verdicts on calls whose units may still be refunded, by the id of the call or of its grant. */
  private readonly remembered = new LRUCache<number, readonly MemoryVerdict[]>({
    maxSize: REMEMBERED_MAX,
    sizeCalculation: (verdicts) => verdicts.length,
  });
  private readonly recent = new LRUCache<string, { since: number; calls: number }>(entriesUpTo(HOT_CALLERS_MAX));
  private lastId = 0;

  constructor(parts: GrantBookParts) {
    this.parts = parts;
  }

  async take(processId: number, charges: readonly Charge[], now: number): Promise<Taken> {
    let verdict = this.takeFree(charges, now);
    if (verdict.refused && (await this.calledBack(charges, verdict))) verdict = this.takeFree(charges, now);
    const id = this.newId();
    if (verdict.refused) {
      const refusedIndex = verdict.standings.indexOf(verdict.refused);
      return { id, refusedIndex, standings: figuresOf(verdict.standings), grant: undefined };
    }
    this.remembered.set(id, [verdict]);
    const grant = this.newGrant(processId, charges, verdict, now);
    const standings = grant ? this.look(charges, now) : figuresOf(verdict.standings);
    return { id, refusedIndex: -1, standings, grant };
  }

  look(charges: readonly Charge[], now: number): readonly Figures[] {
    return figuresOf(this.limiter.look(this.withoutReserved(charges), now));
  }

  giveBack(id: number, indexes: readonly number[]): void {
    const verdicts = this.remembered.get(id) ?? [];
    for (const index of indexes) verdicts.some((verdict) => verdict.giveBackAt(index));
  }

  end(grantId: number, use: GrantUse): void {
    this.open.get(grantId)?.end(use);
  }

  /** Counts the grants of an ended process as fully used, because it may have made all of their calls. */
  ended(processId: number): void {
    for (const grant of this.open.values()) if (grant.processId === processId) grant.end(this.usedUp(grant));
  }

  /** Number of open grants. */
  get openCount(): number {
    return this.open.size;
  }

  private newId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  /** Takes units that are not reserved. */
  private takeFree(charges: readonly Charge[], now: number): MemoryVerdict {
    return this.limiter.take(this.withoutReserved(charges), now);
  }

  /** Returns the charges with limits from which the reserved units are subtracted. */
  private withoutReserved(charges: readonly Charge[]): readonly Charge[] {
    if (this.open.size === 0) return charges;
    return charges.map((charge) => {
      const reserved = this.holders.get(holderKey(charge))?.units ?? 0;
      return reserved === 0 ? charge : { ...charge, limit: { ...charge.limit, max: charge.limit.max - reserved } };
    });
  }

  private newGrant(
    processId: number,
    charges: readonly Charge[],
    { standings }: MemoryVerdict,
    now: number,
  ): Grant | undefined {
    const key = `${processId}\n${chargesKey(charges)}`;
    // A process has at most one open grant for these charges. If the process sent further calls before it received that
    // grant, these calls get no second grant.
    if (!this.isHot(key, now) || this.granted.has(key)) return undefined;
    const left = Math.min(...standings.map(({ remaining }) => remaining));
    const calls = Math.min(GRANT_CALLS_MAX, Math.floor(left / (SHARES * this.parts.processes())));
    if (calls < 2) return undefined;
    const id = this.newId();
    this.keepOpen(id, key, { processId, charges, calls });
    return { id, calls, ms: GRANT_MS };
  }

  private isHot(key: string, now: number): boolean {
    const entry = this.recent.get(key);
    if (entry === undefined || !isWithin(now, entry.since, HOT_MS)) {
      // Calls under a grant do not arrive here, so a hot caller seems to pause. It therefore stays hot if its next call
      // arrives less than two grant periods (`GRANT_MS`) after the last count of its calls began.
      const isStillHot = entry !== undefined && entry.calls >= HOT_CALLS && isWithin(now, entry.since, 2 * GRANT_MS);
      this.recent.set(key, { since: now, calls: isStillHot ? HOT_CALLS : 1 });
      return isStillHot;
    }
    entry.calls += 1;
    return entry.calls >= HOT_CALLS;
  }

  private keepOpen(id: number, key: string, grant: Pick<OpenGrant, "processId" | "charges" | "calls">): void {
    const { schedule = unrefTimer } = this.parts;
    let resolve = (): void => undefined;
    const ended = new Promise<void>((settle) => {
      resolve = settle;
    });
    const end = (use: GrantUse): void => {
      cancel();
      this.open.delete(id);
      this.granted.delete(key);
      this.release(id, grant);
      this.count(id, grant, use);
      resolve();
    };
    const cancel = schedule(() => end(this.usedUp(grant)), GRANT_MS + SILENT_MS);
    this.open.set(id, { ...grant, ended, end });
    this.granted.add(key);
    this.reserve(id, grant);
  }

  private reserve(id: number, { charges, calls }: Pick<OpenGrant, "charges" | "calls">): void {
    for (const charge of charges) {
      const key = holderKey(charge);
      const holders = this.holders.get(key) ?? { grantIds: new Set(), units: 0 };
      holders.grantIds.add(id);
      holders.units += calls;
      this.holders.set(key, holders);
    }
  }

  private release(id: number, { charges, calls }: Pick<OpenGrant, "charges" | "calls">): void {
    for (const charge of charges) {
      const key = holderKey(charge);
      const holders = this.holders.get(key);
      if (holders === undefined) continue;
      holders.grantIds.delete(id);
      holders.units -= calls;
      if (holders.units === 0) this.holders.delete(key);
    }
  }

  /** Counts the units of the calls that were made under a grant. */
  private count(id: number, { charges, calls }: Pick<OpenGrant, "charges" | "calls">, use: GrantUse): void {
    const verdicts: MemoryVerdict[] = [];
    let left = calls;
    for (const [at, made] of use.calls) {
      const counted = Math.min(made, left);
      if (counted === 0) break;
      verdicts.push(this.limiter.count(charges, at, counted));
      left -= counted;
    }
    if (verdicts.length === 0) return;
    this.remembered.set(id, verdicts);
    for (const [index, units] of use.givenBack.entries()) {
      for (let unit = 0; unit < Math.min(units, calls - left); unit += 1) this.giveBack(id, [index]);
    }
  }

  /**
   * The assumed use of a grant whose process does not report its use. All calls are assumed to have been made just now.
   */
  private usedUp({ charges, calls }: Pick<OpenGrant, "charges" | "calls">): GrantUse {
    return { calls: [[this.parts.clock.now(), calls]], givenBack: charges.map(() => 0) };
  }

  /** Ends the grants that hold units of the refused limit. Returns false if there are no such grants. */
  private async calledBack(charges: readonly Charge[], { standings, refused }: MemoryVerdict): Promise<boolean> {
    const charge = charges[refused ? standings.indexOf(refused) : -1];
    const holders = charge && this.holders.get(holderKey(charge));
    if (holders === undefined) return false;
    const ends = [...holders.grantIds].flatMap((id) => {
      const grant = this.open.get(id);
      if (grant === undefined) return [];
      this.parts.recall(grant.processId, id);
      return [grant.ended];
    });
    await Promise.all(ends);
    return true;
  }
}

function holderKey({ subject, limit, isAddress }: Charge): string {
  return `${isAddress ? "@" : ""}${subject}\n${limit.name}`;
}

function figuresOf(standings: readonly Figures[]): readonly Figures[] {
  return standings.map(({ remaining, resetAt }) => ({ remaining, resetAt }));
}

function unrefTimer(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms).unref();
  return () => clearTimeout(timer);
}
