/** An event of a stream of changes. */
export type StreamEvent<Change> = ReadyEvent | ChangeEvent<Change> | SnapshotRequiredEvent;

interface EventFacts {
  /** Position in the log. A stream with this position as `lastEventId` continues after the event. */
  readonly position: number;
  /** A cursor with which a poll or a stream continues after the event. */
  readonly cursor: string;
  /** Type of the event on the wire, such as `dataset.changed`. */
  readonly event: string;
  /** Data of the event on the wire. */
  readonly data: unknown;
}

/** The first event of a connection. */
export interface ReadyEvent extends EventFacts {
  readonly type: "ready";
  /**
   * True if the list that the changes belong to, such as the monitored companies of an account, has changed since the
   * stream's position. The list must then be read again.
   */
  readonly isSnapshotRequired: boolean;
}

export interface ChangeEvent<Change> extends EventFacts {
  readonly type: "change";
  readonly change: Change;
}

/** The list that `isSnapshotRequired` describes has changed, so it must be read again. The stream continues. */
export interface SnapshotRequiredEvent extends EventFacts {
  readonly type: "snapshotRequired";
}
