import { expect, test } from "vitest";
import { pollStanding } from "./poll-position.js";

const log = { snapshotGeneration: 3, oldest: 11, newest: 20 };
const CURRENT = "COMPANY_EVENT_POLL_STATE_CURRENT";
const REQUIRED = "COMPANY_EVENT_POLL_STATE_SNAPSHOT_REQUIRED";

test.each([
  ["inside the log", 15, 3, CURRENT, true],
  ["at the end of the log", 20, 3, CURRENT, true],
  ["just before the oldest change of the log", 10, 3, CURRENT, true],
  ["of an earlier generation", 15, 2, REQUIRED, true],
  ["of a later generation, as after the store was restored from a backup", 15, 4, REQUIRED, true],
  ["before a change that has been removed", 9, 3, REQUIRED, false],
  ["at 0, before changes that have been removed", 0, 3, REQUIRED, false],
  ["beyond the end of the log, as after the store was restored from a backup", 21, 3, REQUIRED, false],
])("a position %s has state $3 and is retained: $4", (_, watermark, snapshotGeneration, state, isRetained) => {
  expect(pollStanding({ watermark, snapshotGeneration }, log)).toEqual({ state, isRetained });
});

test("position 0 of a log without changes is current", () => {
  const empty = { snapshotGeneration: 0, oldest: 1, newest: 0 };
  const standing = { state: CURRENT, isRetained: true };
  expect(pollStanding({ watermark: 0, snapshotGeneration: 0 }, empty)).toEqual(standing);
});

test("after all changes of a log have been removed, its end is current, and earlier positions are not retained", () => {
  const thinned = { snapshotGeneration: 3, oldest: 21, newest: 20 };
  const standingAt = (watermark: number) => pollStanding({ watermark, snapshotGeneration: 3 }, thinned);
  expect(standingAt(20)).toEqual({ state: CURRENT, isRetained: true });
  expect(standingAt(19)).toEqual({ state: REQUIRED, isRetained: false });
});
