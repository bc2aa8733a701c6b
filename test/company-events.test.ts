import { Compile } from "typebox/compile";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CompanyMaterialImpact } from "../src/services/company-monitoring/event-records.js";
import { getCompanyMaterialEvent } from "../src/services/company-monitoring/operations/get-company-material-event.js";
import { listCompanyEventChanges } from "../src/services/company-monitoring/operations/list-company-event-changes.js";
import { listCompanyEventImpacts } from "../src/services/company-monitoring/operations/list-company-event-impacts.js";
import { takeTurn } from "../src/services/company-monitoring/store/account-turn.js";
import { appendImpact } from "../src/services/company-monitoring/store/impact-log.js";
import { companiesIn } from "../src/services/company-monitoring/store/tables.js";
import { post } from "./support/accounts.js";
import { type Headers, keyOn, makeAccount, makeKey } from "./support/callers.js";
import { impactOf } from "./support/companies/impacts.js";
import { firstText } from "./support/first-text.js";
import { call, json, type Stack, startStack } from "./support/stack.js";

const FOLDER = "/api/company-monitoring/v1";
const EVENT = `${FOLDER}/get-company-material-event`;
const COMPANY_SCOPES = ["company_monitoring:read", "company_monitoring:write"] as const;

let stack: Stack;
let owner: Headers;
let impact: CompanyMaterialImpact;
let pollCursor: string;

/** Stores an event for an account, with one impact and one piece of evidence. */
async function addEvent(accountId: string): Promise<CompanyMaterialImpact> {
  const added = impactOf(stack.clock.now());
  const { eventId } = added;
  const event = {
    eventId,
    revision: 1,
    title: "Recall of a product",
    summary: "The company recalls a product.",
    category: "recall",
    canonicalUrl: added.canonicalUrl,
    lifecycle: added.lifecycle,
    occurredAt: added.occurredAt,
  };
  const reference = {
    evidenceId: "cm_evidence_00000000000000000000000000",
    canonicalUrl: added.canonicalUrl,
    provider: "MONITORING_PROVIDER_NEWS",
    publisher: "News",
    sourceId: "story",
    authorityTier: "EVIDENCE_AUTHORITY_TIER_ORDINARY",
    excerpt: "The company recalls a product.",
    publishedAt: added.occurredAt,
  };
  const of = { account_id: accountId, event_id: eventId };
  await stack.service.database.db.transaction().execute(async (transaction) => {
    const db = companiesIn(transaction);
    await takeTurn(db, accountId);
    await appendImpact(db, accountId, added, stack.clock.now());
    await db
      .insertInto("company_event")
      .values({ ...of, body: JSON.stringify(event) })
      .execute();
    const { evidenceId } = reference;
    await db
      .insertInto("company_evidence")
      .values({ ...of, ordinal: 0, evidence_id: evidenceId, body: JSON.stringify(reference) })
      .execute();
  });
  return added;
}

const get = (rpc: string, query: Readonly<Record<string, string>>, headers = owner) =>
  stack.get(`${FOLDER}/${rpc}?${new URLSearchParams(query)}`, headers);

beforeAll(async () => {
  stack = await startStack({ datasets: [] });
  const accountId = await makeAccount(stack, "business");
  owner = { "x-service-key": (await makeKey(stack, accountId, COMPANY_SCOPES)).key };
  const before = json(await get("list-company-event-impacts", {})) as { snapshot: { pollCursor: string } };
  pollCursor = before.snapshot.pollCursor;
  impact = await addEvent(accountId);
});
afterAll(() => stack.close());

test("an event is served with its impact and evidence as its schema declares, and caches may not store it", async () => {
  const answer = await get("get-company-material-event", { impact_id: impact.impactId });
  expect(answer.status, String(answer.body)).toBe(200);
  expect([...Compile(getCompanyMaterialEvent.response).Errors(json(answer))]).toEqual([]);
  expect(json(answer)).toMatchObject({
    event: { eventId: impact.eventId, category: "recall" },
    impact: { impactId: impact.impactId, isCurrent: true },
    evidence: [{ provider: "MONITORING_PROVIDER_NEWS" }],
    evidenceTotalCount: 1,
    evidenceTruncated: false,
  });
  expect(answer.headers).toMatchObject({ "Cache-Control": "no-store" });
});

