import { isWanted, type LogPlace } from "../../contract/change-log.js";
import { type Clock, isWithin } from "../../kit/clock.js";
import type { Outlet } from "../exchange.js";
import { HEARTBEAT, retryText } from "./event-text.js";
import type { LogTail, PollState, TailPage } from "./log-tail.js";

export interface FollowerOptions {
  readonly tail: LogTail;
  readonly place: LogPlace;
  /** Position of the newest change of the snapshot generation that `ready` takes into account; 0 if there is none. */
  readonly snapshotPosition: number;
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly clock: Clock;
  /** The delay before the client connects again. The stream sends it before anything else. */
  readonly retryMs: number;
  /** Called with the error if the log cannot be read from the store. The stream then ends. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Once a text to send has reached this length, no further event is added to it. The remaining events follow when the
 * connection accepts more text.
 */
const SENT_CHARACTERS_MAX = 64 * 1024;

/** One open stream. Sends new entries over its connection, as fast as the caller reads them. */
export class Follower {
  private readonly options: FollowerOptions;
  private readonly outlet: Outlet;
  private position: number;
  /** The changes of the snapshot generation up to this position have been announced. */
  private announcedUpTo: number;
  private isOpen = true;
  private isFull = false;
  /** True while the first event or a page from the store is being prepared. Newer entries must not overtake it. */
  private isReading = false;
  private sentAt: number;

  constructor(options: FollowerOptions, outlet: Outlet) {
    this.options = options;
    this.outlet = outlet;
    this.position = options.place.position;
    this.announcedUpTo = options.snapshotPosition;
    this.sentAt = options.clock.now();
  }

  /** Sends the event `ready`, then every entry after the stream's position. */
  async begin(pollState: PollState): Promise<void> {
    const { tail, place } = this.options;
    this.isReading = true;
    const ready = await tail.standingText("ready", place, pollState);
    this.isReading = false;
    if (!this.isOpen) return;
    this.send(retryText(this.options.retryMs) + ready);
    this.sendNew();
  }

  /**
   * Sends the entries above this stream's position: from the tail, or from the store if the tail no longer keeps them.
   */
  sendNew(): void {
    while (this.isOpen && !this.isFull && !this.isReading) {
      const page = this.options.tail.after(this.position);
      if (page === undefined) this.readOn();
      else if (page.end === this.position) return;
      else this.sendPage(page);
    }
  }

  drained(): void {
    this.isFull = false;
    this.sendNew();
  }

  closed(): void {
    this.isOpen = false;
  }

  /** Sends a heartbeat if nothing was sent for `everyMs` and the connection accepts more text. */
  beat(everyMs: number): void {
    if (this.isOpen && !this.isFull && !isWithin(this.options.clock.now(), this.sentAt, everyMs)) this.send(HEARTBEAT);
  }

  /** Ends the stream. The client connects again after its delay and continues from its last event. */
  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.outlet.end();
  }

  /**
   * Sends as much of a page as fits, and moves the position past what was sent. A new snapshot generation is announced
   * before the entries after its position, so that a caller that has received such an entry knows about the generation.
   */
  private sendPage({ entries, end, ...snapshot }: TailPage): void {
    let text = "";
    for (const { entry, text: event } of entries) {
      if (text.length >= SENT_CHARACTERS_MAX) {
        this.send(text);
        return;
      }
      text += this.announcement(snapshot, entry.position);
      if (isWanted(entry, this.options.filters)) text += event;
      this.position = entry.position;
    }
    text += this.announcement(snapshot, end);
    this.position = end;
    if (text !== "") this.send(text);
  }

  /** Returns the announcement that is due before the stream moves to this position; empty if none is due. */
  private announcement(
    { snapshotPosition, snapshotText }: Pick<TailPage, "snapshotPosition" | "snapshotText">,
    position: number,
  ): string {
    if (snapshotPosition <= this.announcedUpTo || snapshotPosition > position) return "";
    this.announcedUpTo = snapshotPosition;
    return snapshotText;
  }

  /** Reads from the store the entries that the tail no longer keeps, and sends them. */
  private readOn(): void {
    this.isReading = true;
    this.options.tail
      .read(this.position)
      .then((page) => {
        if (!this.isOpen) return;
        if (page === undefined) this.end();
        else this.sendPage(page);
      })
      .catch((error: unknown) => {
        this.options.onFault(error);
        this.end();
      })
      .finally(() => {
        this.isReading = false;
        this.sendNew();
      });
  }

  private send(text: string): void {
    this.sentAt = this.options.clock.now();
    this.isFull = !this.outlet.send(text);
  }
}
