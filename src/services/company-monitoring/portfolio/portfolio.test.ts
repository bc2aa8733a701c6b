import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { keyOn } from "../../../../test/support/callers.js";
import { call, json, type Stack, startStack } from "../../../../test/support/stack.js";
import { availableStores, type OpenStore } from "../../../../test/support/stores.js";
import type { IdentifiedAnswer } from "../../../http/exchange.js";
import { DAY_MS, MINUTE_MS } from "../../../kit/clock.js";
import type { MonitoredCompany } from "../records.js";

const BASE = "/api/company-monitoring/v1";
const company = { name: "Acme Industries", domicileCountry: "DOMICILE_COUNTRY_US" };
const batchOf = (rows: readonly unknown[], clientImportId = "import-1") => ({
  contractVersion: "cm-import-v1",
  clientImportId,
  rows,
});
const unknownId = "cm_company_00000000000000000000000000";

interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly answer: IdentifiedAnswer;
}

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name}, skipped: ${skipReason}`;
  describe.skipIf(skipReason !== undefined)(`the portfolio on ${title}`, () => {
    let store: OpenStore;
    let stack: Stack;
    /** Each test has an account of its own. */
    let key: string;
    beforeAll(async () => {
      store = await open();
      stack = await startStack({ datasets: [], ...(store.url !== undefined && { env: { DATABASE_URL: store.url } }) });
    });
    afterAll(async () => {
      await stack.close();
      await store.dispose();
    });
    beforeEach(async () => {
      key = await keyOn(stack, "business", ["company_monitoring:read", "company_monitoring:write"]);
    });

    /** Posts as the account of the test. */
    const postNow = (rpc: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
      call(
        stack.answer,
        "POST",
        `${BASE}/${rpc}`,
        { "x-service-key": key, "content-type": "application/json", ...headers },
        { body },
      );

    /** Posts as the account of the test. Time passes with each call, so that no rate limit is hit. */
    async function post(rpc: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
      stack.clock.advance(MINUTE_MS / 10);
      const answer = await postNow(rpc, typeof body === "string" ? body : JSON.stringify(body), headers);
      return { status: answer.status, body: json(answer) as Answered["body"], answer };
    }
    const create = (changes: object = {}, clientRequestId?: string) =>
      post("create-monitored-company", {
        company: { ...company, ...changes },
        ...(clientRequestId !== undefined && { clientRequestId }),
      });
    const update = (companyId: string, patch: object) => post("update-monitored-company", { companyId, patch });
    const setState = (companyId: string, state: string) =>
      post("set-monitored-company-state", { companyId, targetLifecycle: `MONITORED_COMPANY_LIFECYCLE_${state}` });
    const importRows = (rows: readonly unknown[], clientImportId = "import-1") =>
      post("import-monitored-company-batch", batchOf(rows, clientImportId));

    async function created(changes: object = {}): Promise<MonitoredCompany> {
      const { status, body } = await create(changes);
      expect(status, JSON.stringify(body)).toBe(200);
      return body["company"] as MonitoredCompany;
    }

    async function status(): Promise<{ readonly companyCount: number; readonly snapshotGeneration: string }> {
      const answer = await stack.get(`${BASE}/get-company-monitoring-status`, { "x-service-key": key });
      return json(answer) as { companyCount: number; snapshotGeneration: string };
    }

    const valuesOf = ({ claims }: MonitoredCompany, type: string): readonly string[] =>
      claims.filter((claim) => claim.type === `COMPANY_CLAIM_TYPE_${type}`).map(({ value }) => value);

    test("a create answers with the company in normal form", async () => {
      const company = await created({
        name: "  Acme\u00a0 Industries ",
        aliases: ["ACME", "Acme Industries", "ACME"],
        domains: ["www.Acme.example.", "acme.example", "z.example"],
        identifiers: ["LEI 5493001KJTIIGC8Y1R12"],
        locations: ["Köln"],
        socialHandles: ["@Acme"],
        customerReference: " crm-1 ",
      });
      expect(company).toMatchObject({
        companyId: expect.stringMatching(/^cm_company_[0-9A-HJKMNP-TV-Z]{26}$/),
        name: "Acme Industries",
        canonicalUrl: "https://acme.example/",
        domicileCountry: "DOMICILE_COUNTRY_US",
        lifecycle: "MONITORED_COMPANY_LIFECYCLE_ACTIVE",
        coverage: "COMPANY_COVERAGE_STATE_AWAITING_FIRST_SCAN",
        observation: "COMPANY_OBSERVATION_STATE_UNKNOWN",
        createdAt: new Date(stack.clock.now()).toISOString(),
        updatedAt: new Date(stack.clock.now()).toISOString(),
      });
      expect(company.claims.map(({ type, value }) => `${type.slice("COMPANY_CLAIM_TYPE_".length)} ${value}`)).toEqual([
        "ALIAS ACME",
        "ALIAS Acme Industries",
        "DOMAIN acme.example",
        "DOMAIN z.example",
        "LEGAL_IDENTIFIER LEI 5493001KJTIIGC8Y1R12",
        "SOCIAL_HANDLE acme",
        "LOCATION Köln",
        "CUSTOMER_REFERENCE crm-1",
      ]);
      for (const claim of company.claims) {
        expect(claim).toMatchObject({
          claimId: expect.stringMatching(/^cm_claim_[0-9A-HJKMNP-TV-Z]{26}$/),
          provenance: "customer",
          trustState: "COMPANY_CLAIM_TRUST_STATE_DECLARED",
          expiresAt: new Date(stack.clock.now() + 365 * DAY_MS).toISOString(),
        });
      }
      expect(new Set(company.claims.map(({ claimId }) => claimId)).size).toBe(8);
    });

    test("an answer to a write has the rate-limit headers, is never cached, and has no Idempotency-Key if the request has none", async () => {
      const { answer } = await create();
      expect(answer.limitHeaders).toMatchObject({ "RateLimit-Limit": "30", "RateLimit-Remaining": "29" });
      expect(answer.headers).toMatchObject({ "Cache-Control": "no-store" });
      expect(answer.headers).not.toHaveProperty("Idempotency-Key");
    });

    test.each([
      ["name", {}, { name: undefined }],
      ["name", {}, { name: "" }],
      ["name", {}, { name: " " }],
      ["name", {}, { name: "x".repeat(257) }],
      ["name", {}, { name: 7 }],
      ["domicileCountry", {}, { domicileCountry: undefined }],
      ["domicileCountry", {}, { domicileCountry: "DOMICILE_COUNTRY_UNSPECIFIED" }],
      ["domicileCountry", {}, { domicileCountry: "DOMICILE_COUNTRY_ZZ" }],
      ["domicileCountry", {}, { domicileCountry: "US" }],
      ["domicileCountry", {}, { domicileCountry: "domicile_country_us" }],
      ["aliases", {}, { aliases: Array.from({ length: 21 }, (_, at) => `a${at}`) }],
      ["aliases[1]", {}, { aliases: ["a", "x".repeat(257)] }],
      ["domains", {}, { domains: Array.from({ length: 11 }, (_, at) => `a${at}.example`) }],
      ["domains[0]", {}, { domains: ["not a domain"] }],
      ["identifiers", {}, { identifiers: Array.from({ length: 21 }, (_, at) => `a${at}`) }],
      ["identifiers[0]", {}, { identifiers: ["x".repeat(513)] }],
      ["locations", {}, { locations: Array.from({ length: 21 }, (_, at) => `a${at}`) }],
      ["locations[0]", {}, { locations: ["x".repeat(257)] }],
      ["socialHandles", {}, { socialHandles: ["a", "b", "c", "d", "e", "f"] }],
      ["socialHandles[0]", {}, { socialHandles: ["no-handle"] }],
      ["customerReference", {}, { customerReference: "x".repeat(129) }],
      ["customerReference", {}, { customerReference: "a\u200bb" }],
    ])("a create with an invalid %s is a 400 that names the field (%#)", async (member, _, changes) => {
      const { status: refused, body } = await create(changes);
      const violations = body["violations"] as readonly { readonly field: string }[];
      expect([refused, violations.map(({ field }) => field)]).toEqual([400, [`company.${member}`]]);
      expect((await status()).companyCount).toBe(0);
    });

    test.each(["x".repeat(65), " ", "a\u0007"])("a create with the clientRequestId %j is a 400", async (requestId) => {
      const { status: refused, body } = await create({}, requestId);
      expect([refused, body]).toMatchObject([400, { violations: [{ field: "clientRequestId" }] }]);
    });

    test.each([
      ["empty", ""],
      ["not JSON", "{"],
      ["an array", "[]"],
    ])("a body that is %s is a 400 without fields", async (_name, body) => {
      const refused = await post("create-monitored-company", body);
      expect([refused.status, refused.body]).toEqual([400, { message: "Invalid request body" }]);
    });

    /** The writes, each with its limit per minute and a body that changes the account's portfolio. */
    const writes = [
      ["create-monitored-company", 30, () => ({ company })],
      ["import-monitored-company-batch", 10, () => batchOf([{ ordinal: 0, company }])],
      ["update-monitored-company", 30, (companyId: string) => ({ companyId, patch: { name: "Acme plc" } })],
      [
        "set-monitored-company-state",
        30,
        (companyId: string) => ({ companyId, targetLifecycle: "MONITORED_COMPANY_LIFECYCLE_PAUSED" }),
      ],
    ] as const;

    test.each(writes)(
      "%s answers a body of more than 256 KiB with 413 and has no effect",
      async (rpc, _limit, bodyOf) => {
        const { companyId } = await created();
        const body = JSON.stringify(bodyOf(companyId));
        const refused = await post(rpc, body.padEnd(262_145));
        expect([refused.status, refused.body]).toEqual([413, { error: "payload_too_large" }]);
        expect((await status()).snapshotGeneration).toBe("1");
        expect((await post(rpc, body.padEnd(262_144))).status).toBe(200);
      },
    );

    test.each(writes)(
      "%s has a limit of %i calls a minute; a call beyond it is answered with 429 and has no effect",
      async (rpc, limit, bodyOf) => {
        const { companyId } = await created();
        stack.clock.advance(MINUTE_MS);
        for (let calls = 0; calls < limit; calls += 1) expect((await postNow(rpc, "{}")).status).toBe(400);
        const refused = await postNow(rpc, JSON.stringify(bodyOf(companyId)));
        expect(refused.status).toBe(429);
        expect(Number(refused.headers["Retry-After"])).toBeGreaterThan(0);
        expect((await status()).snapshotGeneration).toBe("1");
        stack.clock.advance(MINUTE_MS);
        expect((await postNow(rpc, JSON.stringify(bodyOf(companyId)))).status).toBe(200);
        expect((await status()).snapshotGeneration).toBe("2");
      },
    );

    test("every list may have its maximum length, and a company has at most 81 claims", async () => {
      const texts = (count: number) => Array.from({ length: count }, (_, at) => `text ${at}`);
      const company = await created({
        aliases: texts(20),
        domains: Array.from({ length: 10 }, (_, at) => `d${at}.example`),
        identifiers: texts(20),
        locations: texts(20),
        socialHandles: ["a", "b", "c", "d", "e"],
        customerReference: "full",
      });
      expect(company.claims).toHaveLength(77);
      const add = (from: number, count: number) =>
        Array.from({ length: count }, (_, at) => ({
          type: "COMPANY_CLAIM_TYPE_SOCIAL_ACCOUNT_ID",
          value: `${from + at}`,
        }));
      expect((await update(company.companyId, { addClaims: add(0, 5) })).body).toMatchObject({
        code: "CLAIM_LIMIT_REACHED",
      });
      expect((await update(company.companyId, { addClaims: add(0, 5) })).status).toBe(422);
      expect((await update(company.companyId, { addClaims: add(0, 4) })).status).toBe(200);
      const removed = company.claims[0]?.claimId ?? "";
      const swapped = await update(company.companyId, { addClaims: add(4, 1), removeClaimIds: [removed] });
      expect((swapped.body["company"] as MonitoredCompany).claims).toHaveLength(81);
    });

    test("a second create with the same clientRequestId and company returns the first company and creates none", async () => {
      const first = await create({ aliases: ["b", "a"] }, "request-1");
      const again = await create({ aliases: ["a", "b", "a"], name: " Acme  Industries" }, " request-1 ");
      expect(again.body["company"]).toEqual(first.body["company"]);
      expect(await status()).toMatchObject({ companyCount: 1, snapshotGeneration: "1" });
    });

    test("a second create with the same clientRequestId and another company is 409 REPLAY_CONFLICT", async () => {
      await create({}, "request-1");
      const other = await create({ name: "Other" }, "request-1");
      expect([other.status, other.body]).toEqual([
        409,
        {
          code: "REPLAY_CONFLICT",
          message: "This clientRequestId was used before for another company; use a new one",
          error: "This clientRequestId was used before for another company; use a new one",
        },
      ]);
      expect((await status()).companyCount).toBe(1);
    });

    test("an empty clientRequestId counts as absent: two creates make two companies", async () => {
      const ids = [await create({}, ""), await create({}, ""), await create()].map(
        ({ body }) => (body["company"] as MonitoredCompany).companyId,
      );
      expect(new Set(ids).size).toBe(3);
    });

    test("a replayed create returns the company as it is now, even if the company was removed", async () => {
      const { body } = await create({}, "request-1");
      const { companyId } = body["company"] as MonitoredCompany;
      await setState(companyId, "REMOVED");
      expect((await create({}, "request-1")).body).toMatchObject({
        company: { companyId, lifecycle: "MONITORED_COMPANY_LIFECYCLE_REMOVED", claims: [] },
      });
    });

    test("a create with another company's reference returns that company and leaves the request id unused", async () => {
      const first = await created({ customerReference: "crm-1" });
      const again = await create({ name: "Other", customerReference: "crm-1" }, "request-1");
      expect(again.body["company"]).toEqual(first);
      expect((await create({ name: "Third" }, "request-1")).body).toMatchObject({ company: { name: "Third" } });
      expect(await status()).toMatchObject({ companyCount: 2, snapshotGeneration: "2" });
    });

    test("a removed company frees its customer reference", async () => {
      const first = await created({ customerReference: "crm-1" });
      await setState(first.companyId, "REMOVED");
      const second = await created({ customerReference: "crm-1" });
      expect(second.companyId).not.toBe(first.companyId);
    });

    test("a patch changes each member that it contains", async () => {
      const company = await created({ aliases: ["old"], customerReference: "crm-1" });
      const old = company.claims.find(({ value }) => value === "old");
      const { body } = await update(company.companyId, {
        name: "Acme plc",
        domicileCountry: "DOMICILE_COUNTRY_GB",
        customerReference: "crm-2",
        addClaims: [{ type: "COMPANY_CLAIM_TYPE_DOMAIN", value: "WWW.Acme.example" }],
        removeClaimIds: [old?.claimId],
      });
      const changed = body["company"] as MonitoredCompany;
      expect(changed).toMatchObject({ name: "Acme plc", domicileCountry: "DOMICILE_COUNTRY_GB" });
      expect(valuesOf(changed, "ALIAS")).toEqual(["Acme Industries", "Acme plc"]);
      expect(valuesOf(changed, "DOMAIN")).toEqual(["acme.example"]);
      expect(valuesOf(changed, "CUSTOMER_REFERENCE")).toEqual(["crm-2"]);
      expect(changed.createdAt).toBe(company.createdAt);
      expect(changed.updatedAt > company.updatedAt).toBe(true);
      expect((await status()).snapshotGeneration).toBe("2");
    });

    test.each([
      ["an empty patch", {}],
      ["the same name", { name: " Acme  Industries " }],
      ["the same country", { domicileCountry: "DOMICILE_COUNTRY_US" }],
      ["no country", { domicileCountry: "DOMICILE_COUNTRY_UNSPECIFIED" }],
      ["the same reference", { customerReference: "crm-1" }],
      [
        "a claim that the company already has",
        { addClaims: [{ type: "COMPANY_CLAIM_TYPE_DOMAIN", value: "www.acme.example" }] },
      ],
      [
        "the company's reference as a claim",
        { addClaims: [{ type: "COMPANY_CLAIM_TYPE_CUSTOMER_REFERENCE", value: "crm-1" }] },
      ],
    ])("a patch with %s changes nothing", async (_name, patch) => {
      const company = await created({ domains: ["acme.example"], customerReference: "crm-1" });
      const { status: accepted, body } = await update(company.companyId, patch);
      expect([accepted, body["company"]]).toEqual([200, company]);
      expect((await status()).snapshotGeneration).toBe("1");
    });

    test("emptying customerReference, or removing the claim of the reference, clears the reference", async () => {
      const company = await created({ customerReference: "crm-1" });
      const cleared = (await update(company.companyId, { customerReference: "" })).body["company"] as MonitoredCompany;
      expect(valuesOf(cleared, "CUSTOMER_REFERENCE")).toEqual([]);
      const again = (await update(company.companyId, { customerReference: "crm-1" })).body[
        "company"
      ] as MonitoredCompany;
      const claim = again.claims.find(({ type }) => type === "COMPANY_CLAIM_TYPE_CUSTOMER_REFERENCE");
      await update(company.companyId, { removeClaimIds: [claim?.claimId] });
      const other = await created({ customerReference: "crm-1" });
      expect(other.companyId).not.toBe(company.companyId);
    });

    test.each([
      ["a reference of another company", { customerReference: "taken" }],
      [
        "a reference of another company, as a claim",
        { addClaims: [{ type: "COMPANY_CLAIM_TYPE_CUSTOMER_REFERENCE", value: "taken" }] },
      ],
    ])("a patch with %s is 409 CUSTOMER_REFERENCE_CONFLICT", async (_name, patch) => {
      await created({ customerReference: "taken" });
      const company = await created();
      const { status: refused, body } = await update(company.companyId, patch);
      expect([refused, body]).toMatchObject([
        409,
        { code: "CUSTOMER_REFERENCE_CONFLICT", message: expect.any(String) },
      ]);
      expect((await status()).snapshotGeneration).toBe("2");
    });

    test.each([
      ["patch.name", { name: "" }],
      ["patch.name", { name: " " }],
      ["patch.domicileCountry", { domicileCountry: "DOMICILE_COUNTRY_ZZ" }],
      ["patch.customerReference", { customerReference: "x".repeat(129) }],
      ["patch.addClaims[0].type", { addClaims: [{ type: "COMPANY_CLAIM_TYPE_UNSPECIFIED", value: "a" }] }],
      ["patch.addClaims[0].value", { addClaims: [{ type: "COMPANY_CLAIM_TYPE_DOMAIN", value: "a" }] }],
      ["patch.addClaims[0].value", { addClaims: [{ type: "COMPANY_CLAIM_TYPE_ALIAS" }] }],
      [
        "patch.addClaims",
        { customerReference: "a", addClaims: [{ type: "COMPANY_CLAIM_TYPE_CUSTOMER_REFERENCE", value: "b" }] },
      ],
      ["patch.removeClaimIds[0]", { removeClaimIds: ["cm_company_00000000000000000000000000"] }],
      [
        "patch.removeClaimIds",
        { removeClaimIds: Array.from({ length: 82 }, () => "cm_claim_00000000000000000000000000") },
      ],
    ])("a patch with an invalid %s is a 400 that names the field (%#)", async (field, patch) => {
      const company = await created();
      const { status: refused, body } = await update(company.companyId, patch);
      const violations = body["violations"] as readonly { readonly field: string }[];
      expect([refused, violations.map((violation) => violation.field)]).toEqual([400, [field]]);
    });

    test("a patch that removes a claim of another company is 404 CLAIM_NOT_FOUND and changes nothing", async () => {
      const [company, other] = [await created(), await created({ name: "Other" })];
      const refused = await update(company.companyId, { name: "New", removeClaimIds: [other.claims[0]?.claimId] });
      expect([refused.status, refused.body]).toEqual([
        404,
        { error: "No such claim of this company", code: "CLAIM_NOT_FOUND" },
      ]);
      expect((await update(company.companyId, {})).body["company"]).toEqual(company);
    });

    const reached: Readonly<Record<string, readonly string[]>> = {
      ACTIVE: [],
      PAUSED: ["PAUSED"],
      REMOVED: ["REMOVED"],
    };
    test.each([
      ["ACTIVE", "ACTIVE", 200, false],
      ["ACTIVE", "PAUSED", 200, true],
      ["ACTIVE", "REMOVED", 200, true],
      ["PAUSED", "ACTIVE", 200, true],
      ["PAUSED", "PAUSED", 200, false],
      ["PAUSED", "REMOVED", 200, true],
      ["REMOVED", "ACTIVE", 409, false],
      ["REMOVED", "PAUSED", 409, false],
      ["REMOVED", "REMOVED", 200, false],
    ] as const)("a change of state from %s to %s is answered with %i", async (from, to, expected, snapshotRequired) => {
      const company = await created();
      for (const state of reached[from] ?? []) await setState(company.companyId, state);
      const before = Number((await status()).snapshotGeneration);
      const { status: answered, body } = await setState(company.companyId, to);
      expect(answered).toBe(expected);
      if (expected === 200) {
        expect(body).toMatchObject({ company: { lifecycle: `MONITORED_COMPANY_LIFECYCLE_${to}` }, snapshotRequired });
      } else {
        expect(body).toMatchObject({ code: "REMOVED_COMPANY_IS_TERMINAL", message: expect.any(String) });
      }
      expect(Number((await status()).snapshotGeneration)).toBe(before + (snapshotRequired ? 1 : 0));
    });

    test("a removed company keeps its name, has no claims and no coverage, and cannot be changed", async () => {
      const company = await created({ domains: ["acme.example"], customerReference: "crm-1" });
      const { body } = await setState(company.companyId, "REMOVED");
      expect(body["company"]).toMatchObject({ companyId: company.companyId, name: company.name, claims: [] });
      expect(body["company"]).not.toHaveProperty("canonicalUrl");
      expect((await status()).companyCount).toBe(0);
      const coverage = await stack.get(`${BASE}/get-company-coverage?company_id=${company.companyId}`, {
        "x-service-key": key,
      });
      expect([coverage.status, json(coverage)]).toEqual([404, { error: "No such company", code: "NOT_FOUND" }]);
      expect((await update(company.companyId, { name: "New" })).status).toBe(404);
    });

    test.each(["UNSPECIFIED", "DELETED", "active"])("a change of state to %s is a 400", async (target) => {
      const company = await created();
      const { status: refused, body } = await setState(company.companyId, target);
      expect([refused, body]).toMatchObject([400, { violations: [{ field: "targetLifecycle" }] }]);
    });

    test("a company of another account is 404 everywhere and stays as it is", async () => {
      const company = await created();
      const own = key;
      key = await keyOn(stack, "business", ["company_monitoring:read", "company_monitoring:write"]);
      const coverage = await stack.get(`${BASE}/get-company-coverage?company_id=${company.companyId}`, {
        "x-service-key": key,
      });
      const foreign = [await update(company.companyId, { name: "Mine" }), await setState(company.companyId, "REMOVED")];
      const unknown = [await update(unknownId, { name: "Mine" }), await setState(unknownId, "REMOVED")];
      expect([coverage.status, ...foreign.map(({ status: answered }) => answered)]).toEqual([404, 404, 404]);
      expect(foreign.map(({ body }) => body)).toEqual(unknown.map(({ body }) => body));
      expect(await status()).toMatchObject({ companyCount: 0, snapshotGeneration: "0" });
      key = own;
      expect((await update(company.companyId, {})).body["company"]).toEqual(company);
    });

    test("accounts share neither request ids, nor references, nor counts", async () => {
      await create({ customerReference: "crm-1" }, "request-1");
      key = await keyOn(stack, "business", ["company_monitoring:read", "company_monitoring:write"]);
      const other = await create({ name: "Other", customerReference: "crm-1" }, "request-1");
      expect(other.body).toMatchObject({ company: { name: "Other" } });
      expect(await status()).toMatchObject({ companyCount: 1, snapshotGeneration: "1" });
    });

    test("a claim is EXPIRED after a year, and declaring it again renews it with the same id", async () => {
      const company = await created();
      stack.clock.advance(366 * DAY_MS);
      const expired = (await update(company.companyId, {})).body["company"] as MonitoredCompany;
      expect(expired.claims[0]?.trustState).toBe("COMPANY_CLAIM_TRUST_STATE_EXPIRED");
      const renewed = (await update(company.companyId, { name: company.name })).body["company"] as MonitoredCompany;
      expect(renewed.claims[0]).toEqual({
        ...company.claims[0],
        expiresAt: new Date(stack.clock.now() + 365 * DAY_MS).toISOString(),
      });
    });

    const row = (ordinal: number, changes: object = {}) => ({ ordinal, company: { ...company, ...changes } });
    const outcomesOf = (body: Answered["body"]): readonly string[] =>
      (body["results"] as readonly { readonly outcome: string }[]).map(({ outcome }) =>
        outcome.slice("COMPANY_IMPORT_ROW_OUTCOME_".length),
      );

    test("an import reports every outcome by ordinal, and its counts add up", async () => {
      await created({ customerReference: "taken" });
      const first = await importRows([row(1, { name: "B" }), row(0, { name: "A" })]);
      expect(first.body).toMatchObject({
        createdCount: 2,
        replayedCount: 0,
        rejectedCount: 0,
        results: [
          { ordinal: 0, outcome: "COMPANY_IMPORT_ROW_OUTCOME_CREATED", reasonCode: "" },
          { ordinal: 1, outcome: "COMPANY_IMPORT_ROW_OUTCOME_CREATED", reasonCode: "" },
        ],
      });
      const again = await importRows([
        row(3, { name: "D", customerReference: "twice" }),
        row(4, { name: "E", customerReference: "twice" }),
        row(2, { customerReference: "taken" }),
        row(1, { name: "Changed" }),
        row(0, { name: " A " }),
      ]);
      expect(outcomesOf(again.body)).toEqual(["REPLAYED", "CONFLICT", "NO_OP", "CREATED", "NO_OP"]);
      expect(again.body).toMatchObject({ createdCount: 1, replayedCount: 3, rejectedCount: 1 });
      const [replayed, conflict, noOp] = again.body["results"] as readonly Readonly<Record<string, unknown>>[];
      const [original, conflicting] = first.body["results"] as readonly Readonly<Record<string, unknown>>[];
      expect(replayed?.["companyId"]).toBe(original?.["companyId"]);
      expect(conflict).toMatchObject({ companyId: conflicting?.["companyId"], reasonCode: "REPLAY_CONFLICT" });
      expect(noOp).toMatchObject({ reasonCode: "CUSTOMER_REFERENCE_EXISTS" });
      expect(await status()).toMatchObject({ companyCount: 4, snapshotGeneration: "4" });
    });

    test("a NO_OP row leaves its ordinal unused, so that a repeated import can create the company", async () => {
      const holder = await created({ customerReference: "taken" });
      expect(outcomesOf((await importRows([row(0, { customerReference: "taken" })])).body)).toEqual(["NO_OP"]);
      await setState(holder.companyId, "REMOVED");
      expect(outcomesOf((await importRows([row(0, { customerReference: "taken" })])).body)).toEqual(["CREATED"]);
    });

    test("an import beyond 500 companies rejects the rows that do not fit, and a create is 422 COMPANY_LIMIT_REACHED", async () => {
      const rows = (count: number) => Array.from({ length: count }, (_, ordinal) => row(ordinal));
      for (const id of ["1", "2", "3", "4"]) await importRows(rows(100), id);
      expect((await importRows(rows(98), "5")).body).toMatchObject({ createdCount: 98 });
      const last = await importRows(rows(4), "6");
      expect(outcomesOf(last.body)).toEqual(["CREATED", "CREATED", "REJECTED", "REJECTED"]);
      expect(last.body).toMatchObject({ createdCount: 2, rejectedCount: 2 });
      expect((last.body["results"] as readonly object[])[3]).toEqual({
        ordinal: 3,
        outcome: "COMPANY_IMPORT_ROW_OUTCOME_REJECTED",
        reasonCode: "COMPANY_LIMIT_REACHED",
      });
      const refused = await create();
      expect([refused.status, refused.body]).toMatchObject([422, { code: "COMPANY_LIMIT_REACHED" }]);
      expect(await status()).toMatchObject({ companyCount: 500, companyLimit: 500 });
      const [{ companyId }] = last.body["results"] as readonly [{ readonly companyId: string }];
      await setState(companyId, "REMOVED");
      expect(outcomesOf((await importRows(rows(4), "6")).body)).toEqual([
        "REPLAYED",
        "REPLAYED",
        "CREATED",
        "REJECTED",
      ]);
    });

    test.each([
      ["rows", []],
      ["rows", [row(1)]],
      ["rows", [row(0), row(0)]],
      ["rows", [row(0), row(2)]],
      ["rows", Array.from({ length: 101 }, (_, at) => row(Math.min(at, 99)))],
      ["rows[0].ordinal", [row(100)]],
      ["rows[0].ordinal", [row(-1)]],
      ["rows[1].company.name", [row(0), row(1, { name: " " })]],
      ["rows[0].company.domains[0]", [row(0, { domains: ["x"] })]],
      ["rows[0].company", [{ ordinal: 0 }]],
      ["rows[0]", [row(0, { identifiers: Array.from({ length: 20 }, (_, at) => `${at}`.padEnd(450, "x")) })]],
    ])(
      "an import with an error in %s is a 400 that names that field, and creates nothing (%#)",
      async (field, rows) => {
        const { status: refused, body } = await importRows(rows);
        const violations = body["violations"] as readonly { readonly field: string }[];
        expect([refused, violations.map((violation) => violation.field)]).toEqual([400, [field]]);
        expect((await status()).companyCount).toBe(0);
      },
    );

    test("an import requires its version, its id and its rows, and a single row may omit its ordinal", async () => {
      const rows = [{ company }];
      const wrong = [
        await post("import-monitored-company-batch", { contractVersion: "cm-import-v2", clientImportId: "a", rows }),
        await post("import-monitored-company-batch", { clientImportId: "a", rows }),
        await post("import-monitored-company-batch", { contractVersion: "cm-import-v1", rows }),
        await post("import-monitored-company-batch", { contractVersion: "cm-import-v1", clientImportId: " ", rows }),
        await post("import-monitored-company-batch", { contractVersion: "cm-import-v1", clientImportId: "a" }),
      ];
      expect(
        wrong.map(({ status: refused, body }) => [refused, (body["violations"] as { field: string }[])[0]?.field]),
      ).toEqual([
        [400, "contractVersion"],
        [400, "contractVersion"],
        [400, "clientImportId"],
        [400, "clientImportId"],
        [400, "rows"],
      ]);
      expect((await importRows(rows)).body).toMatchObject({ createdCount: 1, results: [{ ordinal: 0 }] });
    });

    test("an import ignores Idempotency-Key: a repeated import processes every row again", async () => {
      const batch = { contractVersion: "cm-import-v1", clientImportId: "import-1", rows: [row(0)] };
      const answers = [
        await post("import-monitored-company-batch", batch, { "idempotency-key": "k" }),
        await post("import-monitored-company-batch", batch, { "idempotency-key": "k" }),
      ];
      expect(answers.map(({ body }) => outcomesOf(body)[0])).toEqual(["CREATED", "REPLAYED"]);
      expect(answers.map(({ answer }) => answer.headers["Idempotency-Key"])).toEqual([undefined, undefined]);
    });

    test("a create with an Idempotency-Key happens once, and another body with the same key is 422", async () => {
      const headers = { "idempotency-key": "key-1" };
      const answers = [
        await post("create-monitored-company", { company }, headers),
        await post("create-monitored-company", { company }, headers),
        await post("create-monitored-company", { company: { ...company, name: "Other" } }, headers),
      ];
      expect(answers.map(({ status: answered, answer }) => [answered, answer.headers["Idempotent-Replayed"]])).toEqual([
        [200, "false"],
        [200, "true"],
        [422, "false"],
      ]);
      expect((await status()).companyCount).toBe(1);
    });

    test.each([
      ["create-monitored-company", "company_monitoring:write"],
      ["update-monitored-company", "company_monitoring:write"],
      ["set-monitored-company-state", "company_monitoring:write"],
      ["import-monitored-company-batch", "company_monitoring:write"],
    ])("%s needs the scope %s", async (rpc, scope) => {
      key = await keyOn(stack, "business", ["read", "company_monitoring:read"]);
      const refused = await post(rpc, {});
      expect([refused.status, refused.body]).toEqual([403, { error: `This key lacks the scope ${scope}` }]);
    });
  });
}
