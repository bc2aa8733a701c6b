import { sql } from "kysely";
import type { StoreParts } from "../../../../database/service-store.js";
import { DAY_MS } from "../../../../kit/clock.js";
import { wordsOf } from "../../../../kit/words.js";
import { evidenceOf } from "../../admission/evidence.js";
import { type PlannedOccurrence, planAdmission } from "../../admission/plan.js";
import { nextLifecycles, statementOf } from "../../admission/revision.js";
import { rationaleOf } from "../../admission/served-impact.js";
import type { CompanyMaterialImpact } from "../../event-records.js";
import type { Company } from "../../portfolio/company.js";
import { newId } from "../../rules/ids.js";
import type { Finding } from "../../scan/finding.js";
import type { CompanyFindingTable } from "../scan/scan-tables.js";
import { sourceColumn } from "../scan/store-findings.js";
import { providerColumn, providerOf } from "../scan/window-row.js";
import type { CompanyDatabase } from "../tables.js";
import type { CompanyOccurrenceRow } from "./admission-tables.js";
import { decisionText, judgedOf, lifecycleColumn } from "./judged-occurrence.js";
import { currentImpact, publishRevision, type RevisionPlace, retractImpact } from "./publish-revision.js";

/**
 * Evidence up to this age is compared with the company's other evidence. Older evidence is settled once it has been
 * assessed: its assessment no longer changes. Entries of sanctions lists are compared at any age.
 */
const COMPARED_MS = 60 * DAY_MS;
/** Maximum number of a company's findings that are compared with each other. */
const FINDINGS_MAX = 300;
const NAME_WORDS_MAX = 400;
const UNMATCHED = "the company's names and numbers have changed, and no report matches them any more";
/** The findings of this provider are in force until withdrawn, whatever their age. */
const SANCTIONS = "MONITORING_PROVIDER_SANCTIONS";

export interface JudgedCompany {
  readonly db: CompanyDatabase;
  readonly accountId: string;
  readonly company: Company;
  /** Epoch ms. */
  readonly now: number;
  readonly randomBytes: StoreParts["randomBytes"];
}

/**
 * Assesses up to `FINDINGS_MAX` findings of a company and marks them as assessed. Waiting findings, which have not been
 * assessed yet, come first. Must be called in a transaction that has locked the account.
 */
