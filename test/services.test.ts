import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ServiceCases } from "../src/contract/testing/service-cases.js";
import { loadServices } from "../src/services/registry.js";
import { loadCases, servicesFolder } from "./support/walks/load-cases.js";
import { missingCases } from "./support/walks/missing-cases.js";

const services = await loadServices();
const cases = await loadCases();

test("every operation, dataset and part has the example that its tests need", () => {
  expect(missingCases({ ...services, cases })).toEqual([]);
});

test.each(Object.keys(cases))("the service %s tests its operations, and its datasets if it has any", (name) => {
  const files = [
    "operations.test.ts",
    ...(Object.keys(cases[name]?.datasets ?? {}).length > 0 ? ["datasets.test.ts"] : []),
  ];
  const missing = files.filter((file) => !existsSync(join(servicesFolder, name, file)));
  expect(missing.map((file) => `add src/services/${name}/${file}, which walks the cases of ${name}`)).toEqual([]);
});

const registered = services.operations.find(({ path }) => path === "/api/economic/v1/get-us-cpi-monthly");
const dataset = services.datasets.find(({ name }) => name === "us-cpi");

/** The sentences about an operation and a dataset that have these cases. */
function missing(
  economic: ServiceCases | undefined,
  examples = registered?.operation.examples ?? [],
): readonly string[] {
  if (!registered || !dataset) throw new Error("us-cpi is not declared");
  const operation = { ...registered.operation, examples };
  return missingCases({ operations: [{ ...registered, operation }], datasets: [dataset], cases: { economic } });
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
    "the operation economic/get-us-cpi-monthly has no test case: add its body while nothing is stored to `operations` of src/services/economic/testing/cases.ts",
  ]);
});

test("a missing fault case is reported with the dataset and what to add", () => {
  expect(missing({ ...complete, datasets: {} })).toEqual([
    "the dataset us-cpi has no fault case: add `shownBy` and `feeds` to `datasets` in testing/cases.ts of its service",
  ]);
  expect(missing({ ...complete, datasets: { "us-cpi": { kind: "stored", shownBy: "/", feeds: [] } } })).toEqual([
    "the dataset us-cpi has no feed in its case: add what its faults strike",
  ]);
});

test("a missing case file is reported with the service and what to add", () => {
  expect(missing(undefined)[0]).toBe(
    "the service economic has no test cases: export `cases` from src/services/economic/testing/cases.ts, and walk them in src/services/economic/operations.test.ts",
  );
});

test("a case without a declaration is reported", () => {
  const stray = { kind: "stored", absent: {} } as const;
  expect(missing({ ...complete, operations: { ...complete.operations, "get-nothing": stray } })).toEqual([
    "src/services/economic/testing/cases.ts has a case for get-nothing, which is not declared",
  ]);
});
