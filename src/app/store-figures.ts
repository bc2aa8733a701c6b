import type { RegisteredStore, StoreParts } from "../database/service-store.js";
import { type StoreWatch, storeTrouble } from "../database/store-watch.js";
import type { StoreFigures } from "../http/platform/facts.js";
import { type Clock, SECOND_MS } from "../kit/clock.js";
import { limitedReading } from "../kit/limited-reading.js";

/** Maximum time that the health and metrics answers wait for the store. */
const FIGURES_MS_MAX = 2 * SECOND_MS;

/**
 * Returns a function that reads the figures of every service, in at most `FIGURES_MS_MAX`. The function never
 * rejects, and reports failures to `watch`.
 */
export function storeFigures(
  stores: readonly RegisteredStore[],
  parts: StoreParts,
  watch: Pick<StoreWatch, "note">,
  clock: Clock,
): () => Promise<StoreFigures> {
  const readAll = async () => {
    const figures = await Promise.all(
      stores.map(async ({ service, store }) => [service, (await store.figures?.(parts)) ?? {}] as const),
    );
    return Object.fromEntries(figures);
  };
  const read = limitedReading(readAll, clock, FIGURES_MS_MAX);
  return async () => {
    const reading = await read();
    if (reading.kind === "read") return { figures: reading.value };
    if (reading.kind === "late") {
      return { figures: null, whyUnknown: `the store did not answer within ${FIGURES_MS_MAX / SECOND_MS} s` };
    }
    watch.note(reading.error);
    return { figures: null, whyUnknown: storeTrouble(reading.error) };
  };
}
