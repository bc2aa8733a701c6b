import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import type { ChangeLog } from "../../contract/change-log.js";
import type { StreamEvent } from "../../sdk/index.js";
import { lineOf } from "./event-line.js";

const entry = Type.Object({ position: Type.Integer(), name: Type.String() });
const log: ChangeLog<typeof entry> = {
  event: "thing.changed",
  description: "A thing changed.",
  scope: "read",
  isPerAccount: false,
  entry,
  subject: "name",
  facets: {},
  line: ({ name }) => `${name} changed`,
};

const data = { position: 7, name: "a\nb\u001b[2J", nextCursor: "c" };
const facts = { position: 7, cursor: "c", event: "thing.changed", data };
const change: StreamEvent<unknown> = { type: "change", ...facts, change: data };

describe("an event of a stream", () => {
  test("an event is one readable line without control characters if JSON is not requested", () => {
    expect(lineOf(change, log, false)).toBe("7  a b [2J changed");
  });

  test("an event is one line of JSON with its type if JSON is requested", () => {
    expect(lineOf(change, log, true)).toBe(JSON.stringify({ type: "thing.changed", data }));
  });

  test("an event of unknown shape is shown as its type and its JSON", () => {
    const other = { position: 7 };
    expect(lineOf({ ...change, data: other }, log, false)).toBe('7  thing.changed {"position":7}');
    expect(lineOf({ ...change, event: "thing.added", data: other }, log, false)).toBe('7  thing.added {"position":7}');
  });

  test("an event of the type `ready` is shown only if it requires a new snapshot", () => {
    const ready = { ...facts, type: "ready", event: "ready" } as const;
    expect(lineOf({ ...ready, isSnapshotRequired: false }, log, false)).toBeUndefined();
    expect(lineOf({ ...ready, isSnapshotRequired: true }, log, false)).toBe(
      "7  snapshot_required: these changes refer to a list, for example the companies of your account; that list is now different, so read it again",
    );
    expect(lineOf({ ...ready, isSnapshotRequired: true }, log, true)).toBe(
      JSON.stringify({ type: "snapshot_required", data }),
    );
  });

  test("an event of the type `snapshot_required` is one line of JSON if JSON is requested", () => {
    const required = { ...facts, type: "snapshotRequired", event: "snapshot_required" } as const;
    expect(lineOf(required, log, true)).toBe(JSON.stringify({ type: "snapshot_required", data }));
  });
});
