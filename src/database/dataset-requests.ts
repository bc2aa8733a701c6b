import { CLOCK_AHEAD_MS_MAX } from "../kit/clock.js";
import type { OpenDatabase } from "./open-database.js";

/** The request times of datasets that are built only on request, shared by all processes. */
export interface DatasetRequestStore {
  write(dataset: string, requestedAt: number): Promise<void>;
  /** Reads the time of the last request for each dataset, epoch ms. */
  all(): Promise<ReadonlyMap<string, number>>;
}

export function datasetRequestStore({ db }: OpenDatabase): DatasetRequestStore {
  return {
    async write(dataset, requestedAt) {
      await db
        .insertInto("dataset_asked")
        .values({ dataset, asked_at: requestedAt })
        .onConflict((conflict) =>
          conflict
            .column("dataset")
            .doUpdateSet({ asked_at: requestedAt })
            .where((where) =>
              where.or([
                where("dataset_asked.asked_at", "<", requestedAt),
                // A stored time in the future was written while the clock was ahead, so it is replaced too.
                where("dataset_asked.asked_at", ">", requestedAt + CLOCK_AHEAD_MS_MAX),
              ]),
            ),
        )
        .execute();
    },
    async all() {
      const rows = await db.selectFrom("dataset_asked").selectAll().execute();
      return new Map(rows.map(({ dataset, asked_at }) => [dataset, asked_at]));
    },
  };
}
