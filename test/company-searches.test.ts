import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { UnavailableSnapshot } from "../src/contract/snapshot.js";
import type { StoreJob } from "../src/database/service-store.js";
import { HOUR_MS, MINUTE_MS } from "../src/kit/clock.js";
import { scanJob } from "../src/services/company-monitoring/store/scan/scan-job.js";
import { postSearchJob, webSearchJob } from "../src/services/company-monitoring/store/search/search-jobs.js";
import type { Fault } from "../src/simulator/faults.js";
import { type Headers, makeAccount, makeKey } from "./support/callers.js";
import { runJob } from "./support/run-job.js";
import { call, json, type Stack, startStack } from "./support/stack.js";

/*
 * Tests the company searches against faulty upstreams, with the real client and cache. Also tests which coverage
 * callers see.
 */

const FOLDER = "/api/company-monitoring/v1";
const SCOPES = ["company_monitoring:read", "company_monitoring:write"] as const;
const absent: UnavailableSnapshot = { available: false, state: "absent", reason: "", attempt: null };

/** Sets up a caller that monitors companies on a stack, and the jobs that search for these companies. */
async function monitoring(stack: Stack) {
  const account = await makeAccount(stack, "business");
  const owner: Headers = { "x-service-key": (await makeKey(stack, account, SCOPES)).key };
  // Searches read the companies from the store and need no snapshot.
  const registry = { get: () => absent, datasets: [] };
  const run = (job: StoreJob): Promise<void> => runJob(stack, job, { registry });

  return {
    run,
    async create(name: string): Promise<string> {
      const body = JSON.stringify({ company: { name, domicileCountry: "DOMICILE_COUNTRY_US" } });
      const headers = { ...owner, "content-type": "application/json" };
      const answer = json(await call(stack.answer, "POST", `${FOLDER}/create-monitored-company`, headers, { body }));
      await run(scanJob as StoreJob);
      return (answer as { readonly company: { readonly companyId: string } }).company.companyId;
    },
    /** Returns the state and reason of each search, by its provider. */
    async searches(companyId: string): Promise<Readonly<Record<string, string>>> {
      const answer = json(await stack.get(`${FOLDER}/get-company-coverage?company_id=${companyId}`, owner));
      const { coverage } = answer as {
        readonly coverage: {
          readonly providers: readonly {
            readonly provider: string;
            readonly state: string;
            readonly reasonCode: string;
          }[];
        };
      };
      const short = (name: string) => name.slice(name.lastIndexOf("_") + 1);
      return Object.fromEntries(
        coverage.providers.map(({ provider, state, reasonCode }) => [short(provider), `${short(state)} ${reasonCode}`]),
      );
    },
  };
}

const searches = [
  ["SEARCH", "brave-search", webSearchJob],
  ["SOCIAL", "x-posts", postSearchJob],
] as const;

describe("with keys", () => {
  let stack: Stack;
  let caller: Awaited<ReturnType<typeof monitoring>>;
  beforeAll(async () => {
    stack = await startStack({ datasets: [] });
    caller = await monitoring(stack);
  });
  afterAll(() => stack.close());

  const faults: readonly (readonly [Fault, string])[] = [
    [{ kind: "status", code: 429 }, "FAILED rate_limited"],
    [{ kind: "status", code: 401 }, "FAILED authentication_failed"],
    [{ kind: "status", code: 422 }, "FAILED request_rejected"],
    [{ kind: "status", code: 503 }, "FAILED provider_unavailable"],
    [{ kind: "changed" }, "FAILED malformed"],
    [{ kind: "html" }, "FAILED malformed"],
    [{ kind: "bad-row" }, "PARTIAL malformed"],
    [{ kind: "empty" }, "COMPLETE complete"],
  ];
  const cases = searches.flatMap(([provider, upstream, job]) =>
    faults.map(([fault, outcome]) => ({ provider, upstream, job, fault, outcome, kind: JSON.stringify(fault) })),
  );

  test.each(cases)(
    "the $provider search is $outcome during the fault $kind, and complete again after it",
    async (row) => {
      const { provider, upstream, job, fault, outcome, kind } = row;
      const companyId = await caller.create(`Northlight ${kind.replace(/\W/g, "")}`);
      stack.clock.advance(5 * MINUTE_MS);
      stack.simulator.faults.set({ upstream }, fault);
      await caller.run(job as StoreJob);
      expect((await caller.searches(companyId))[provider]).toBe(outcome);
      stack.simulator.faults.clear();
      stack.clock.advance(13 * HOUR_MS);
      await caller.run(job as StoreJob);
      expect((await caller.searches(companyId))[provider]).toBe("COMPLETE complete");
    },
  );

  test("the coverage of a company lists both searches, and health counts their calls", async () => {
    const companyId = await caller.create("Tessel Semiconductors");
    stack.clock.advance(MINUTE_MS);
    for (const [, , job] of searches) await caller.run(job as StoreJob);
    expect(await caller.searches(companyId)).toEqual({ SEARCH: "COMPLETE complete", SOCIAL: "COMPLETE complete" });
    const { budgets } = json(await stack.get("/api/health")) as {
      readonly budgets: readonly { readonly name: string; readonly used: number }[];
    };
    const used = budgets.flatMap(({ name, used: calls }) => (name.startsWith("company-") && calls > 0 ? [name] : []));
    expect(used.sort()).toEqual(["company-search", "company-social"]);
  });
});

test.each([
  ["without keys", { keyless: true, env: {} }, []],
  ["with open licences only", { env: { VIGIL_LICENCE_MODE: "open" } }, []],
  ["with a spent budget", { env: { VIGIL_COMPANY_SEARCH_CALLS: "0" } }, [["SEARCH", "FAILED rate_limited"]]],
] as const)("%s, the web search sends nothing", async (_name, options, expected) => {
  const stack = await startStack({ datasets: [], ...options });
  try {
    const caller = await monitoring(stack);
    const companyId = await caller.create("Tessel Semiconductors");
    await caller.run(webSearchJob as StoreJob);
    expect(Object.entries(await caller.searches(companyId))).toEqual(expected);
    expect(stack.simulator.requests.list().filter(({ url }) => url.includes("brave"))).toEqual([]);
  } finally {
    await stack.close();
  }
});
