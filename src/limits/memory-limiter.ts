import { DAY_MS, SECOND_MS } from "../kit/clock.js";
import type { Counter } from "./counter.js";
import { CounterTable, type Entry } from "./counter-table.js";
import { DayCounter } from "./day-counter.js";
import type { Charge, Limit, Limiter, Standing, Verdict } from "./limiter.js";
import { SlidingLog } from "./sliding-log.js";

export interface MemoryVerdict extends Verdict {
  giveBack(which?: (charge: Charge) => boolean): readonly Standing[];
  /** Refunds one unit of the charge at this index. Returns false if none of its units are left to refund. */
  giveBackAt(index: number): boolean;
}

/** A limiter that answers synchronously. */
export interface MemoryLimiter extends Limiter {
  take(charges: readonly Charge[], now: number): MemoryVerdict;
  /**
   * Counts one unit of every charge for each call; `calls` is the number of calls. Limits are not checked, because the
   * units have already been reserved.
   */
  count(charges: readonly Charge[], now: number, calls: number): MemoryVerdict;
  look(charges: readonly Charge[], now: number): readonly Standing[];
  /** Number of subjects in memory. A subject under two limits counts twice. */
  readonly subjectsCount: number;
}

export interface MemoryLimiterSettings {
  /** Maximum number of addresses in memory. Beyond it, the least recently charged address is dropped with its units. */
  readonly addressesMax: number;
}

/**
 * If the clock is set back by at most this much, no units are dropped. A counter then counts new units at the time of
 * its newest unit until the clock reaches that time again.
 */
const CLOCK_BACK_MS = 30 * SECOND_MS;

/**
 * Maximum number of subjects dropped per limit and call. It exceeds the number of subjects that a call adds, so that
 * the table shrinks.
 */
const FORGOTTEN_PER_CALL = 2;

/**
 * A limiter for one process. Each charge also drops a few subjects that have no unit in their window. Only addresses
 * are capped, because the operator determines the number of accounts and keys. If there are too many addresses, no
 * caller is refused: the least recently charged address is dropped with its units. A caller with more addresses than
 * the cap can cause this, but gains nothing, because it could also call from an unused address.
 */
export function memoryLimiter(settings: Partial<MemoryLimiterSettings> = {}): MemoryLimiter {
  return new Tables(settings.addressesMax ?? 100_000);
}

/** For each charge of a call, its table and the entry of its subject; undefined if the subject has none. */
interface Places {
  readonly tables: readonly CounterTable[];
  readonly entries: readonly (Entry | undefined)[];
}

interface TablesByKind {
  readonly sliding: Map<string, CounterTable>;
  readonly "utc-day": Map<string, CounterTable>;
}

class Tables implements MemoryLimiter {
  private readonly addressesMax: number;
  private latestAt = 0;
  private readonly all: CounterTable[] = [];
  private readonly addressTables: CounterTable[] = [];
  /** The tables by the name of the limit. Addresses have separate tables. */
  private readonly tables: Readonly<Record<"known" | "address", TablesByKind>> = {
    known: { sliding: new Map<string, CounterTable>(), "utc-day": new Map<string, CounterTable>() },
    address: { sliding: new Map<string, CounterTable>(), "utc-day": new Map<string, CounterTable>() },
  };

  constructor(addressesMax: number) {
    this.addressesMax = addressesMax;
  }

  get subjectsCount(): number {
    return total(this.all);
  }

  take(charges: readonly Charge[], now: number): MemoryVerdict {
    this.advance(now);
    const tables: CounterTable[] = [];
    const entries: (Entry | undefined)[] = [];
    for (const charge of charges) {
      const table = this.table(charge);
      const entry = table.find(charge.subject);
      const units = entry?.counter.unitsAt(now, charge.limit) ?? 0;
      const index = tables.push(table) - 1;
      entries.push(entry);
      if (units + equalChargesBefore(charges, index) >= charge.limit.max) return this.refuse(charges, now, index);
    }
    const verdict = this.charge(charges, { tables, entries }, now, 1);
    this.dropAddresses();
    return verdict;
  }

  count(charges: readonly Charge[], now: number, calls: number): MemoryVerdict {
    this.advance(now);
    const tables = charges.map((charge) => this.table(charge));
    const entries = charges.map(({ subject }, index) => tables[index]?.find(subject));
    const verdict = this.charge(charges, { tables, entries }, now, calls);
    this.dropAddresses();
    return verdict;
  }

  look(charges: readonly Charge[], now: number): readonly Standing[] {
    return charges.map((charge) => standing(charge.limit, this.table(charge).find(charge.subject)?.counter, now));
  }

  async close(): Promise<void> {
    this.drop(({ sliding, "utc-day": days }) => [sliding, days]);
  }

  private advance(now: number): void {
    if (this.latestAt - now > CLOCK_BACK_MS) this.forgetAhead(now);
    this.latestAt = now;
    this.forget(now);
  }

  /**
   * Drops all units of sliding windows after the clock was set back by more than `CLOCK_BACK_MS`. If they were kept,
   * units counted while the clock was ahead would stay in the window until the clock reaches their time again. Units of
   * daily limits are dropped only if the UTC day has changed.
   */
  private forgetAhead(now: number): void {
    const isSameDay = Math.floor(this.latestAt / DAY_MS) === Math.floor(now / DAY_MS);
    this.drop(({ sliding, "utc-day": days }) => (isSameDay ? [sliding] : [sliding, days]));
  }

