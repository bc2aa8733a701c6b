import type { StoreParts } from "../../../database/service-store.js";
import { type CursorRefusal, cursorRefusalCounter } from "../changes/cursor-refusal.js";
import { type CompanyCursors, companyCursors } from "../changes/cursors.js";
import { cursorRing } from "./cursor-ring.js";

/**
 * Returns a function that takes an account id and returns the `CompanyCursors` of the account. All accounts share the
 * signing keys.
 */
export function cursorDeskOf(parts: StoreParts): (accountId: string) => CompanyCursors {
  const ring = cursorRing(parts);
  const { now } = parts.clock;
  const onRefused = (reason: CursorRefusal): void => parts.count(cursorRefusalCounter, reason);
  return (accountId) => companyCursors({ accountId, ring, now, onRefused });
}
