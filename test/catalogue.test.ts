import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Catalogue, CatalogueGroup } from "../src/contract/catalogue.js";
import { json, type Stack, startStack } from "./support/stack.js";

const specification = resolve(import.meta.dirname, "../../shared/contract/SPEC.md");

let stack: Stack;
let catalogue: Catalogue & { readonly companyMonitoring: CatalogueGroup };
beforeAll(async () => {
  stack = await startStack();
  catalogue = json(await stack.get("/api/catalog")) as typeof catalogue;
});
afterAll(() => stack.close());

/** The paths that the catalogue lists as served. */
function servedPaths(): readonly string[] {
  return [...catalogue.groups, catalogue.companyMonitoring]
    .flatMap(({ operations }) => operations)
    .filter(({ status }) => status === "served")
    .map(({ path }) => path);
}

test("the catalogue lists 33 groups, plus company monitoring", () => {
  expect(catalogue.groups).toHaveLength(33);
  expect(new Set(catalogue.groups.map(({ name }) => name)).size).toBe(33);
  expect(catalogue.groups.map(({ name }) => name)).not.toContain("Company Monitoring");
  expect(catalogue.companyMonitoring.name).toBe("Company Monitoring");
});

test.skipIf(!existsSync(specification))("the catalogue lists the groups of SPEC convention 7, in SPEC's order", () => {
  const [, sentence = ""] = /groups in the catalog are: ([^.]+)\./.exec(readFileSync(specification, "utf8")) ?? [];
  expect(catalogue.groups.map(({ name }) => name)).toEqual(sentence.split(", "));
});

test("the served paths of the catalogue are exactly the registered paths outside the platform groups", () => {
  const { groups, operations, accountReads, streams, linkedFeeds, writes } = stack.services;
  const platform = new Set(groups.flatMap(({ service, isPlatform }) => (isPlatform ? [service] : [])));
  const registered = [...operations, ...accountReads, ...streams, ...linkedFeeds, ...writes]
    .filter(({ service }) => !platform.has(service))
    .map(({ path }) => path);
  expect([...servedPaths()].sort()).toEqual([...registered].sort());
});

test("the status of a group is `served` if the group has operations, and `planned` if it has none", () => {
  for (const { service, status, operations } of catalogue.groups) {
    expect(status).toBe(operations.length > 0 ? "served" : "planned");
    for (const { path } of operations) expect(path.startsWith(`/api/${service}/v1/`)).toBe(true);
  }
});

test("company monitoring has the contract's ten operations, a stream, a feed and a rotation of the feed's link", () => {
  const { status, operations } = catalogue.companyMonitoring;
  expect(operations.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      "/api/company-monitoring/v1/stream-company-event-changes",
      "/api/company-monitoring/v1/get-company-event-feed",
      "/api/company-monitoring/v1/rotate-company-event-feed",
    ]),
  );
  expect(operations).toHaveLength(13);
  const isServed = operations.every((operation) => operation.status === "served");
  expect(status).toBe(isServed ? "served" : "contract-only");
});

test("every operation in the catalogue has its method and a summary", () => {
  for (const operation of [...catalogue.groups, catalogue.companyMonitoring].flatMap(({ operations }) => operations)) {
    expect(operation).toMatchObject({
      method: expect.stringMatching(/^(?:GET|POST)$/),
      summary: expect.stringMatching(/./),
    });
  }
});
