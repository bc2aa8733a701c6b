import { expect, test } from "vitest";
import type { WatchFiring } from "../../records.js";
import { firingText } from "./firing-text.js";

const fired = { kind: "WATCH_FIRING_KIND_FIRED", watchName: "Sudan", state: "ok" } as const;

test.each<readonly [string, Partial<WatchFiring>]>([
  ["Sudan: 1 row added", { addedCount: 1, changedCount: 0, removedCount: 0 }],
  ["Sudan: 2 rows added, 3 changed, 1 removed", { addedCount: 2, changedCount: 3, removedCount: 1 }],
  ["Sudan: 2 rows removed (data partial)", { addedCount: 0, removedCount: 2, state: "partial" }],
  ["Sudan: -0.2 → 0.1", { before: -0.2, after: 0.1 }],
  ["Sudan: 0 items → 1 item", { before: [], after: [{}] }],
  ["Sudan: an object → null", { before: {}, after: null }],
  [
    "Sudan: ok → stale (data stale; 4 changes of the data skipped)",
    { before: "ok", after: "stale", state: "stale", skippedGenerations: 4 },
  ],
  ["Sudan: true", { after: true }],
  ["Sudan: fired", {}],
  ["Sudan: resolved, stale → ok", { kind: "WATCH_FIRING_KIND_RESOLVED", before: "stale", after: "ok" }],
  ["Sudan: resolved", { kind: "WATCH_FIRING_KIND_RESOLVED" }],
  ["Sudan: failed. The condition failed", { kind: "WATCH_FIRING_KIND_FAILED", message: "The condition failed" }],
  ["Sudan: The log has lost changes", { kind: "WATCH_FIRING_KIND_NOTICE", message: "The log has lost changes" }],
])("a firing is shown as %s", (text, members) => {
  expect(firingText({ ...fired, ...members })).toBe(text);
});

test("a firing is shown on one line, regardless of what its strings contain", () => {
  const text = firingText({ ...fired, watchName: "Two\nlines ", before: "a\r\nb", after: "x".repeat(5_000) });
  expect(text).toBe(`Two lines: a b → ${"x".repeat(60)}`);
});
