import { sql } from "kysely";
import type { OpenDatabase } from "../../../src/database/open-database.js";
import { type CompanyDatabase, companiesIn } from "../../../src/services/company-monitoring/store/tables.js";

/** A scan window that ended, as copied by the trigger of `recordWindows`. */
export interface EndedWindow {
  /** Account, company name and provider. */
  readonly of: string;
  readonly countBefore: number;
  readonly count: number;
  readonly state: string;
  readonly start: number | null;
  readonly end: number;
}

/**
 * The results of scans and admission. Names replace ids, and tick numbers replace the times at which a tick stored its
 * results, so that two runs can be compared. A tick is one step of the simulated clock.
 */
export interface ScanState {
  readonly windows: readonly string[];
  readonly ended: readonly EndedWindow[];
  /** Changes of each account in log order, with their content. */
  readonly log: readonly string[];
  readonly findings: readonly string[];
  readonly occurrences: readonly string[];
  readonly decisions: readonly string[];
  readonly events: readonly string[];
}

/** Creates the table `ended_window`, and a trigger that copies each scan window into it when the window ends. */
export async function recordWindows({ db, dialect }: OpenDatabase): Promise<void> {
  await sql`create table ended_window (account_id text, company_id text, provider text, count_before integer,
    count integer, state text, window_start bigint, window_end bigint)`.execute(db);
  const copy = sql`insert into ended_window values (new.account_id, new.company_id, new.provider, old.ended_count,
    new.ended_count, new.state, new.window_start, new.window_end)`;
  if (dialect === "sqlite") {
    await sql`create trigger copy_window after update on company_window when new.ended_count <> old.ended_count
      begin ${copy}; end`.execute(db);
    return;
  }
  await sql`create function copy_window() returns trigger language plpgsql as $$
    begin ${copy}; return null; end $$`.execute(db);
  await sql`create trigger copy_window after update on company_window for each row
    when (new.ended_count <> old.ended_count) execute function copy_window()`.execute(db);
}

/** Reads what scans and admission have stored. `tickOf` converts a time to the number of its tick. */
export async function scanState({ db: frame }: OpenDatabase, tickOf: (at: number) => number): Promise<ScanState> {
  const db = companiesIn(frame);
  const versions = await db
    .selectFrom("company_version")
    .selectAll()
    .orderBy("account_id")
    .orderBy("visible_from")
    .execute();
  const nameOf = new Map(versions.map(({ company_id, name }) => [company_id, name]));
  const companyOf = ({ account_id, company_id }: { readonly account_id: string; readonly company_id: string }) =>
    `${account_id} ${nameOf.get(company_id)}`;
  const log = await logOf(db, tickOf, companyOf);
  const text = textWithout(log.names);
  const windows = await db.selectFrom("company_window").selectAll().execute();
  const findings = await db.selectFrom("company_finding").selectAll().execute();
  const occurrences = await db.selectFrom("company_occurrence").selectAll().execute();
  const decisions = await db.selectFrom("company_decision").selectAll().orderBy("ordinal").execute();
  const events = await db.selectFrom("company_event").selectAll().execute();
  const evidence = await db.selectFrom("company_evidence").selectAll().orderBy("ordinal").execute();
  // Only published events and impacts have a name. A decision may refer to an unpublished occurrence, so it is
  // identified by the occurrence's members (its evidence keys).
  const membersOf = new Map(occurrences.map(({ occurrence_id, members }) => [occurrence_id, members]));
  return {
    log: log.lines,
    ended: await endedWindows(db, companyOf),
    // Due times and failure counts depend on how often a tick was attempted, so they are left out.
    windows: windows
      .map(({ due_at: _due, failure_count: _failures, ...row }) =>
        text({ of: companyOf(row), ...row, company_id: null }),
      )
      .sort(),
    findings: findings
      .map(({ found_at, ...row }) => text({ of: companyOf(row), foundIn: tickOf(found_at), ...row, company_id: null }))
      .sort(),
    occurrences: occurrences
      .map(({ judged_at, ...row }) =>
        text({ of: companyOf(row), judgedIn: tickOf(judged_at), ...row, company_id: null }),
      )
      .sort(),
    decisions: decisions
      .map(({ decided_at, occurrence_id, ...row }) =>
        text({
          members: membersOf.get(occurrence_id),
          in: tickOf(decided_at),
          of: companyOf(row),
          ...row,
          company_id: null,
        }),
      )
      .sort(),
    events: events
      .map((row) => {
        const own = evidence.filter(({ event_id }) => event_id === row.event_id);
        return text({ ...row, evidence: own.map(({ body }) => JSON.parse(body)) });
      })
      .sort(),
  };
}

/** Reads the log of all accounts, and gives names to the ids of its impacts and events. */
async function logOf(
  db: CompanyDatabase,
  tickOf: (at: number) => number,
  companyOf: (row: { readonly account_id: string; readonly company_id: string }) => string,
) {
  const rows = await db
    .selectFrom("company_change")
    .leftJoin("company_impact", (join) =>
      join
        .onRef("company_impact.account_id", "=", "company_change.account_id")
        .onRef("company_impact.visible_from", "=", "company_change.position"),
    )
    .leftJoin("company_version", (join) =>
      join
        .onRef("company_version.account_id", "=", "company_change.account_id")
        .onRef("company_version.visible_from", "=", "company_change.position"),
    )
    .selectAll("company_change")
    .select(["company_impact.body", "company_impact.event_id", "company_impact.visible_to"])
    .select(["company_version.coverage", "company_version.observation"])
    .orderBy("company_change.account_id")
    .orderBy("company_change.position")
    .execute();
  const names = new Map<string, string>();
  for (const { account_id, position, impact_id, event_id } of rows) {
    if (impact_id === null || event_id === null || names.has(impact_id)) continue;
    names.set(impact_id, `impact ${account_id} ${position}`);
    names.set(event_id, `event ${account_id} ${position}`);
  }
  const text = textWithout(names);
  const lines = rows.map(({ changed_at, impact_id, event_id: _, body, ...row }) => {
    const impact = body === null ? null : { ...JSON.parse(body), companyId: null, changedAt: null };
    return text({ of: companyOf(row), in: tickOf(changed_at), ...row, company_id: null, impact_id, body: impact });
  });
  return { lines, names };
}

async function endedWindows(
  db: CompanyDatabase,
  companyOf: (row: { readonly account_id: string; readonly company_id: string }) => string,
): Promise<readonly EndedWindow[]> {
  const { rows } = await sql<{
    account_id: string;
    company_id: string;
    provider: string;
    count_before: number;
    count: number;
    state: string;
    window_start: number | null;
    window_end: number;
  }>`select * from ended_window order by account_id, company_id, provider, count`.execute(db);
  return rows.map((row) => ({
    of: `${companyOf(row)} ${row.provider}`,
    countBefore: row.count_before,
    count: row.count,
    state: row.state,
    start: row.window_start,
    end: row.window_end,
  }));
}

const ID = /cm_(?:impact|event|evidence|claim)_[0-9A-Z]{26}/g;

/** Returns a function that writes a value as JSON with names in place of ids. An id without a name becomes `id`. */
function textWithout(names: ReadonlyMap<string, string>): (value: unknown) => string {
  return (value) => JSON.stringify(value).replace(ID, (id) => names.get(id) ?? "id");
}
