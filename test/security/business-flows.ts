import { expect } from "vitest";
import { everyScope } from "../../src/contract/access/scopes.js";
import { makeAccount, makeKey } from "../support/callers.js";
import type { Risk } from "./attack.js";
import {
  ACCOUNT,
  COMPANIES,
  CPI,
  endpoint,
  type Headers,
  type House,
  newMinute,
  WATCHES,
  WATCHES_MAX,
  WEBHOOKS,
  watch,
} from "./house.js";

const COMPANIES_MAX = 500;
const ROWS_PER_IMPORT = 100;
const ENDPOINTS_MAX = 20;
const KEYS_MAX = 50;

async function newCaller({ stack }: House, plan: "business" | "starter" = "business"): Promise<Headers> {
  const { key } = await makeKey(stack, await makeAccount(stack, plan), [...everyScope]);
  return { "x-service-key": key };
}

/** Sends the same write many times at the same moment, and returns the number of answers with each status. */
async function atOnce(count: number, send: () => Promise<{ readonly status: number }>) {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(Array.from({ length: count }, send))) {
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

export const businessFlows: Risk = {
  id: "API6",
  title: "Unrestricted access to sensitive business flows",
  attacks: [
    {
      name: "simultaneous creations do not exceed a plan's maximum number of watches",
      attack: "Create watches at the same moment, so that each creation is checked before any other is counted",
      defence:
        "The transaction that adds a watch also updates the account's number of watches, and an account's writes are serialised",
      async run(house) {
        const headers = await newCaller(house);
        const counts = await atOnce(WATCHES_MAX + 8, () =>
          house.send(`${WATCHES}/create-watch`, { headers, body: watch }),
        );
        expect(counts).toEqual({ 201: WATCHES_MAX, 422: 8 });
      },
    },
    {
      name: "simultaneous creations do not exceed an account's maximum number of webhook endpoints",
      attack: "Create endpoints at the same moment",
      defence: "The transaction that adds an endpoint also updates the account's number of endpoints",
      async run(house) {
        const headers = await newCaller(house);
        const counts = await atOnce(ENDPOINTS_MAX + 5, () =>
          house.send(`${WEBHOOKS}/create-webhook-endpoint`, { headers, body: endpoint }),
        );
        expect(counts).toEqual({ 201: ENDPOINTS_MAX, 422: 5 });
      },
    },
    {
      name: "simultaneous creations do not exceed an account's maximum number of keys",
      attack: "Create keys at the same moment, to fill the store and to outlive a revocation",
      defence: "Changes of keys are serialised, and an account has at most 50 active keys",
      async run(house) {
        const headers = await newCaller(house);
        const create = () => house.send(`${ACCOUNT}/create-key`, { headers, body: { name: "another" } });
        const totals: Record<number, number> = {};
        for (let round = 0; round < 3; round += 1) {
          newMinute(house);
          for (const [status, count] of Object.entries(await atOnce(20, create))) {
            totals[Number(status)] = (totals[Number(status)] ?? 0) + count;
          }
        }
        expect(totals).toEqual({ 201: KEYS_MAX - 1, 409: 60 - (KEYS_MAX - 1) });
      },
    },
    {
      name: "simultaneous imports do not exceed an account's maximum number of companies",
      attack: "Send simultaneous imports that together have more companies than the account may monitor",
      defence: "Imports of an account run one after another; rows beyond the limit are rejected one by one",
      async run(house) {
        const headers = await newCaller(house);
        const rowsOf = (batch: number) =>
          Array.from({ length: ROWS_PER_IMPORT }, (_, ordinal) => ({
            ordinal,
            company: { name: `Imported ${batch} ${ordinal} Ltd`, domicileCountry: "DOMICILE_COUNTRY_GB" },
          }));
        const batches = COMPANIES_MAX / ROWS_PER_IMPORT + 1;
        const replies = await Promise.all(
          Array.from({ length: batches }, (_, batch) =>
            house.send(`${COMPANIES}/import-monitored-company-batch`, {
              headers,
              body: { contractVersion: "cm-import-v1", clientImportId: `import-${batch}`, rows: rowsOf(batch) },
            }),
          ),
        );
        const outcomes = replies.flatMap(({ body }) =>
          JSON.parse(body).results.map(({ outcome }: { readonly outcome: string }) => outcome),
        );
        expect(outcomes.filter((outcome) => outcome === "COMPANY_IMPORT_ROW_OUTCOME_CREATED")).toHaveLength(
          COMPANIES_MAX,
        );
        const status = await house.send(`${COMPANIES}/get-company-monitoring-status`, { headers });
        expect(JSON.parse(status.body)).toMatchObject({ companyCount: COMPANIES_MAX, companyLimit: COMPANIES_MAX });
      },
    },
    {
      name: "more keys do not multiply the allowance of a plan",
      attack: "Spread calls over many keys of one account",
      defence: "All keys of an account share the account's allowance",
      async run(house) {
        const { stack, send } = house;
        const accountId = await makeAccount(stack, "starter");
        const statuses: number[] = [];
        for (let keys = 0; keys < 7; keys += 1) {
          const { key } = await makeKey(stack, accountId);
          for (let calls = 0; calls < 10; calls += 1) {
            statuses.push((await send(CPI, { headers: { "x-service-key": key } })).status);
          }
        }
        expect(statuses).toEqual([...Array(60).fill(200), ...Array(10).fill(429)]);
      },
    },
    {
      name: "a one-time link opens one session, however often it is used at the same moment",
      attack: "Use one sign-in link many times at the same moment",
      defence: "The link is deleted by the statement that reads it",
      async run({ stack, send, victim }) {
        const link = await stack.service.access.credentials.makeLink(victim.key.card.id);
        const counts = await atOnce(10, () => send(`${ACCOUNT}/sign-in`, { body: { link } }));
        expect(counts).toEqual({ 200: 1, 401: 9 });
      },
    },
    {
      name: "a write repeated with its Idempotency-Key happens once",
      attack: "Send one creation many times at the same moment with one Idempotency-Key",
      defence: "One call claims the key; the others get its answer or 409",
      async run(house) {
        const headers = { ...(await newCaller(house)), "idempotency-key": "once" };
        const counts = await atOnce(8, () => house.send(`${WATCHES}/create-watch`, { headers, body: watch }));
        expect(Object.keys(counts).filter((status) => status !== "409")).toEqual(["201"]);
        const { body } = await house.send(`${WATCHES}/list-watches`, { headers });
        expect(JSON.parse(body).watches).toHaveLength(1);
      },
    },
  ],
};
