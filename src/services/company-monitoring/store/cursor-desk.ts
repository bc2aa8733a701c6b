import type { StoreCall, StoreParts } from "../../../database/service-store.js";
import { type CursorRefusal, cursorRefusalCounter } from "../changes/cursor-refusal.js";
import { type CompanyCursors, companyCursors } from "../changes/cursors.js";
import { accountOf } from "./account-of.js";
import { cursorRing } from "./cursor-ring.js";

/** Opens the cursors of the caller's account. All calls share the keys. */
export function cursorDeskOf(parts: StoreParts): (call: StoreCall) => CompanyCursors {
  const ring = cursorRing(parts);
  const { now } = parts.clock;
  const onRefused = (reason: CursorRefusal): void => parts.count(cursorRefusalCounter, reason);
  return (call) => companyCursors({ accountId: accountOf(call), ring, now, onRefused });
}
