import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listOf, product } from "../src/contract/product.js";
import type { ServiceCases } from "../src/contract/testing/service-cases.js";
import { readAccountQuery, readQuery } from "../src/http/query.js";
import { loadServices } from "../src/services/registry.js";
import { loadCases, servicesFolder } from "./support/walks/load-cases.js";
import { missingCases } from "./support/walks/missing-cases.js";

const services = await loadServices();
const cases = await loadCases();

test("every operation, account read, write and dataset has the examples and test cases that it needs", () => {
  expect(missingCases({ ...services, cases })).toEqual([]);
});

const NOW = Date.UTC(2026, 10, 18, 12);

/** The declared examples of reads whose queries get a notice, each with its notice. */
const noticedExamples = [
  ...services.operations.map(({ path, operation }) => ({
    path,
    examples: operation.examples,
    noticeOf: (search: string) => readQuery(operation, search, NOW).notice,
  })),
  ...services.accountReads.map(({ path, read }) => ({
    path,
    examples: read.examples,
    noticeOf: (search: string) => readAccountQuery(read, search, NOW).notice,
  })),
].flatMap(({ path, examples, noticeOf }) =>
  examples
    .map((example) => `${new URLSearchParams(example)}`)
    .map((search) => [`${path}?${search}`, noticeOf(search)] as const)
    .filter(([, notice]) => notice !== undefined),
);

test("no declared example names an unknown parameter or has another part without effect", () => {
  expect(noticedExamples).toEqual([]);
});

const hasAny = (byName: object | undefined): boolean => Object.keys(byName ?? {}).length > 0;

test.each(Object.keys(cases))("the service %s tests the operations, writes and datasets that it declares", (name) => {
  const { operations, accountReads, writes, datasets } = cases[name] ?? {};
  const files = [
    ...(hasAny(operations) || hasAny(accountReads) ? ["operations.test.ts"] : []),
    ...(hasAny(writes) ? ["writes.test.ts"] : []),
    ...(hasAny(datasets) ? ["datasets.test.ts"] : []),
  ];
  const missing = files.filter((file) => !existsSync(join(servicesFolder, name, file)));
  expect(missing.map((file) => `add src/services/${name}/${file}, which runs the cases of ${name}`)).toEqual([]);
});

const registered = services.operations.find(({ path }) => path === "/api/economic/v1/get-us-cpi-monthly");
const dataset = services.datasets.find(({ name }) => name === "us-cpi");

/** Returns the reports on one operation and one dataset of a service with these cases. */
function missing(
  economic: ServiceCases | undefined,
  examples = registered?.operation.examples ?? [],
): readonly string[] {
  if (!registered || !dataset) throw new Error("us-cpi is not declared");
  const operation = { ...registered.operation, examples };
  return missingCases({
    operations: [{ ...registered, operation }],
    accountReads: [],
    streams: [],
    writes: [],
    datasets: [dataset],
    cases: { economic },
  });
}

const complete: ServiceCases = {
  operations: { "get-us-cpi-monthly": { kind: "stored", absent: { months: [], unavailable: true } } },
  datasets: {
    "us-cpi": {
      kind: "stored",
      shownBy: "/api/economic/v1/get-us-cpi-monthly",
      feeds: [{ upstream: "fred", badRow: {} }],
    },
  },
};

test("a missing example is reported with the operation and what to add", () => {
  expect(missing(complete, [])).toEqual([
    "the operation economic/get-us-cpi-monthly has no example: add one query to `examples` of its declaration",
  ]);
});

test("a missing operation case is reported with what to add", () => {
  expect(missing({ ...complete, operations: {} })).toEqual([
    "the operation economic/get-us-cpi-monthly has no test case: in `operations` of src/services/economic/testing/cases.ts, add the body that it answers while nothing is stored",
  ]);
});

test("a missing fault case is reported with the dataset and what to add", () => {
  expect(missing({ ...complete, datasets: {} })).toEqual([
    "the dataset us-cpi has no fault case: add `shownBy` and `feeds` to `datasets` in testing/cases.ts of its service",
  ]);
  expect(missing({ ...complete, datasets: { "us-cpi": { kind: "stored", shownBy: "/", feeds: [] } } })).toEqual([
    "the dataset us-cpi has no feed in its case: add the upstreams of its faults",
  ]);
});

