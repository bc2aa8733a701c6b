import { describe, expect, test } from "vitest";
import { makeAccount, makeKey, setPlan } from "../../../test/support/callers.js";
import { call, json, type Stack, startStack } from "../../../test/support/stack.js";
import { loadServices } from "../registry.js";

const BASE = "/api/company-monitoring/v1";
const STATUS = `${BASE}/get-company-monitoring-status`;
const { accountReads, writes } = await loadServices();
const calls = [
  ...accountReads.map(({ path }) => ["GET", path] as const),
  ...writes.map(({ path }) => ["POST", path] as const),
].filter(([, path]) => path.startsWith(BASE));

async function withStack(
  env: Readonly<Record<string, string>>,
  work: (stack: Stack) => Promise<void>,
  keyless = false,
): Promise<void> {
  const stack = await startStack({ datasets: [], env, keyless });
  try {
    await work(stack);
  } finally {
    await stack.close();
  }
}

test("the status of company monitoring says which searches run", async () => {
  const flags = async (env: Readonly<Record<string, string>>, keyless: boolean) => {
    let featureFlags: Readonly<Record<string, boolean>> = {};
    await withStack(
      env,
      async (stack) => {
        ({ featureFlags } = json(await stack.get(STATUS)) as { featureFlags: typeof featureFlags });
      },
      keyless,
    );
    return [featureFlags["searchProvider"], featureFlags["socialProvider"]];
  };
  expect(await flags({}, true)).toEqual([false, false]);
  expect(await flags({ VIGIL_BRAVE_SEARCH_KEY: "k" }, true)).toEqual([true, false]);
  expect(await flags({ VIGIL_X_BEARER_TOKEN: "k" }, true)).toEqual([false, true]);
  expect(await flags({ VIGIL_COMPANY_MONITORING: "off" }, false)).toEqual([false, false]);
});

describe("the switch", () => {
  test("company monitoring that is switched off reports its status as DISABLED and answers every other path with 404", async () => {
    await withStack({ VIGIL_COMPANY_MONITORING: "off" }, async (stack) => {
      const headers = { "x-service-key": stack.service.access.ownerKey.key ?? "", "content-type": "application/json" };
      expect(calls.length).toBeGreaterThan(5);
      for (const [method, path] of calls) {
        const answer = await call(stack.answer, method, path, headers, { body: "{}" });
        if (path === STATUS) {
          expect([answer.status, json(answer)]).toMatchObject([
            200,
            {
              accessState: "COMPANY_MONITORING_ACCESS_STATE_DISABLED",
              featureFlags: { restWrites: false, publication: false, alerts: false },
            },
          ]);
        } else expect([path, answer.status, json(answer)]).toEqual([path, 404, { error: "Not found" }]);
      }
      const { companyMonitoring } = json(await stack.get("/api/catalog")) as Record<
        string,
        { readonly status: string }
      >;
      expect(companyMonitoring?.status).toBe("contract-only");
    });
  });

  test("company monitoring keeps its companies while it is switched off", async () => {
    const env: Record<string, string> = {};
    const stack = await startStack({ datasets: [], env });
    try {
      const headers = { "x-service-key": stack.service.access.ownerKey.key ?? "", "content-type": "application/json" };
      const body = JSON.stringify({ company: { name: "Acme", domicileCountry: "DOMICILE_COUNTRY_US" } });
      await call(stack.answer, "POST", `${BASE}/create-monitored-company`, headers, { body });
      env["VIGIL_COMPANY_MONITORING"] = "off";
      await stack.restart();
      expect(json(await stack.get(STATUS))).toMatchObject({ accessState: "COMPANY_MONITORING_ACCESS_STATE_DISABLED" });
      delete env["VIGIL_COMPANY_MONITORING"];
      await stack.restart();
      expect(json(await stack.get(STATUS))).toMatchObject({ companyCount: 1, snapshotGeneration: "1" });
    } finally {
      await stack.close();
    }
  });
});

test.each([
  ["lapsed", "ENTITLEMENT_LAPSED", "subscription_lapsed"],
  ["renewal-pending", "DENIED", "renewal_verification_pending"],
] as const)(
  "if the plan is %s, the status reports %s, and the other paths answer 403 %s",
  async (state, access, code) => {
    await withStack({}, async (stack) => {
      const account = await makeAccount(stack, "business");
      const key = await makeKey(stack, account, ["company_monitoring:read", "company_monitoring:write"]);
      await setPlan(stack, account, "business", state);
      const headers = { "x-service-key": typeof key === "string" ? key : key.key, "content-type": "application/json" };
      expect(json(await stack.get(STATUS, headers))).toMatchObject({
        accessState: `COMPANY_MONITORING_ACCESS_STATE_${access}`,
      });
      for (const [method, path] of calls.filter(([, candidate]) => candidate !== STATUS)) {
        const answer = await call(stack.answer, method, path, headers, { body: "{}" });
        expect([path, answer.status, json(answer)]).toMatchObject([path, 403, { code }]);
      }
    });
  },
);
