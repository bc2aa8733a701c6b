import { Type } from "typebox";
import { Value } from "typebox/value";

const announcementSchema = Type.Union([
  /** A run of a dataset has ended, so the dataset may have a new generation. */
  Type.Object({ kind: Type.Literal("snapshots") }),
  /** A write has succeeded. It may have changed an account or a key, a change log, or a table that jobs work on. */
  Type.Object({ kind: Type.Literal("written") }),
  /** A job has added entries to a change log or a queue. */
  Type.Object({ kind: Type.Literal("changes") }),
  /** A dataset that was idle is in demand. */
  Type.Object({ kind: Type.Literal("request"), dataset: Type.String(), requestedAt: Type.Number() }),
]);

/** A change in the store that other processes should pick up now. They read the change itself from the store. */
export type Announcement = Type.Static<typeof announcementSchema>;

/**
 * Announces a change in the store to the other processes that share the store. An announcement may be lost, repeated or
 * late: it only makes the next poll of the store happen sooner.
 */
export interface Announcements {
  /** Never throws. */
  announce(announcement: Announcement): void;
  /** Sets the only listener, which is called for each announcement of another process. */
  listen(listener: (announcement: Announcement) => void): void;
  close(): Promise<void>;
}

/** Announcements for a process that does not share its store: nothing is sent or received. */
export const noAnnouncements: Announcements = {
  announce: () => undefined,
  listen: () => undefined,
  close: async () => undefined,
};

/** Parses an announcement; undefined for any other value. */
export function readAnnouncement(value: unknown): Announcement | undefined {
  return Value.Check(announcementSchema, value) ? value : undefined;
}
