import { type Static, Type } from "typebox";
import { MINUTE_MS } from "../../../kit/clock.js";

/** GDELT publishes an export every quarter of an hour. The name of an export contains its time. */
export const EXPORT_MS = 15 * MINUTE_MS;

/**
 * Consecutive exports, each of which was read or was never published. The members are the times of the first and the
 * last of these exports, epoch ms.
 */
export const ExportSpan = Type.Object({ firstExportAt: Type.Number(), lastExportAt: Type.Number() });
export type ExportSpan = Readonly<Static<typeof ExportSpan>>;

/** Sorts the spans, cuts off the time before `from`, and joins spans that are adjacent or overlap. */
export function joinedSpans(spans: readonly ExportSpan[], from: number): readonly ExportSpan[] {
  const joined: ExportSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.firstExportAt - b.firstExportAt)) {
    if (span.lastExportAt < from) continue;
    const last = joined.at(-1);
    const firstExportAt = Math.max(span.firstExportAt, from);
    if (last === undefined || firstExportAt > last.lastExportAt + EXPORT_MS) joined.push({ ...span, firstExportAt });
    else joined.splice(-1, 1, { ...last, lastExportAt: Math.max(last.lastExportAt, span.lastExportAt) });
  }
  return joined;
}

/** Returns the times of the exports between `from` and `to` that are in no span: newest first, at most `max`. */
export function missingExports(
  spans: readonly ExportSpan[],
  { from, to, max }: { readonly from: number; readonly to: number; readonly max: number },
): readonly number[] {
  const missing: number[] = [];
  const isKnown = (at: number): boolean =>
    spans.some(({ firstExportAt, lastExportAt }) => at >= firstExportAt && at <= lastExportAt);
  for (let at = lastExport(to); at >= from && missing.length < max; at -= EXPORT_MS) {
    if (!isKnown(at)) missing.push(at);
  }
  return missing;
}

/** Returns the time of the newest export at or before `at`. */
export function lastExport(at: number): number {
  return Math.floor(at / EXPORT_MS) * EXPORT_MS;
}
