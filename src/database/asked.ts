import { CLOCK_AHEAD_MS_MAX } from "../kit/clock.js";
import type { OpenDatabase } from "./open.js";

/** The request times of datasets that are built only on request, shared by all processes. */
export interface AskedStore {
  write(dataset: string, askedAt: number): Promise<void>;
  /** Epoch ms of the last request, by dataset. */
  all(): Promise<ReadonlyMap<string, number>>;
}

export function askedStore({ db }: OpenDatabase): AskedStore {
  return {
    async write(dataset, askedAt) {
      await db
        .insertInto("dataset_asked")
        .values({ dataset, asked_at: askedAt })
        .onConflict((conflict) =>
          conflict
            .column("dataset")
            .doUpdateSet({ asked_at: askedAt })
            .where((where) =>
              where.or([
                where("dataset_asked.asked_at", "<", askedAt),
                // Written by a clock that was ahead and has been set back.
                where("dataset_asked.asked_at", ">", askedAt + CLOCK_AHEAD_MS_MAX),
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
