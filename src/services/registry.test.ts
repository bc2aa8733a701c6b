import { readdir } from "node:fs/promises";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { dataset } from "../contract/dataset.js";
import { operation, type RegisteredOperation } from "../contract/operation.js";
import { type AnyDataset, listOf, product } from "../contract/product.js";
import type { Budget, DailyQuota, RegisteredGroup } from "../contract/service-group.js";
import { text, whole } from "../contract/setting.js";
import { loadServiceGroups, servicesOf } from "./registry.js";

const quota: DailyQuota = { name: "report", calls: "reports", callsMax: { pro: 1, starter: 2, business: 3 } };
const budget: Budget = { name: "paid", callsMax: whole("VIGIL_PAID_CALLS", 10, { min: 0, max: 100 }, "Paid calls.") };

const groupOf = (changes: Partial<RegisteredGroup> = {}): RegisteredGroup => ({
  service: "numbers",
  name: "Numbers",
  description: "Numbers.",
  ...changes,
});

function registered(dailyQuota?: DailyQuota, reads: Readonly<Record<string, AnyDataset>> = {}): RegisteredOperation {
  const numbers = operation({
    rpc: "list-numbers",
    summary: "Numbers",
    description: "Numbers.",
    cache: "fast",
    reads,
    query: {},
    response: Type.Object({}),
    examples: [],
    ...(dailyQuota && { dailyQuota }),
    run: () => ({}),
  });
  return { service: "numbers", path: "/api/numbers/v1/list-numbers", operation: numbers };
}

const shared = {
  title: "Numbers",
  description: "Numbers.",
  cadenceMs: 1,
  staleAfterMs: 1,
  gaps: [],
  gateRule: "none",
  gate: () => undefined,
  view: () => undefined,
  newestAt: () => null,
};
const numbers = dataset({ ...shared, name: "numbers", parts: {} });

function productOf(name: string, reads: Readonly<Record<string, AnyDataset>>) {
  return product({ ...shared, name, reads, parts: { list: listOf<number>() }, build: () => ({ list: [] }) });
}

describe("the registry of services", () => {
  test("lists the ingredients of a product before the product", () => {
    const sums = productOf("sums", { numbers });
    const { allDatasets } = servicesOf([groupOf()], [registered(undefined, { means: productOf("means", { sums }) })]);
    expect(allDatasets.map(({ name }) => name)).toEqual(["numbers", "sums", "means"]);
  });

  test("refuses a product that is built from itself", () => {
    const reads: Record<string, AnyDataset> = {};
    const sums = productOf("sums", reads);
    reads["means"] = productOf("means", { sums });
    expect(() => servicesOf([groupOf()], [registered(undefined, { sums })])).toThrow(
      "the product sums is built from itself: sums, means, sums",
    );
  });

  test("refuses a product that reads a dataset which is built only on request", () => {
    const asleep = dataset({ ...numbers, awakeForMs: 1 });
    expect(() => servicesOf([groupOf()], [registered(undefined, { sums: productOf("sums", { asleep }) })])).toThrow(
      "the product sums reads numbers, which is built only on request",
    );
  });

  test("finds a service group in every folder, in the order of the contract", async () => {
    const groups = await loadServiceGroups();
    const entries = await readdir(import.meta.dirname, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(groups.map(({ service }) => service).toSorted()).toEqual(folders.toSorted());
    const positions = groups.map(({ position }) => position);
    const listed = positions.filter((position) => position !== undefined);
    expect(listed).toContain(1);
    // Groups that the contract does not list have no position, and come last.
    expect(positions.slice(0, listed.length)).toEqual(listed.map((_position, index) => index + 1));
  });

  test("collects quotas, budgets and settings of the groups", () => {
    const setting = text("VIGIL_NUMBERS", "", "Numbers.");
    const services = servicesOf([groupOf({ quotas: [quota], budgets: [budget], settings: [setting] })], []);
    expect(services).toMatchObject({ quotas: [quota], budgets: [budget], settings: [budget.callsMax, setting] });
  });

  test("accepts an operation if the group declares the operation's quota", () => {
    const services = servicesOf([groupOf({ quotas: [quota] })], [registered(quota)]);
    expect(services.operations).toHaveLength(1);
  });

  test("refuses an operation with an undeclared quota, and names the file that must declare the quota", () => {
    expect(() => servicesOf([groupOf()], [registered(quota)])).toThrow(
      "list-numbers has the quota report; declare it in services/numbers/service.ts",
    );
  });

  test("refuses two quotas with the same name", () => {
    const other = groupOf({ service: "letters", quotas: [{ ...quota }] });
    expect(() => servicesOf([groupOf({ quotas: [quota] }), other], [])).toThrow("two declarations are called report");
  });
});