test("a product without a case is reported with what to add", () => {
  if (!dataset) throw new Error("us-cpi is not declared");
  const months = product({
    name: "months",
    title: "Months",
    description: "Months.",
    cadenceMs: 1,
    staleAfterMs: 1,
    gaps: [],
    reads: { dataset },
    parts: { months: listOf<object>() },
    build: () => ({ months: [] }),
    gateRule: "none",
    gate: () => undefined,
    view: () => undefined,
    newestAt: () => null,
  });
  const missingOf = (own: ServiceCases["datasets"]) =>
    missingCases({
      operations: [],
      accountReads: [],
      streams: [],
      writes: [],
      datasets: [months],
      cases: { economic: { operations: {}, datasets: own } },
    });
  const sentence =
    "the product months has no test case: add `shownBy` to `datasets` in testing/cases.ts of its service";
  expect(missingOf({})).toEqual([sentence]);
  expect(missingOf({ months: { kind: "stored", shownBy: "/", feeds: [] } })).toEqual([sentence]);
  expect(missingOf({ months: { kind: "product", shownBy: "/api/economic/v1/get-us-cpi-monthly" } })).toEqual([]);
});

test("a missing case file is reported with the service and what to add", () => {
  expect(missing(undefined)[0]).toBe(
    "the service economic has no test cases: export `cases` from src/services/economic/testing/cases.ts, and test them in src/services/economic/operations.test.ts",
  );
});

test("a case without a declaration is reported", () => {
  const stray = { kind: "stored", absent: {} } as const;
  expect(missing({ ...complete, operations: { ...complete.operations, "get-nothing": stray } })).toEqual([
    "src/services/economic/testing/cases.ts has a case for get-nothing, which is not declared",
  ]);
});

const createKey = services.writes.find(({ path }) => path === "/api/account/v1/create-key");
const getAccount = services.accountReads.find(({ path }) => path === "/api/account/v1/get-account");

/** Returns the reports on one account read and one write of a service with these cases. */
function missingOfAccount(
  account: Pick<ServiceCases, "accountReads" | "writes"> | undefined,
  examples = getAccount?.read.examples ?? [],
): readonly string[] {
  if (!createKey || !getAccount) throw new Error("the account service is not declared");
  return missingCases({
    operations: [],
    accountReads: [{ ...getAccount, read: { ...getAccount.read, examples } }],
    streams: [],
    writes: [createKey],
    datasets: [],
    cases: { account: account && { operations: {}, datasets: {}, ...account } },
  });
}

const completeAccount: Pick<ServiceCases, "accountReads" | "writes"> = {
  accountReads: { "get-account": { answer: {} } },
  writes: { "create-key": { kind: "write", body: () => ({}), answer: {} } },
};

test("an account read and a write that have their cases are not reported", () => {
  expect(missingOfAccount(completeAccount)).toEqual([]);
});

test("a write without a case is reported with what to add", () => {
  expect(missingOfAccount({ ...completeAccount, writes: {} })).toEqual([
    "the write account/create-key has no test case: in `writes` of src/services/account/testing/cases.ts, add a body that succeeds, and members of the answer",
  ]);
});

test("an account read without an example or a case is reported with what to add", () => {
  expect(missingOfAccount({ ...completeAccount, accountReads: {} }, [])).toEqual([
    "the account read account/get-account has no example: add one query to `examples` of its declaration",
    "the account read account/get-account has no test case: in `accountReads` of src/services/account/testing/cases.ts, add members of its answer",
  ]);
});

test("if a service with writes has no case file, the report names the test file to add", () => {
  expect(missingOfAccount(undefined)).toContain(
    "the service account has no test cases: export `cases` from src/services/account/testing/cases.ts, and test them in src/services/account/writes.test.ts",
  );
});

test("a case without a declared write is reported", () => {
  const stray = { kind: "write", body: () => ({}), answer: {} } as const;
  const writes = { ...completeAccount.writes, "drop-key": stray };
  expect(missingOfAccount({ ...completeAccount, writes })).toEqual([
    "src/services/account/testing/cases.ts has a case for drop-key, which is not declared",
  ]);
});
