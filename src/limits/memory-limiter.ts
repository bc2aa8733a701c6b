import type { Counter } from "./counter.js";
import { CounterTable, type Entry } from "./counter-table.js";
import { DayCounter } from "./day-counter.js";
import { type Charge, type Limit, type Limiter, type Standing, type Verdict, windowMsOf } from "./limiter.js";
import { SlidingLog } from "./sliding-log.js";

export interface MemoryVerdict extends Verdict {
  giveBack(which?: (charge: Charge) => boolean): void;
}

/** A limiter that answers at once. */
export interface MemoryLimiter extends Limiter {
  take(charges: readonly Charge[], now: number): MemoryVerdict;
  look(charges: readonly Charge[], now: number): readonly Standing[];
  /** Subjects that take memory at present; one that is counted under two limits is two. */
  readonly subjectsCount: number;
}

export interface MemoryLimiterSettings {
  /** Subjects that may take memory; beyond it a new one is refused until the window of another is empty. */
  readonly subjectsMax: number;
}

/** Subjects forgotten at most for each limit in one call. More than a call adds, so that they become fewer. */
const FORGOTTEN_PER_CALL = 2;

/** A limiter for one process. Subjects without a unit in their window are forgotten as others are charged. */
export function memoryLimiter(settings: Partial<MemoryLimiterSettings> = {}): MemoryLimiter {
  return new Tables(settings.subjectsMax ?? 100_000);
}

/** The counters that the charges of one call have, in their order. */
type Found = readonly (Entry | undefined)[];

class Tables implements MemoryLimiter {
  private readonly subjectsMax: number;
  private readonly sliding = new Map<string, CounterTable>();
  private readonly days = new Map<string, CounterTable>();
  private readonly all: CounterTable[] = [];

  constructor(subjectsMax: number) {
    this.subjectsMax = subjectsMax;
  }

  get subjectsCount(): number {
    let count = 0;
    for (const table of this.all) count += table.size;
    return count;
  }

  take(charges: readonly Charge[], now: number): MemoryVerdict {
    this.forget(charges.length, now);
    const found: (Entry | undefined)[] = [];
    let room = this.subjectsMax - this.subjectsCount;
    for (const charge of charges) {
      const entry = this.find(charge);
      const asked = askedBefore(charges, found.length);
      const units = entry?.counter.unitsAt(now, charge.limit) ?? 0;
      if (units + asked >= charge.limit.max) return this.refuse(charges, now, found.length);
      if (entry === undefined && asked === 0) room -= 1;
      if (room < 0) return this.refuseNewcomer(charges, now, found.length);
      found.push(entry);
    }
    return this.count(charges, found, now);
  }

  look(charges: readonly Charge[], now: number): readonly Standing[] {
    return charges.map((charge) => standing(charge.limit, this.find(charge)?.counter, now));
  }

  async close(): Promise<void> {
    this.sliding.clear();
    this.days.clear();
    this.all.length = 0;
  }

  private count(charges: readonly Charge[], found: Found, now: number): MemoryVerdict {
    const counters: Counter[] = [];
    const marks: number[] = [];
    for (const { subject, limit } of charges) {
      const table = this.table(limit);
      const entry = found[marks.length] ?? table.find(subject) ?? table.create(subject, now, limit);
      marks.push(table.charge(entry, now, limit));
      counters.push(entry.counter);
    }
    const standings: Standing[] = [];
    for (const { limit } of charges) standings.push(standing(limit, counters[standings.length], now));
    return new Taken(charges, standings, counters, marks);
  }

  private refuse(charges: readonly Charge[], now: number, index: number): MemoryVerdict {
    const standings = this.look(charges, now);
    return { refused: standings[index], standings, giveBack: nothing };
  }

  /** Fails closed: letting newcomers through uncounted would let an attacker with many addresses past the limit. */
  private refuseNewcomer(charges: readonly Charge[], now: number, index: number): MemoryVerdict {
    const full = (limit: Limit): Standing => ({ limit, remaining: 0, resetAt: now + windowMsOf(limit) });
    const standings = this.look(charges, now).map((known, at) => (at === index ? full(known.limit) : known));
    return { refused: standings[index], standings, giveBack: nothing };
  }

  private find({ subject, limit }: Charge): Entry | undefined {
    return this.table(limit).find(subject);
  }

  private table(limit: Limit): CounterTable {
    const isSliding = limit.window.kind === "sliding";
    const tables = isSliding ? this.sliding : this.days;
    const known = tables.get(limit.name);
    if (known !== undefined) return known;
    const table = new CounterTable((floorAt) => (isSliding ? new SlidingLog(floorAt) : new DayCounter(floorAt)));
    tables.set(limit.name, table);
    this.all.push(table);
    return table;
  }

  /** Forgets a few subjects whose windows are empty, and as many more as it takes to have room for `newcomers`. */
  private forget(newcomers: number, now: number): void {
    for (const table of this.all) {
      let forgotten = 0;
      while (forgotten < FORGOTTEN_PER_CALL || this.subjectsCount + newcomers > this.subjectsMax) {
        if (!table.forgetOldest(now)) break;
        forgotten += 1;
      }
    }
  }
}

class Taken implements MemoryVerdict {
  readonly refused = undefined;
  readonly standings: readonly Standing[];
  private readonly charges: readonly Charge[];
  private readonly counters: readonly Counter[];
  /** NaN for a unit that was given back. */
  private readonly marks: number[];

  constructor(
    charges: readonly Charge[],
    standings: readonly Standing[],
    counters: readonly Counter[],
    marks: number[],
  ) {
    this.charges = charges;
    this.standings = standings;
    this.counters = counters;
    this.marks = marks;
  }

  giveBack(which?: (charge: Charge) => boolean): void {
    for (const [index, charge] of this.charges.entries()) {
      const mark = this.marks[index] ?? Number.NaN;
      if (Number.isNaN(mark) || which?.(charge) === false) continue;
      this.marks[index] = Number.NaN;
      this.counters[index]?.remove(mark);
    }
  }
}

/** How many of the charges before this one ask for the same. */
function askedBefore(charges: readonly Charge[], index: number): number {
  let count = 0;
  for (let before = 0; before < index; before += 1) if (isSame(charges[before], charges[index])) count += 1;
  return count;
}

function isSame(one: Charge | undefined, other: Charge | undefined): boolean {
  return (
    one?.limit.name === other?.limit.name &&
    one?.limit.window.kind === other?.limit.window.kind &&
    one?.subject === other?.subject
  );
}

function standing(limit: Limit, counter: Counter | undefined, now: number): Standing {
  const units = counter?.unitsAt(now, limit) ?? 0;
  if (counter === undefined || units === 0) return { limit, remaining: limit.max, resetAt: now };
  return { limit, remaining: Math.max(0, limit.max - units), resetAt: counter.freeAt(now, limit) };
}

function nothing(): void {}
