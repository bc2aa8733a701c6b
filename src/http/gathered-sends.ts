/**
 * Maximum number of answers that wait for the end of a turn of the event loop. The limit bounds the memory that a turn
 * with thousands of requests takes.
 */
export const GATHERED_MAX = 64;
/**
 * If a turn has at least this many answers, the answers of the next turn are gathered. With only two or three clients,
 * gathering gains nothing.
 */
export const GATHERED_MIN = 4;
/**
 * Maximum size of the body of a gathered answer. For larger answers, copying the body takes so long that gathering
 * gains nothing, and the kernel would have to buffer many large bodies.
 */
export const GATHERED_BYTES_MAX = 262_144;

interface GatheringSettings {
  /**
   * True while other work is due at the end of the turn. Answers are then sent immediately, because that work could
   * otherwise delay them.
   */
  readonly isTurnBusy: () => boolean;
  /** Runs the callback at the end of this turn of the event loop. */
  readonly defer: (callback: () => void) => void;
}

/**
 * Gathers the ready answers of one turn of the event loop and sends them at its end. The first write wakes a client on
 * the same machine, such as a reverse proxy, and the other writes find the client awake. If each answer is sent
 * immediately, the client falls asleep between two answers, and waking it each time takes a quarter of the CPU time of
 * a small answer. Larger bodies, up to `GATHERED_BYTES_MAX`, gain in another way: copying a body evicts the service's
 * code from the processor's cache, and gathering does all the copying after the requests have been handled.
 */
export class GatheredSends {
  private readonly settings: GatheringSettings;
  private waiting: (() => void)[] = [];
  private turnCount = 0;
  private lastTurnCount = 0;

  constructor(settings: Partial<GatheringSettings> = {}) {
    this.settings = { isTurnBusy: () => false, defer: setImmediate, ...settings };
  }

  /** Sends an answer with a body of this many bytes, now or at the end of the turn. */
  add(send: () => void, bytes: number): void {
    if (this.turnCount === 0) this.settings.defer(this.endTurn);
    this.turnCount += 1;
    if (bytes > GATHERED_BYTES_MAX || this.lastTurnCount < GATHERED_MIN || this.settings.isTurnBusy()) {
      send();
      return;
    }
    this.waiting.push(send);
    if (this.waiting.length >= GATHERED_MAX) this.sendAll();
  }

  /** Bound once, so that no turn has to allocate a function. */
  private readonly endTurn = (): void => {
    this.lastTurnCount = this.turnCount;
    this.turnCount = 0;
    this.sendAll();
  };

  private sendAll(): void {
    const sends = this.waiting;
    this.waiting = [];
    for (const send of sends) send();
  }
}
