import type { WatchDefinition } from "../../records.js";

type Threshold = NonNullable<WatchDefinition["threshold"]>;

/**
 * True if a number is beyond the threshold. Once beyond the threshold, a number is treated as beyond until it is back
 * at `clearsAt`, so that small movements around the threshold do not fire.
 */
export function isBeyond(value: number, { above, below, clearsAt }: Threshold, wasBeyond: boolean): boolean {
  if (above !== undefined) return value > (wasBeyond ? (clearsAt ?? above) : above);
  if (below !== undefined) return value < (wasBeyond ? (clearsAt ?? below) : below);
  throw new Error("the threshold has neither above nor below");
}
