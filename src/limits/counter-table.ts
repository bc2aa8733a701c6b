import type { Counter } from "./counter.js";
import { type Limit, windowMsOf } from "./limiter.js";

/** A subject's counter, linked to its neighbours in the order in which they were last charged. */
export interface Entry {
  readonly subject: string;
  readonly counter: Counter;
  /** The time of the newest charge, epoch ms. */
  chargedAt: number;
  older: Entry | undefined;
  newer: Entry | undefined;
}

/**
 * The counters of one limit by subject, in the order of their last charge. All have windows of the same length, so they
 * also become empty in that order: if the first counter cannot be dropped, no other can.
 */
export class CounterTable {
  private readonly newCounter: (floorAt: number) => Counter;
  private readonly entries = new Map<string, Entry>();
  private oldest: Entry | undefined;
  private newest: Entry | undefined;
  /**
   * By this time, the windows of all subjects dropped by `forgetOldest` were empty. New counters treat every earlier
   * time as this time, so the dropped units cannot be in their windows.
   */
  private floorAt = 0;

  constructor(newCounter: (floorAt: number) => Counter) {
    this.newCounter = newCounter;
  }

  get size(): number {
    return this.entries.size;
  }

  find(subject: string): Entry | undefined {
    return this.entries.get(subject);
  }

  /** Counts units in an entry and returns their common mark, by which the counter can remove them. */
  charge(entry: Entry, now: number, limit: Limit, units: number): number {
    if (entry !== this.newest) {
      this.unlink(entry);
      this.append(entry);
    }
    entry.chargedAt = now;
    return entry.counter.add(now, limit, units);
  }

  /** Adds an entry for a new subject. */
  create(subject: string, now: number, limit: Limit): Entry {
    const counter = this.newCounter(this.floorFor(now, limit));
    const entry: Entry = { subject, counter, chargedAt: now, older: undefined, newer: undefined };
    this.entries.set(subject, entry);
    this.append(entry);
    return entry;
  }

  /** The time of the oldest charge, epoch ms; undefined in an empty table. */
  get oldestChargedAt(): number | undefined {
    return this.oldest?.chargedAt;
  }

  /** Drops the subject that was charged longest ago, and its units. */
  dropOldest(): void {
    if (this.oldest !== undefined) this.remove(this.oldest);
  }

  /** Drops the subject that was charged longest ago if its window is empty. Returns false if nothing was dropped. */
  forgetOldest(now: number): boolean {
    const entry = this.oldest;
    if (entry === undefined || entry.counter.emptyAt > now) return false;
    this.floorAt = Math.max(this.floorAt, entry.counter.emptyAt);
    this.remove(entry);
    return true;
  }

  /**
   * Returns the `floorAt` of a new counter. If the clock was set back by more than a window, it is 0, so that new
   * subjects do not wait until the clock reaches the `floorAt` of the table again.
   */
  private floorFor(now: number, limit: Limit): number {
    return now + windowMsOf(limit) < this.floorAt ? 0 : this.floorAt;
  }

  private remove(entry: Entry): void {
    this.unlink(entry);
    this.entries.delete(entry.subject);
  }

  private append(entry: Entry): void {
    entry.older = this.newest;
    if (this.newest === undefined) this.oldest = entry;
    else this.newest.newer = entry;
    this.newest = entry;
  }

  private unlink(entry: Entry): void {
    const { older, newer } = entry;
    if (older === undefined) this.oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.newest = older;
    else newer.older = older;
    entry.older = undefined;
    entry.newer = undefined;
  }
}
