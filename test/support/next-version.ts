import { type Kysely, sql } from "kysely";
import type { Database } from "../../src/database/schema.js";
import type { Services } from "../../src/services/registry.js";

/** The name of the migration of the next version. */
export const NEXT_MIGRATION = "999-next-version";

/**
 * The declarations of a version whose migration makes each kind of change that docs/upgrading.md allows: every table
 * gets a column without a value and a column with a default, and an index and a table are added.
 */
export function nextVersion(services: Services): Services {
  return {
    ...services,
    stores: services.stores.map(({ service, store }, index) => ({
      service,
      store:
        index > 0
          ? store
          : {
              ...store,
              migrations: (dialect) => ({ ...store.migrations(dialect), [NEXT_MIGRATION]: { up: addEverywhere } }),
            },
    })),
  };
}

/** Changes every table that exists. The tables of other services may not exist yet. */
async function addEverywhere(db: Kysely<Database>): Promise<void> {
  const tables = await db.introspection.getTables();
  for (const { name } of tables) {
    await sql`alter table ${sql.table(name)} add column next_note text`.execute(db);
    await sql`alter table ${sql.table(name)} add column next_count integer not null default 0`.execute(db);
  }
  await sql`create index next_by_note on account (next_note)`.execute(db);
  await sql`create table next_version (name varchar(80) not null primary key)`.execute(db);
}
