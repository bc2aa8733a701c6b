import { expect } from "vitest";
import type { Risk } from "./attack.js";
import {
  ACCOUNT,
  COMPANIES,
  CPI,
  company,
  endpoint,
  type Headers,
  type House,
  WATCHES,
  WEBHOOKS,
  watch,
} from "./house.js";

/** Members that a caller must not set, with values that could be recognised if the service adopted them. */
const smuggled = {
  id: "smuggled",
  accountId: "operator",
  account_id: "operator",
  ownerId: "operator",
  isOperator: true,
  plan: "enterprise",
  tier: 3,
  createdAt: 1,
  created_at: 1,
  companyId: `cm_company_${"0".repeat(26)}`,
  watchId: "smuggled",
  endpointId: "smuggled",
  lifecycle: "MONITORED_COMPANY_LIFECYCLE_REMOVED",
  coverage: "COMPANY_COVERAGE_STATE_ADEQUATE",
  state: "smuggled",
  firingCount: 7_777,
  pendingCount: 7_777,
  secret: "smuggled",
  trustState: "COMPANY_CLAIM_TRUST_STATE_VERIFIED",
};

/**
 * The body as JSON, with further members. If the service copied these carelessly into an object, they would change the
 * object's prototype.
 */
function polluted(body: object): string {
  const json = JSON.stringify(body);
  return `${json.slice(0, -1)},"__proto__":{"isOperator":true,"polluted":1},"constructor":{"prototype":{"polluted":1}}}`;
}

const creations = [
  {
    path: `${COMPANIES}/create-monitored-company`,
    plain: { company },
    nested: { company: { ...company, ...smuggled } },
  },
  { path: `${WATCHES}/create-watch`, plain: watch, nested: { ...watch, ...smuggled } },
  { path: `${WEBHOOKS}/create-webhook-endpoint`, plain: endpoint, nested: { ...endpoint, ...smuggled } },
] as const;

/** Removes the created object, so that no limit on the number of objects is reached. */
async function remove({ send, attacker }: House, body: string): Promise<void> {
  const { watch: created, endpoint: hook } = JSON.parse(body);
  const headers = attacker.by;
  if (created) await send(`${WATCHES}/delete-watch`, { headers, body: { watchId: created.watchId } });
  if (hook) await send(`${WEBHOOKS}/delete-webhook-endpoint`, { headers, body: { endpointId: hook.endpointId } });
}

