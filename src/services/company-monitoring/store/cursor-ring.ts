import { type RotatingKeys, rotatingKeys } from "../../../database/rotating-keys.js";
import type { StoreParts } from "../../../database/service-store.js";
import { DAY_MS, isWithin, MINUTE_MS, SECOND_MS } from "../../../kit/clock.js";
import type { SigningRing } from "../../../kit/signing-ring.js";
import { CURSOR_MS_MAX, CURSOR_SKEW_MS } from "../changes/cursors.js";

/** Name of the row of `store_mark` that contains the keys. */
export const CURSOR_KEYS = "company-cursor-keys";

const READ_EVERY_MS = 30 * SECOND_MS;

export const cursorKeyPolicy = {
  rotatedEveryMs: 7 * DAY_MS,
  // Longer than the sum of two times: the interval at which nodes read the keys, and the tolerated difference between
  // the nodes' clocks.
  leadMs: 2 * MINUTE_MS,
  tokenMsMax: CURSOR_MS_MAX + 2 * CURSOR_SKEW_MS,
} as const;

/**
 * Returns a function that reads the signing keys of cursors. It reads them from the store only while cursors are used,
 * and at most every 30 s.
 */
export function cursorRing({
  database,
  clock,
  vault,
}: Pick<StoreParts, "database" | "clock" | "vault">): () => Promise<SigningRing> {
  let keys: RotatingKeys | undefined;
  let reading: Promise<RotatingKeys> | undefined;
  let readAt = 0;

  async function read(): Promise<RotatingKeys> {
    if (keys) await keys.refresh();
    else keys = await rotatingKeys(database, { name: CURSOR_KEYS, policy: cursorKeyPolicy, clock, vault });
    readAt = clock.now();
    return keys;
  }

  return async () => {
    if (keys && isWithin(clock.now(), readAt, READ_EVERY_MS)) return keys;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
