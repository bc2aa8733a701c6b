import { sql } from "kysely";
import type { DatasetLogEntry, DatasetTimeline } from "../../../contract/dataset-log.js";
import type { DatasetAt } from "../../../contract/stored-answers.js";
import { logExtent, servedState } from "./change-log.js";
import type { DatasetChangeRow, DatasetDatabase } from "./tables.js";

/** Makes the dataset timeline, which reads the tables of the log. */
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
      const names = sql.join(
        datasets.map((dataset) => sql`select cast(${dataset} as text) as name`),
        sql` union all `,
      );
      // The database needs one index search per dataset, regardless of the length of the log.
      const { rows } = await sql<DatasetChangeRow>`
        select c.* from (${names}) d join dataset_change c on c.position =
          (select max(m.position) from dataset_change m where m.dataset = d.name and m.position <= ${position})`.execute(
        db,
      );
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
