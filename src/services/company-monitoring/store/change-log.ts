import { type RawBuilder, sql } from "kysely";
import type { LoggedImpact, LogPage } from "../changes/company-reading.js";
import type { Boundary } from "../changes/cursor-claims.js";
import type { LogExtent } from "../changes/poll-position.js";
import type { CompanyMaterialImpact } from "../event-records.js";
import type { CompanyDatabase } from "./tables.js";

export interface PollRow {
  readonly newest: number;
  readonly oldest: number;
  readonly generation: number;
  /** Position of the newest change of the portfolio; null if the log retains none. */
  readonly snapshot_position: number | null;
  /** Null in the single row of a poll without changes. */
  readonly position: number | null;
  readonly body: string | null;
  readonly visible_to: number | null;
}

type ExtentRow = Pick<PollRow, "newest" | "oldest" | "generation" | "snapshot_position">;

/** The log of an account without any writes. */
const emptyLog = { snapshotGeneration: 0, oldest: 1, newest: 0 } as const;

/** The extent of the log of the account `a`. The log has a change of the kind `company` for each generation. */
const extentColumns = sql`
  a.position as newest, a.oldest_position as oldest, a.generation,
  (select max(latest.position) from company_change latest
    where latest.account_id = a.account_id and latest.kind = 'company') as snapshot_position`;

/**
 * Builds the statement of a poll, which reads the extent of the log and the first impact changes after a position. It
 * is a single statement, so that retention cannot remove changes between the check of the extent and the read. It finds
 * the page through the index alone, whatever the length of the log.
 */
export function pollStatement(accountId: string, position: number, changesMax: number): RawBuilder<PollRow> {
  return sql<PollRow>`
    select ${extentColumns}, page.position, page.body, page.visible_to
    from company_account a
    left join (
      select c.position, i.body, i.visible_to
      from company_change c
      left join company_impact i
        on i.account_id = c.account_id and i.impact_id = c.impact_id and i.visible_from = c.position
      where c.account_id = ${accountId} and c.kind = 'impact' and c.position > ${position}
      order by c.position limit ${changesMax}
    ) page on true
    where a.account_id = ${accountId}
    order by page.position`;
}

/** Reads the first changes of impacts after a position, with the extent of the log. */
export async function changesAfter(
  db: CompanyDatabase,
  accountId: string,
  position: number,
  changesMax: number,
): Promise<LogPage> {
  const extent = await logExtent(db, accountId);
  // Most polls find nothing new. They read only one row.
  if (extent.newest <= position) return { log: extent, changes: [] };
  const { rows } = await pollStatement(accountId, position, changesMax).execute(db);
  const [first] = rows;
  if (!first) return { log: emptyLog, changes: [] };
  return { log: extentOf(first), changes: rows.flatMap(changeOf) };
}

/** Returns the newest log position of each of these accounts. An account without any writes has no entry. */
export async function newestOf(
  db: CompanyDatabase,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (accountIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("company_account")
    .select(["account_id", "position"])
    .where("account_id", "in", accountIds)
    .execute();
  return new Map(rows.map(({ account_id, position }) => [account_id, position]));
}

function changeOf({ position, body, visible_to }: PollRow): readonly LoggedImpact[] {
  if (position === null) return [];
  if (body === null) throw new Error(`the change log has no impact at position ${position}`);
  return [{ position, impact: impactOf(body, visible_to === null) }];
}

/** Converts a stored impact to its served form. */
export function impactOf(body: string, isCurrent: boolean): CompanyMaterialImpact {
  return { ...JSON.parse(body), isCurrent };
}

function extentOf({ newest, oldest, generation, snapshot_position }: ExtentRow): LogExtent {
  const extent = { snapshotGeneration: generation, oldest, newest };
  return snapshot_position === null ? extent : { ...extent, snapshotPosition: snapshot_position };
}

async function logExtent(db: CompanyDatabase, accountId: string): Promise<LogExtent> {
  // Plain SQL, because building the query would take longer than running it.
  const { rows } = await sql<ExtentRow>`
    select ${extentColumns} from company_account a where a.account_id = ${accountId}`.execute(db);
  return rows[0] === undefined ? emptyLog : extentOf(rows[0]);
}

/** Returns the boundary at the present end of an account's log. */
export async function boundaryAt(db: CompanyDatabase, accountId: string, now: number): Promise<Boundary> {
  const account = await db
    .selectFrom("company_account")
    .select(["position", "generation"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return {
    snapshotAsOf: now,
    snapshotGeneration: account?.generation ?? 0,
    watermark: account?.position ?? 0,
  };
}

/** False if versions visible at this boundary may have been removed, or if the log ends before the boundary. */
export async function isListable(
  db: CompanyDatabase,
  accountId: string,
  { watermark }: Pick<Boundary, "watermark">,
): Promise<boolean> {
  const account = await db
    .selectFrom("company_account")
    .select(["position", "lists_from"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  const { position = 0, lists_from = 0 } = account ?? {};
  return watermark >= lists_from && watermark <= position;
}
