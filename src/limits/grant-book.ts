import { LRUCache } from "lru-cache";
import { type Clock, isWithin, SECOND_MS } from "../kit/clock.js";
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

/** Number of calls by one caller within `HOT_MS` after which the process gets grants for that caller. */
const HOT_CALLS = 16;
const HOT_MS = 100;
/**
 * Time for which a grant may be used. A call under a grant may be counted at the time of a later call in another
 * process.
 */
const GRANT_MS = 250;
const GRANT_CALLS_MAX = 256;
/**
 * The units left are divided equally among the processes. A grant takes at most 1/`SHARES` of the share of one process,
 * so that no process runs out of units while others have plenty.
 */
const SHARES = 4;
/** Time after which the grant of an unresponsive process counts as fully used. */
const SILENT_MS = SECOND_MS / 2;
const REMEMBERED_CALLS_MAX = 20_000;
const HOT_CALLERS_MAX = 10_000;

interface OpenGrant {
  readonly processId: number;
  readonly charges: readonly Charge[];
  readonly verdicts: readonly MemoryVerdict[];
  readonly ended: Promise<void>;
  /** Ends a grant and reports its use. */
  readonly end: (use: GrantUse) => void;
}

/** The calls of one id whose units may still be refunded, and the number of units refunded so far for each charge. */
interface Remembered {
  readonly charges: readonly Charge[];
  readonly verdicts: readonly MemoryVerdict[];
  readonly givenBack: number[];
}

/**
 * Counts units for several processes exactly. The units of a grant are counted when the grant starts. When the grant
 * ends, its units are recounted according to the calls that were actually made. No window therefore ever holds more
 * than its limit. Before a call is refused, the grants that hold units of the same limit are recalled. No call is
 * therefore refused while units are unused.
 */
export class GrantBook {
  private readonly parts: GrantBookParts;
  private readonly limiter: MemoryLimiter = memoryLimiter();
  private readonly open = new Map<number, OpenGrant>();
  /** The ids of open grants, by limit and subject. */
  private readonly holders = new Map<string, Set<number>>();
  private readonly remembered = new LRUCache<number, Remembered>({ max: REMEMBERED_CALLS_MAX });
  private readonly recent = new LRUCache<string, { since: number; calls: number }>({ max: HOT_CALLERS_MAX });
  private lastId = 0;

  constructor(parts: GrantBookParts) {
    this.parts = parts;
  }

  async take(processId: number, charges: readonly Charge[], now: number): Promise<Taken> {
    let verdict = this.limiter.take(charges, now);
    if (verdict.refused && (await this.calledBack(charges, verdict))) verdict = this.limiter.take(charges, now);
    const id = this.newId();
    if (verdict.refused) {
      const refusedIndex = verdict.standings.indexOf(verdict.refused);
      return { id, refusedIndex, standings: figuresOf(verdict.standings), grant: undefined };
    }
    this.remembered.set(id, { charges, verdicts: [verdict], givenBack: charges.map(() => 0) });
    const grant = this.granted(processId, charges, verdict, now);
    const standings = grant ? this.limiter.look(charges, now) : verdict.standings;
    return { id, refusedIndex: -1, standings: figuresOf(standings), grant };
  }

  look(charges: readonly Charge[], now: number): readonly Figures[] {
    return figuresOf(this.limiter.look(charges, now));
  }

  giveBack(id: number, indexes: readonly number[]): void {
    const call = this.remembered.get(id);
    if (call === undefined) return;
    for (const index of indexes) {
      const charge = call.charges[index];
      const verdict = call.verdicts[call.givenBack[index] ?? 0];
      call.givenBack[index] = (call.givenBack[index] ?? 0) + 1;
      verdict?.giveBack((candidate) => candidate === charge);
    }
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

  private granted(
    processId: number,
    charges: readonly Charge[],
    { standings }: MemoryVerdict,
    now: number,
  ): Grant | undefined {
    if (!this.isHot(`${processId}\n${chargesKey(charges)}`, now)) return undefined;
    const left = Math.min(...standings.map(({ remaining }) => remaining));
    const calls = Math.min(GRANT_CALLS_MAX, Math.floor(left / (SHARES * this.parts.processes())));
    if (calls < 2) return undefined;
    const verdicts = Array.from({ length: calls }, () => this.limiter.take(charges, now));
    const id = this.newId();
    this.keepOpen(id, { processId, charges, verdicts });
    return { id, calls, ms: GRANT_MS };
  }

  private isHot(key: string, now: number): boolean {
    const entry = this.recent.get(key);
    if (entry === undefined || !isWithin(now, entry.since, HOT_MS)) {
      // A hot caller stays hot if this call comes soon after its last grant.
      const isStillHot = entry !== undefined && entry.calls >= HOT_CALLS && isWithin(now, entry.since, 2 * GRANT_MS);
      this.recent.set(key, { since: now, calls: isStillHot ? HOT_CALLS : 1 });
      return isStillHot;
    }
    entry.calls += 1;
    return entry.calls >= HOT_CALLS;
  }

  private keepOpen(id: number, grant: Pick<OpenGrant, "processId" | "charges" | "verdicts">): void {
    const { schedule = unrefTimer } = this.parts;
    const keys = grant.charges.map(holderKey);
    let resolve = (): void => undefined;
    const ended = new Promise<void>((settle) => {
      resolve = settle;
    });
    const end = (use: GrantUse): void => {
      cancel();
      this.open.delete(id);
      for (const key of keys) {
        const ids = this.holders.get(key);
        ids?.delete(id);
        if (ids?.size === 0) this.holders.delete(key);
      }
      this.settle(id, grant, use);
      resolve();
    };
    const cancel = schedule(() => end(this.usedUp(grant)), GRANT_MS + SILENT_MS);
    this.open.set(id, { ...grant, ended, end });
    for (const key of keys) {
      const ids = this.holders.get(key) ?? new Set();
      this.holders.set(key, ids.add(id));
    }
  }

  /** Frees the units of a grant, and counts the units of the calls that were made under the grant. */
  private settle(id: number, { charges, verdicts }: Pick<OpenGrant, "charges" | "verdicts">, use: GrantUse): void {
    for (const verdict of verdicts) verdict.giveBack();
    const used: MemoryVerdict[] = [];
    for (const [at, count] of use.calls) {
      const calls = Math.min(count, verdicts.length - used.length);
      for (let call = 0; call < calls; call += 1) used.push(this.limiter.take(charges, at));
    }
    if (used.length === 0) return;
    this.remembered.set(id, { charges, verdicts: used, givenBack: charges.map(() => 0) });
    for (const [index, count] of use.givenBack.entries()) {
      for (let unit = 0; unit < Math.min(count, used.length); unit += 1) this.giveBack(id, [index]);
    }
  }

  /**
   * The assumed use of a grant whose process does not report its use. All calls are assumed to have been made just now.
   */
  private usedUp({ charges, verdicts }: Pick<OpenGrant, "charges" | "verdicts">): GrantUse {
    return { calls: [[this.parts.clock.now(), verdicts.length]], givenBack: charges.map(() => 0) };
  }

  /** Ends the grants that hold units of the refused limit. Returns false if there are no such grants. */
  private async calledBack(charges: readonly Charge[], { standings, refused }: MemoryVerdict): Promise<boolean> {
    const charge = charges[refused ? standings.indexOf(refused) : -1];
    const ids = charge && this.holders.get(holderKey(charge));
    if (ids === undefined) return false;
    const ends = [...ids].flatMap((id) => {
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
