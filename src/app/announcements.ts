import { Type } from "typebox";
import { Value } from "typebox/value";

const announcementSchema = Type.Union([
  /** A run has ended, so that there may be a new generation. */
  Type.Object({ kind: Type.Literal("snapshots") }),
  /** A call has written: to accounts and keys, to a change log or to what jobs work on. */
  Type.Object({ kind: Type.Literal("written") }),
  /** A job has added entries to a change log or a queue. */
  Type.Object({ kind: Type.Literal("changes") }),
  /** A sleeping dataset was asked for. */
  Type.Object({ kind: Type.Literal("request"), dataset: Type.String(), requestedAt: Type.Number() }),
]);

/** A change of the store that other processes should look at now. They find the change itself in the store. */
export type Announcement = Type.Static<typeof announcementSchema>;

/**
 * Tells the other processes of a store what has changed. An announcement may be lost, repeated or late: it only brings the
 * next poll of the store forward.
 */
export interface Announcements {
  /** Never throws. */
  announce(announcement: Announcement): void;
  /** Calls `listener` for each announcement of another process. There is one listener. */
  listen(listener: (announcement: Announcement) => void): void;
  close(): Promise<void>;
}

/** For a process whose store no other process may be watching. */
export const noAnnouncements: Announcements = {
  announce: () => undefined,
  listen: () => undefined,
  close: async () => undefined,
};

/** Parses an announcement; undefined for any other value. */
export function readAnnouncement(value: unknown): Announcement | undefined {
  return Value.Check(announcementSchema, value) ? value : undefined;
}
