import { monotonicMs, SECOND_MS } from "../kit/clock.js";

/** Refusals per second that are sent immediately. */
export const PROMPT_PER_SECOND = 200;
/** Held refusals are sent in ticks of this length. */
export const TICK_MS = 20;
/** Maximum number of refusals in a tick. If all ticks are full, each tick takes this number once more. */
export const PER_TICK = 40;
/** Shortest and longest time that a refusal is held, in ticks. */
const HELD_TICKS_MIN = 25;
export const HELD_TICKS_MAX = 100;

/** Number of refusals that fill all ticks. */
const FULL = (HELD_TICKS_MAX - HELD_TICKS_MIN + 1) * PER_TICK;

interface HoldingSettings {
  /** Maximum number of held refusals. Beyond it, refusals are sent immediately. */
  readonly heldMax: number;
  readonly now: () => number;
  /** Runs the callback every `TICK_MS`, or later if the event loop is busy, until the returned function is called. */
  readonly everyTick: (callback: () => void) => () => void;
}

function everyTick(callback: () => void): () => void {
  const timer = setInterval(callback, TICK_MS);
  return () => clearInterval(timer);
}

/**
 * Sends the refusals of calls that the overloaded service does not run. Under heavy overload, most refusals are sent
 * late, because a connection cannot carry the client's next call until the refusal is sent. Without this delay, a
 * client that ignores `Retry-After` would repeat its call immediately, and refusing thousands of calls per second
 * would take CPU time from the other calls.
 */
export class HeldRefusals {
  private readonly settings: HoldingSettings;
  private readonly ticks: (() => void)[][] = Array.from({ length: HELD_TICKS_MAX + 1 }, () => []);
  private tick = 0;
  private tickedMs = 0;
  private heldCount = 0;
  /** Number of ticks from `tick` to the tick that the last held refusal was added to. */
  private lastAhead = 0;
  private stopTicks: (() => void) | undefined = undefined;
  private second = 0;
  private promptCount = 0;

  constructor(settings: Pick<HoldingSettings, "heldMax"> & Partial<HoldingSettings>) {
    this.settings = { now: monotonicMs, everyTick, ...settings };
  }

  /** Sends a refusal now, or holds it for half a second to two seconds. */
  add(send: () => void): void {
    if (this.isPrompt() || this.heldCount >= this.settings.heldMax) {
      send();
      return;
    }
    this.lastAhead = Math.max(this.lastAhead, HELD_TICKS_MIN);
    const perTickMax = PER_TICK * (1 + Math.floor(this.heldCount / FULL));
    if (this.heldAhead(this.lastAhead).length >= perTickMax) {
      this.lastAhead = this.lastAhead < HELD_TICKS_MAX ? this.lastAhead + 1 : HELD_TICKS_MIN;
    }
    this.heldAhead(this.lastAhead).push(send);
    this.heldCount += 1;
    if (this.stopTicks !== undefined) return;
    this.tickedMs = this.settings.now();
    this.stopTicks = this.settings.everyTick(this.sendDue);
  }

  /** Sends all held refusals, before the server closes. */
  sendAll(): void {
    for (const _ of this.ticks) this.sendTick();
  }

  private heldAhead(ticks: number): (() => void)[] {
    // The cast is safe, because the remainder is an index of the array.
    return this.ticks[(this.tick + ticks) % this.ticks.length] as (() => void)[];
  }

  private isPrompt(): boolean {
    const second = Math.floor(this.settings.now() / SECOND_MS);
    if (second !== this.second) {
      this.second = second;
      this.promptCount = 0;
    }
    this.promptCount += 1;
    return this.promptCount <= PROMPT_PER_SECOND;
  }

  /** Sends the refusals of all ticks that have passed. This is a bound function, because the timer calls it. */
  private readonly sendDue = (): void => {
    const now = this.settings.now();
    for (; this.tickedMs + TICK_MS <= now && this.heldCount > 0; this.tickedMs += TICK_MS) this.sendTick();
  };

  private sendTick(): void {
    const due = this.heldAhead(1);
    this.tick = (this.tick + 1) % this.ticks.length;
    this.ticks[this.tick] = [];
    this.lastAhead -= 1;
    this.heldCount -= due.length;
    if (this.heldCount === 0) {
      this.stopTicks?.();
      this.stopTicks = undefined;
    }
    for (const send of due) send();
  }
}