export const properties: Risk = {
  id: "API3",
  title: "Broken object property level authorization",
  attacks: [
    {
      name: "members that a caller may not set are refused or ignored",
      attack: "Create objects with an owner, an id, a state, counts and a secret of the attacker's choice",
      defence: "A write reads only the members of its schema; the service sets everything else",
      async run(house) {
        const { send, attacker } = house;
        for (const { path, plain, nested } of creations) {
          for (const body of [
            { ...nested, ...smuggled },
            { ...plain, ...smuggled },
          ]) {
            const reply = await send(path, { headers: attacker.by, body });
            expect([200, 201, 400]).toContain(reply.status);
            expect(reply.body).not.toMatch(
              /"smuggled"|7777|"operator"|LIFECYCLE_REMOVED|STATE_ADEQUATE|STATE_VERIFIED/,
            );
            if (reply.status < 300) await remove(house, reply.body);
          }
        }
      },
    },
    {
      name: "a key cannot be created with more rights than its creator has",
      attack: "Create a key with more scopes, with operator rights, or on another plan",
      defence: "Scopes are limited to those of the caller; a key has the plan of its account",
      async run({ send, stack, attacker }) {
        const limited = await send(`${ACCOUNT}/create-key`, {
          headers: attacker.by,
          body: { name: "limited", scopes: ["account:write"], isOperator: true, plan: "enterprise", tier: 3 },
        });
        expect(limited.status).toBe(201);
        const { key, card } = JSON.parse(limited.body);
        expect(card).toMatchObject({ accountId: attacker.accountId, scopes: ["account:write"] });
        const wider = await send(`${ACCOUNT}/create-key`, {
          headers: { "x-service-key": key },
          body: { name: "wider", scopes: ["read"] },
        });
        expect([wider.status, wider.body]).toEqual([403, '{"error":"This key lacks the scope read"}']);
        const about = await send(`${ACCOUNT}/get-account`, { headers: attacker.by });
        expect(JSON.parse(about.body)).toMatchObject({ account: { id: attacker.accountId, plan: "business" } });
        await stack.service.access.credentials.refresh();
      },
    },
    {
      name: "members with the names of prototype members change nothing",
      attack: "Send __proto__ and constructor members in the bodies of writes",
      defence: "Bodies are parsed to plain data and validated; nothing is merged into objects of the service",
      async run(house) {
        const { send, attacker } = house;
        for (const { path, plain } of creations) {
          const reply = await send(path, { headers: attacker.by, body: polluted(plain) });
          expect(reply.status).toBeLessThan(500);
          if (reply.status < 300) await remove(house, reply.body);
        }
        expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined();
        expect((await send(`${ACCOUNT}/list-accounts`, { headers: attacker.by })).status).toBe(403);
      },
    },
    {
      name: "answers show no secret and no hash of a key",
      attack: "Search lists and objects for members that no caller should see",
      defence: "Answers have the members of their declared schema; secrets are shown once, at their creation",
      async run({ send, stack, attacker, owner }) {
        const { db } = stack.service.database;
        const hashes = await db.selectFrom("api_key").select("key_hash").execute();
        const secret = new RegExp(
          ["whsec_", attacker.key.key, "private_jwk", "key_hash", ...hashes.map(({ key_hash }) => key_hash)].join("|"),
        );
        for (const target of [
          `${ACCOUNT}/get-account`,
          `${ACCOUNT}/list-keys`,
          `${ACCOUNT}/list-sessions`,
          `${ACCOUNT}/get-usage`,
          `${COMPANIES}/list-monitored-companies`,
          `${WATCHES}/list-watches`,
          `${WEBHOOKS}/list-webhook-endpoints`,
          `${WEBHOOKS}/list-webhook-deliveries`,
          "/api/health",
          "/api/version",
        ]) {
          const reply = await send(target, { headers: attacker.by });
          expect([target, reply.status]).toEqual([target, 200]);
          expect([target, secret.exec(reply.body)?.[0]]).toEqual([target, undefined]);
        }
        for (const rpc of ["list-accounts", "list-audit-events", "list-keys", "list-sessions"]) {
          const reply = await send(`${ACCOUNT}/${rpc}`, { headers: owner });
          expect([rpc, reply.status]).toEqual([rpc, 200]);
          expect([rpc, secret.exec(reply.body)?.[0]]).toEqual([rpc, undefined]);
        }
      },
    },
    {
      name: "the health answer shows details of the installation only to the operator",
      attack: "Read settings and the error messages of upstreams from the health answer",
      defence: "Callers without operator rights see only states; error messages and settings are withheld",
      async run({ send, stack, attacker, owner }) {
        stack.simulator.faults.set({ upstream: "*" }, { kind: "status", code: 418 });
        expect((await stack.run("us-cpi")).outcome).toBe("failed");
        stack.simulator.faults.clear();
        const health = async (headers: Headers): Promise<string> => (await send("/api/health", { headers })).body;
        const [full, reduced] = [await health(owner), await health(attacker.by)];
        expect(full).toMatch(/"error":"[^"]*answered 418/);
        expect(reduced).toContain('"error":"the reason is shown only to the operator"');
        expect(reduced).not.toMatch(/answered \d{3}/);
        expect(JSON.parse(full).settings.length).toBeGreaterThan(0);
        expect(JSON.parse(reduced).settings).toEqual([]);
      },
    },
    {
      name: "a projection cannot read anything that the plain answer does not show",
      attack: "Reach inherited members of the answer's JavaScript objects with a projection",
      defence: "Projections see only the members that appear in the served JSON",
      async run({ send, attacker }) {
        const headers = attacker.by;
        const plain = await send(CPI, { headers });
        const projected = async (expression: string): Promise<string> =>
          (await send(`${CPI}?jmespath=${encodeURIComponent(expression)}`, { headers })).body;
        expect(await projected("@")).toBe(plain.body);
        expect(JSON.parse(await projected("keys(@)"))).toEqual(Object.keys(JSON.parse(plain.body)));
        for (const name of ["__proto__", "constructor", "toString", "months.length", "hasOwnProperty"]) {
          expect([name, await projected(name.includes(".") ? name : `"${name}"`)]).toEqual([name, "null"]);
        }
      },
    },
  ],
};
