import type { StoreParts } from "../../../../database/service-store.js";
import type { Decision } from "../../admission/decision.js";
import type { Evidence } from "../../admission/evidence.js";
import {
  type Revision,
  retractedImpact,
  servedEvent,
  servedEvidence,
  servedImpact,
} from "../../admission/served-impact.js";
import type { CompanyEvidenceReference, CompanyMaterialImpact, MaterialEvent } from "../../event-records.js";
import { newId } from "../../rules/ids.js";
import { appendImpact } from "../impact-log.js";
import type { CompanyDatabase } from "../tables.js";

/** Maximum number of references stored per event. If there is more evidence, the most authoritative is stored. */
const REFERENCES_MAX = 200;

export interface RevisionPlace {
  readonly db: CompanyDatabase;
  readonly accountId: string;
  readonly randomBytes: StoreParts["randomBytes"];
}

/** Writes an admitted or corrected revision: the event, its evidence, and the impact with its change in the log. */
export async function publishRevision(place: RevisionPlace, decision: Decision, revision: Revision): Promise<void> {
  await writeEvent(place, servedEvent(decision, revision));
  await writeEvidence(place, decision.assessment.evidence, revision);
  await appendImpact(place.db, place.accountId, servedImpact(decision, revision), revision.now);
}

/** Writes the retraction of an impact. The impact's content is kept, so that a retraction stays visible. */
export async function retractImpact(place: RevisionPlace, revision: Revision, rationale: string): Promise<void> {
  const { db, accountId } = place;
  const before = await currentImpact(place, revision.impactId);
  const event = await db
    .selectFrom("company_event")
    .select("body")
    .where("account_id", "=", accountId)
    .where("event_id", "=", revision.eventId)
    .executeTakeFirstOrThrow();
  const { lifecycle, number } = revision;
  // The cast is safe, because the column was written from a value of this type.
  await writeEvent(place, { ...(JSON.parse(event.body) as MaterialEvent), lifecycle, revision: number });
  await appendImpact(db, accountId, retractedImpact(before, revision, rationale), revision.now);
}

/** Returns the current revision of an impact. */
export async function currentImpact(
  { db, accountId }: RevisionPlace,
  impactId: string,
): Promise<CompanyMaterialImpact> {
  const { body } = await db
    .selectFrom("company_impact")
    .select("body")
    .where("account_id", "=", accountId)
    .where("impact_id", "=", impactId)
    .where("visible_to", "is", null)
    .executeTakeFirstOrThrow();
  // The cast is safe, because the column was written from a value of this type.
  return JSON.parse(body) as CompanyMaterialImpact;
}

async function writeEvent({ db, accountId }: RevisionPlace, event: MaterialEvent): Promise<void> {
  const body = JSON.stringify(event);
  await db
    .insertInto("company_event")
    .values({ account_id: accountId, event_id: event.eventId, body })
    .onConflict((conflict) => conflict.columns(["account_id", "event_id"]).doUpdateSet({ body }))
    .execute();
}

/** Replaces the references of an event. A new reference takes the id of the old reference to the same source. */
async function writeEvidence(
  { db, accountId, randomBytes }: RevisionPlace,
  evidence: readonly Evidence[],
  { eventId, now }: Revision,
): Promise<void> {
  const own = db.selectFrom("company_evidence").where("account_id", "=", accountId).where("event_id", "=", eventId);
  const earlier = await own.select(["evidence_id", "body"]).execute();
  const idBySource = new Map(
    earlier.map(({ evidence_id, body }) => {
      // The cast is safe, because the column was written from a value of this type.
      const { provider, sourceId } = JSON.parse(body) as CompanyEvidenceReference;
      return [`${provider} ${sourceId}`, evidence_id];
    }),
  );
  await db.deleteFrom("company_evidence").where("account_id", "=", accountId).where("event_id", "=", eventId).execute();
  const rows = evidence.slice(0, REFERENCES_MAX).map((item, ordinal) => {
    const evidence_id = idBySource.get(item.key) ?? newId("evidence", now, randomBytes);
    return {
      account_id: accountId,
      event_id: eventId,
      ordinal,
      evidence_id,
      body: JSON.stringify(servedEvidence(item, evidence_id)),
    };
  });
  await db.insertInto("company_evidence").values(rows).execute();
}