test("lists and polls serve impacts as their schemas declare", async () => {
  const listed = json(
    await get("list-company-event-impacts", { direction: "negative,MATERIAL_IMPACT_DIRECTION_MIXED" }),
  );
  const polled = json(await get("list-company-event-changes", { cursor: pollCursor }));
  expect([...Compile(listCompanyEventImpacts.response).Errors(listed)]).toEqual([]);
  expect([...Compile(listCompanyEventChanges.response).Errors(polled)]).toEqual([]);
  expect([listed, polled]).toMatchObject([{ impacts: [impact] }, { impacts: [impact] }]);
});

test("a stream that resumes with Last-Event-ID reports a change of the companies after that event once", async () => {
  const accountId = await makeAccount(stack, "business");
  const reader = { "x-service-key": (await makeKey(stack, accountId, COMPANY_SCOPES)).key };
  const readyAfter = async (id: number) => {
    const answer = await stack.get(`${FOLDER}/stream-company-event-changes`, { ...reader, "last-event-id": `${id}` });
    const text = await firstText(answer.follow);
    return JSON.parse(text.slice(text.indexOf("data: ") + "data: ".length)) as { position: number; pollState: string };
  };
  await addEvent(accountId);
  expect(await readyAfter(1)).toMatchObject({ position: 1, pollState: "CURRENT" });
  const company = { company: { name: "Acme", domicileCountry: "DOMICILE_COUNTRY_GB" } };
  expect((await post(stack.answer, `${FOLDER}/create-monitored-company`, company, reader)).status).toBe(200);
  expect(await readyAfter(1)).toMatchObject({ position: 2, pollState: "SNAPSHOT_REQUIRED" });
  expect(await readyAfter(2)).toMatchObject({ position: 2, pollState: "CURRENT" });
});

test("the impact of another account gets the same 404 as an impact that does not exist", async () => {
  const other = { "x-service-key": await keyOn(stack, "business", COMPANY_SCOPES) };
  const foreign = await get("get-company-material-event", { impact_id: impact.impactId }, other);
  const unknown = await get("get-company-material-event", { impact_id: `cm_impact_${"0".repeat(26)}` });
  expect([foreign.status, String(foreign.body)]).toEqual([404, String(unknown.body)]);
  expect(json(foreign)).toMatchObject({ code: "NOT_FOUND" });
});

test.each([
  ["", "is required"],
  ["cm_impact_1", "must match"],
  [`cm_company_${"0".repeat(26)}`, "must match"],
  [`cm_impact_${"I".repeat(26)}`, "must match"],
])("the impact id %j is refused", async (impactId, sentence) => {
  const answer = await get("get-company-material-event", { impact_id: impactId });
  expect(answer.status).toBe(400);
  expect(String(answer.body)).toContain(sentence);
});

test("events need the read scope of company monitoring", async () => {
  const reader = { "x-service-key": await keyOn(stack, "business", ["read"]) };
  expect((await get("get-company-material-event", { impact_id: impact.impactId }, reader)).status).toBe(403);
  expect((await call(stack.answer, "GET", EVENT)).status).toBe(401);
});

test("the link to the impact feed works without a key, and a new link revokes the old one", async () => {
  const link = async (): Promise<string> => {
    const answer = await post(stack.answer, `${FOLDER}/rotate-company-event-feed`, {}, owner);
    return (json(answer) as { readonly feedPath: string }).feedPath;
  };
  const first = await link();
  const feed = await call(stack.answer, "GET", `${first}&format=jsonfeed`);
  expect(json(feed)).toMatchObject({
    items: [{ title: `[simulated] ${impact.companyId}: Recall of a product`, url: impact.canonicalUrl }],
  });
  const second = await link();
  const statuses = [first, second].map(async (path) => (await call(stack.answer, "GET", path)).status);
  expect(await Promise.all(statuses)).toEqual([404, 200]);
});

test.each(["list-monitored-companies", "list-company-event-impacts"])(
  "%s refuses page sizes and lifecycle names that the contract does not allow",
  async (rpc) => {
    for (const query of [{ page_size: "101" }, { page_size: "-1" }, { page_size: "x" }, { lifecycle: "gone" }]) {
      expect((await get(rpc, query as unknown as Record<string, string>)).status, JSON.stringify(query)).toBe(400);
    }
    for (const query of [{ page_size: "0" }, { page_size: "100" }, { cursor: "" }]) {
      expect((await get(rpc, query as unknown as Record<string, string>)).status, JSON.stringify(query)).toBe(200);
    }
  },
);