export async function judgeCompany(judged: JudgedCompany): Promise<void> {
  const { db, accountId, company, now } = judged;
  const { companyId } = company;
  const stored = await findingsOf(judged);
  const rows = await db
    .selectFrom("company_occurrence")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("company_id", "=", companyId)
    .orderBy(sql`case when members like ${`%"${SANCTIONS} %`} then 0 else 1 end`)
    .orderBy("newest_at", "desc")
    .limit(2 * FINDINGS_MAX)
    .execute();
  // The cast is safe, because the column was written from values of this type.
  const evidence = stored.map(({ body }) => evidenceOf(JSON.parse(body) as Finding));
  const keys = new Set(evidence.map(({ key }) => key));
  const isWithdrawn = await withdrawnIn(judged);
  for (const row of rows) {
    const { members } = judgedOf(row);
    if (members.length > 0 && members.every(isWithdrawn)) await withdrawOccurrence(judged, row);
  }
  const earlier = rows
    .map(judgedOf)
    .map((occurrence) => ({ ...occurrence, members: occurrence.members.filter((key) => !isWithdrawn(key)) }));
  // An occurrence groups the evidence of one event. If some of this evidence is no longer compared, the whole
  // occurrence is settled.
  const settled = new Set(
    earlier.filter(({ members }) => members.some((key) => !keys.has(key))).flatMap(({ members }) => members),
  );
  const isOpen = ({ members }: { readonly members: readonly string[] }): boolean =>
    !members.some((key) => settled.has(key));
  const plan = planAdmission(
    evidence.filter(({ key }) => !settled.has(key)),
    earlier.filter(isOpen),
    { companyWords: wordsIn(company), now },
  );
  const rowById = new Map(rows.map((row) => [row.occurrence_id, row]));
  const idOf = new Map<PlannedOccurrence, string>();
  for (const planned of plan.judged) {
    const row = planned.occurrenceId === undefined ? undefined : rowById.get(planned.occurrenceId);
    idOf.set(planned, await keepOccurrence(judged, planned, row));
  }
  for (const { occurrenceId, into } of plan.merged) {
    const row = rowById.get(occurrenceId);
    if (row) await mergeOccurrence(judged, row, idOf.get(into) ?? "");
  }
  await markJudged(judged, stored);
}

/** Returns a function that tests whether the finding with a key has been withdrawn. */
async function withdrawnIn({ db, accountId, company }: JudgedCompany): Promise<(key: string) => boolean> {
  const rows = await db
    .selectFrom("company_finding")
    .select(["provider", "source_id"])
    .where("account_id", "=", accountId)
    .where("company_id", "=", company.companyId)
    .where("withdrawn", "=", 1)
    .execute();
  const withdrawn = new Set(rows.map((row) => `${providerOf(row)} ${row.source_id}`));
  return (key) => {
    const at = key.indexOf(" ");
    return withdrawn.size > 0 && withdrawn.has(`${key.slice(0, at)} ${sourceColumn(key.slice(at + 1))}`);
  };
}

/** Marks the assessed findings, and clears the due times that have passed. */
async function markJudged({ db, accountId, company, now }: JudgedCompany, stored: readonly StoredFinding[]) {
  const waiting = stored.filter(({ judged }) => judged === 0);
  for (const provider of new Set(waiting.map((row) => row.provider))) {
    const sources = waiting.filter((row) => row.provider === provider).map(({ source_id }) => source_id);
    await db
      .updateTable("company_finding")
      .set({ judged: 1 })
      .where("account_id", "=", accountId)
      .where("company_id", "=", company.companyId)
      .where("provider", "=", provider)
      .where("source_id", "in", sources)
      .execute();
  }
  await db
    .updateTable("company_finding")
    .set({ judged: 1 })
    .where("account_id", "=", accountId)
    .where("company_id", "=", company.companyId)
    .where("withdrawn", "=", 1)
    .where("judged", "=", 0)
    .execute();
  await db
    .updateTable("company_occurrence")
    .set({ next_at: null })
    .where("account_id", "=", accountId)
    .where("company_id", "=", company.companyId)
    .where("next_at", "<=", now)
    .execute();
}

type StoredFinding = Pick<CompanyFindingTable, "provider" | "source_id" | "judged" | "body">;

/**
 * Returns the findings to compare: first waiting findings, then entries of sanctions lists, then the newest findings.
 */
async function findingsOf({ db, accountId, company, now }: JudgedCompany): Promise<readonly StoredFinding[]> {
  return db
    .selectFrom("company_finding")
    .select(["provider", "source_id", "judged", "body"])
    .where("account_id", "=", accountId)
    .where("company_id", "=", company.companyId)
    .where("withdrawn", "=", 0)
    .where((is) =>
      is.or([
        is("published_at", ">=", now - COMPARED_MS),
        is("judged", "=", 0),
        is("provider", "=", providerColumn(SANCTIONS)),
      ]),
    )
    .orderBy("judged")
    .orderBy(sql`case when provider = ${providerColumn(SANCTIONS)} then 0 else 1 end`)
    .orderBy("published_at", "desc")
    .limit(FINDINGS_MAX)
    .execute();
}

/**
 * Returns the words of a company's names. The comparison of two titles ignores these words, because titles about the
 * company contain them whatever the event is.
 */
function wordsIn({ name, claims }: Company): ReadonlySet<string> {
  const aliases = claims.filter(({ type }) => type === "COMPANY_CLAIM_TYPE_ALIAS").map(({ value }) => value);
  return new Set(wordsOf([name, ...aliases].join(" "), NAME_WORDS_MAX).map(({ folded }) => folded));
}

/** Writes the assessment of an occurrence, with the resulting revision. Returns the occurrence's id. */
async function keepOccurrence(
  judged: JudgedCompany,
  planned: PlannedOccurrence,
  row: CompanyOccurrenceRow | undefined,
): Promise<string> {
  const { db, accountId, company, now, randomBytes } = judged;
  const { occurrence, decision, lifecycle } = planned;
  const occurrenceId = row?.occurrence_id ?? newId("event", now, randomBytes);
  const impactId = row?.impact_id ?? (lifecycle === undefined ? null : newId("impact", now, randomBytes));
  if (lifecycle !== undefined && impactId !== null) {
    await revise(judged, { eventId: occurrenceId, impactId, lifecycle, row, planned });
  }
  const text = decisionText(planned);
  const columns = {
    outcome: decision.outcome,
    impact_id: impactId,
    lifecycle: lifecycle === undefined ? (row?.lifecycle ?? null) : lifecycleColumn(lifecycle),
    statement: lifecycle === undefined ? (row?.statement ?? null) : statementOf(decision),
    members: JSON.stringify(occurrence.map(({ key }) => key)),
    newest_at: Math.max(...occurrence.map(({ finding }) => finding.publishedAt)),
    next_at: decision.nextAt ?? null,
    decision: text,
    judged_at: now,
  };
  const key = { account_id: accountId, company_id: company.companyId, occurrence_id: occurrenceId };
  await db
    .insertInto("company_occurrence")
    .values({ ...key, ...columns })
    .onConflict((conflict) => conflict.columns(["account_id", "occurrence_id"]).doUpdateSet(columns))
    .execute();
  if (row?.decision !== text) await logDecision(judged, occurrenceId, text);
  return occurrenceId;
}

interface PlannedRevision {
  readonly eventId: string;
  readonly impactId: string;
  readonly lifecycle: CompanyMaterialImpact["lifecycle"];
  readonly row: CompanyOccurrenceRow | undefined;
  readonly planned: PlannedOccurrence;
}

async function revise(judged: JudgedCompany, { eventId, impactId, lifecycle, row, planned }: PlannedRevision) {
  const { company, now } = judged;
  const before = row?.impact_id == null ? undefined : await currentImpact(placeOf(judged), impactId);
  if (before && !nextLifecycles[before.lifecycle].includes(lifecycle)) {
    throw new Error(`impact ${impactId} cannot go from ${before.lifecycle} to ${lifecycle}`);
  }
  const number = (before?.impactRevision ?? 0) + 1;
  const revision = { impactId, eventId, companyId: company.companyId, number, lifecycle, now };
  if (lifecycle === "MATERIAL_IMPACT_LIFECYCLE_RETRACTED") {
    await retractImpact(placeOf(judged), revision, rationaleOf(planned.decision));
  } else await publishRevision(placeOf(judged), planned.decision, revision);
}

/** Ends an occurrence whose evidence now belongs to another occurrence. Retracts its impact if there is one. */
async function mergeOccurrence(judged: JudgedCompany, row: CompanyOccurrenceRow, intoId: string): Promise<void> {
  await endOccurrence(judged, row, `this event is the same as ${intoId}`, "[]");
  await logDecision(judged, row.occurrence_id, JSON.stringify({ outcome: "merged", into: intoId }));
}

/**
 * Ends an occurrence whose evidence has all been withdrawn, unless it was retracted before. Retracts its impact if
 * there is one. The occurrence keeps its members, so that evidence that is found again begins a new impact only if it
 * suffices for publication.
 */
async function withdrawOccurrence(judged: JudgedCompany, row: CompanyOccurrenceRow): Promise<void> {
  if (row.lifecycle === lifecycleColumn("MATERIAL_IMPACT_LIFECYCLE_RETRACTED")) return;
  await endOccurrence(judged, row, UNMATCHED, row.members);
  await logDecision(judged, row.occurrence_id, JSON.stringify({ outcome: "withdrawn", reason: UNMATCHED }));
}

/** Retracts the impact of an occurrence, or removes an occurrence without an impact. */
async function endOccurrence(
  judged: JudgedCompany,
  { occurrence_id: occurrenceId, impact_id: impactId }: CompanyOccurrenceRow,
  reason: string,
  members: string,
): Promise<void> {
  const { db, accountId, company, now } = judged;
  if (impactId === null) {
    await db
      .deleteFrom("company_occurrence")
      .where("account_id", "=", accountId)
      .where("occurrence_id", "=", occurrenceId)
      .execute();
    return;
  }
  const before = await currentImpact(placeOf(judged), impactId);
  const lifecycle = "MATERIAL_IMPACT_LIFECYCLE_RETRACTED";
  const number = before.impactRevision + 1;
  const revision = { impactId, eventId: occurrenceId, companyId: company.companyId, number, lifecycle, now } as const;
  await retractImpact(placeOf(judged), revision, `retracted: ${reason}`);
  await db
    .updateTable("company_occurrence")
    .set({ lifecycle: lifecycleColumn(lifecycle), next_at: null, members, judged_at: now })
    .where("account_id", "=", accountId)
    .where("occurrence_id", "=", occurrenceId)
    .execute();
}

function placeOf({ db, accountId, randomBytes }: JudgedCompany): RevisionPlace {
  return { db, accountId, randomBytes };
}

async function logDecision(judged: JudgedCompany, occurrenceId: string, body: string): Promise<void> {
  const { db, accountId, company, now } = judged;
  const { newest } = await db
    .selectFrom("company_decision")
    .select(({ fn }) => fn.max("ordinal").as("newest"))
    .where("account_id", "=", accountId)
    .where("occurrence_id", "=", occurrenceId)
    .executeTakeFirstOrThrow();
  await db
    .insertInto("company_decision")
    .values({
      account_id: accountId,
      occurrence_id: occurrenceId,
      ordinal: (newest ?? 0) + 1,
      company_id: company.companyId,
      decided_at: now,
      body,
    })
    .execute();
}
