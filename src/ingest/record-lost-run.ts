import { randomUUID } from "node:crypto";
import type { AnyDataset } from "../contract/product.js";
import type { Clock } from "../kit/clock.js";
import type { Random } from "../kit/random.js";
import type { SnapshotStore } from "../snapshots/store.js";
import { nextRunAt } from "./schedule.js";

export interface LostRunTools {
  readonly store: Pick<SnapshotStore, "statuses" | "recordRun">;
  readonly clock: Clock;
  readonly random: Random;
}

/** Records the failure of a run whose thread was lost. The served data stays the same. */
export async function recordLostRun(
  { store, clock, random }: LostRunTools,
  dataset: AnyDataset,
  error: string,
): Promise<void> {
  const before = (await store.statuses()).find((status) => status.dataset === dataset.name);
  const now = clock.now();
  const failuresInRow = (before?.failuresInRow ?? 0) + 1;
  await store.recordRun({
    runId: randomUUID(),
    status: {
      dataset: dataset.name,
      attemptedAt: now,
      outcome: "failed",
      error,
      checkedAt: before?.checkedAt ?? null,
      nextAt: nextRunAt({ now, cadenceMs: dataset.cadenceMs, failuresInRow, random }),
      failuresInRow,
      parts: before?.parts ?? {},
      ...(before?.ingredients && { ingredients: before.ingredients }),
    },
    reports: [],
  });
}