  private drop(picked: (tables: TablesByKind) => readonly Map<string, CounterTable>[]): void {
    for (const tables of Object.values(this.tables)) {
      for (const map of picked(tables)) {
        for (const table of map.values()) {
          remove(this.all, table);
          remove(this.addressTables, table);
        }
        map.clear();
      }
    }
  }

  /** Counts the charges in the places found for them. */
  private charge(charges: readonly Charge[], { tables, entries }: Places, now: number, units: number): MemoryVerdict {
    const counters: Counter[] = [];
    const marks: number[] = [];
    for (const { subject, limit } of charges) {
      const index = counters.length;
      const table = tables[index] as CounterTable;
      // An equal charge earlier in this call may have created the entry.
      const entry = entries[index] ?? table.find(subject) ?? table.create(subject, now, limit);
      marks.push(table.charge(entry, now, limit, units));
      counters.push(entry.counter);
    }
    return new Taken(charges, counters, marks, now, units);
  }

  private refuse(charges: readonly Charge[], now: number, index: number): MemoryVerdict {
    const standings = this.look(charges, now);
    return { refused: standings[index], standings, giveBack: () => this.look(charges, now), giveBackAt: () => false };
  }

  private table({ limit, isAddress }: Charge): CounterTable {
    const { kind } = limit.window;
    const tables = this.tables[isAddress ? "address" : "known"][kind];
    const existing = tables.get(limit.name);
    if (existing !== undefined) return existing;
    const newCounter = (floorAt: number): Counter =>
      kind === "sliding" ? new SlidingLog(floorAt) : new DayCounter(floorAt);
    const table = new CounterTable(newCounter);
    tables.set(limit.name, table);
    this.all.push(table);
    if (isAddress) this.addressTables.push(table);
    return table;
  }

  /** Drops a few subjects whose windows are empty. */
  private forget(now: number): void {
    for (const table of this.all) {
      for (let forgotten = 0; forgotten < FORGOTTEN_PER_CALL; forgotten += 1) {
        if (!table.forgetOldest(now)) break;
      }
    }
  }

  /** Drops the addresses beyond the cap, the least recently charged first. */
  private dropAddresses(): void {
    for (let surplus = total(this.addressTables) - this.addressesMax; surplus > 0; surplus -= 1) {
      oldestOf(this.addressTables)?.dropOldest();
    }
  }
}

function remove<T>(list: T[], item: T): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
}

function total(tables: Iterable<CounterTable>): number {
  let count = 0;
  for (const table of tables) count += table.size;
  return count;
}

/** Returns the table with the oldest charge. */
function oldestOf(tables: readonly CounterTable[]): CounterTable | undefined {
  const at = (table: CounterTable | undefined): number => table?.oldestChargedAt ?? Number.POSITIVE_INFINITY;
  return tables.reduce<CounterTable | undefined>(
    (oldest, table) => (at(table) < at(oldest) ? table : oldest),
    undefined,
  );
}

class Taken implements MemoryVerdict {
  readonly refused = undefined;
  readonly standings: readonly Standing[];
  private readonly charges: readonly Charge[];
  private readonly counters: readonly Counter[];
  private readonly marks: readonly number[];
  private readonly now: number;
  /** The units that can still be refunded. */
  private readonly refundable: number[] = [];

  constructor(
    charges: readonly Charge[],
    counters: readonly Counter[],
    marks: readonly number[],
    now: number,
    units: number,
  ) {
    this.charges = charges;
    this.counters = counters;
    this.marks = marks;
    this.now = now;
    this.standings = this.currentStandings();
    for (let index = 0; index < charges.length; index += 1) this.refundable.push(units);
  }

  giveBack(which?: (charge: Charge) => boolean): readonly Standing[] {
    for (let index = 0; index < this.charges.length; index += 1) {
      if (which?.(this.charges[index] as Charge) !== false) this.giveBackAt(index);
    }
    return this.currentStandings();
  }

  giveBackAt(index: number): boolean {
    const refundable = this.refundable[index] ?? 0;
    const mark = this.marks[index];
    if (refundable === 0 || mark === undefined) return false;
    this.refundable[index] = refundable - 1;
    this.counters[index]?.remove(mark);
    return true;
  }

  private currentStandings(): readonly Standing[] {
    const standings: Standing[] = [];
    for (const { limit } of this.charges) {
      standings.push(standing(limit, this.counters[standings.length], this.now));
    }
    return standings;
  }
}

/** Returns the number of earlier charges in the call that have the same subject and limit. */
function equalChargesBefore(charges: readonly Charge[], index: number): number {
  let count = 0;
  for (let before = 0; before < index; before += 1) if (isSame(charges[before], charges[index])) count += 1;
  return count;
}

function isSame(left: Charge | undefined, right: Charge | undefined): boolean {
  return (
    left?.limit.name === right?.limit.name &&
    left?.limit.window.kind === right?.limit.window.kind &&
    left?.isAddress === right?.isAddress &&
    left?.subject === right?.subject
  );
}

function standing(limit: Limit, counter: Counter | undefined, now: number): Standing {
  const units = counter?.unitsAt(now, limit) ?? 0;
  if (counter === undefined || units === 0) return { limit, remaining: limit.max, resetAt: now };
  return { limit, remaining: Math.max(0, limit.max - units), resetAt: counter.freeAt(now, limit) };
}
