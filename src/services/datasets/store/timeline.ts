import type { DatasetLogEntry, DatasetTimeline } from "../../../contract/dataset-log.js";
import type { DatasetAt } from "../../../contract/stored-answers.js";
import { logExtent, servedState } from "./change-log.js";
import type { DatasetChangeRow, DatasetDatabase } from "./tables.js";

/** Reads the log as the timeline of everything that is computed from datasets. */
export function timelineOf(db: DatasetDatabase): DatasetTimeline {
  return {
    extent: () => logExtent(db),
    async after(position, entriesMax, datasets) {
      if (datasets?.length === 0) return [];
      const rows = await db
        .selectFrom("dataset_change")
        .selectAll()
        .where("position", ">", position)
        .$if(datasets !== undefined, (query) => query.where("dataset", "in", datasets ?? []))
        .orderBy("position")
        .limit(entriesMax)
        .execute();
      return rows.map(entryOf);
    },
    async standingsAt(position, datasets) {
      if (datasets.length === 0) return [];
      const rows = await db
        .selectFrom("dataset_change")
        .selectAll()
        .where("dataset", "in", datasets)
        .where("position", "<=", position)
        .where((row) => row.or([row("next_position", "is", null), row("next_position", ">", position)]))
        .execute();
      const logged = new Map(rows.map((row) => [row.dataset, standingOf(row)]));
      return datasets.map((dataset) => logged.get(dataset) ?? { dataset, generation: null, state: "absent" });
    },
    async positionAt(at) {
      const row = await db
        .selectFrom("dataset_change")
        .select("position")
        .where("changed_at", "<=", at)
        .orderBy("changed_at", "desc")
        .orderBy("position", "desc")
        .limit(1)
        .executeTakeFirst();
      return row?.position ?? 0;
    },
  };
}

function entryOf(row: DatasetChangeRow): DatasetLogEntry {
  return { position: row.position, at: row.changed_at, ...standingOf(row) };
}

function standingOf({ dataset, generation, state }: DatasetChangeRow): DatasetAt {
  return { dataset, generation, state: servedState(state) };
}
