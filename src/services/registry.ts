import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isAccountRead, type RegisteredAccountRead } from "../contract/account-read.js";
import type { AnyDataset } from "../contract/dataset.js";
import type { FeedCatalogue } from "../contract/feed-catalogue.js";
import { type AnyOnDemand, sourcesOf } from "../contract/on-demand.js";
import { isOperation, type RegisteredOperation } from "../contract/operation.js";
import { ingredientsOf } from "../contract/product.js";
import type { ServiceCounter } from "../contract/service-counter.js";
import { type Budget, type DailyQuota, isServiceGroup, type RegisteredGroup } from "../contract/service-group.js";
import type { Setting } from "../contract/setting.js";
import type { AnySource } from "../contract/source.js";
import { isWrite, type PathLimit, type RegisteredWrite } from "../contract/write.js";
import { isServiceStore, type RegisteredStore } from "../database/service-store.js";

/** All declarations below this folder. */
export interface Services {
  /** In the contract's order; groups outside its list come last. */
  readonly groups: readonly RegisteredGroup[];
  readonly operations: readonly RegisteredOperation[];
  readonly accountReads: readonly RegisteredAccountRead[];
  readonly writes: readonly RegisteredWrite[];
  /** The tables of services, with the ports over them. */
  readonly stores: readonly RegisteredStore[];
  /** The datasets that are always built. */
  readonly datasets: readonly AnyDataset[];
  /** All datasets, including those that are built only on request. */
  readonly allDatasets: readonly AnyDataset[];
  readonly sources: readonly AnySource[];
  /** Settings of the services. */
  readonly settings: readonly Setting<unknown>[];
  readonly quotas: readonly DailyQuota[];
  /** Limits of paths. */
  readonly pathLimits: readonly PathLimit[];
  readonly budgets: readonly Budget[];
  readonly counters: readonly ServiceCounter[];
  readonly feedCatalogue: FeedCatalogue | undefined;
}

const HERE = dirname(fileURLToPath(import.meta.url));

/** Loads every service group from `<service>/service.ts`, without its operations. */
export async function loadServiceGroups(root: string = HERE): Promise<readonly RegisteredGroup[]> {
  const groups = await Promise.all((await servicesIn(root)).map((service) => groupOf(root, service)));
  return groups.sort(byPosition);
}

/**
 * Finds every operation, account read and write by its file, `<service>/operations/<rpc-name>.ts` or
 * `<service>/writes/<rpc-name>.ts`, and the datasets and sources through the operations. Throws for a file with another
 * name, and like `servicesOf`.
 */
export function loadServices(root: string = HERE): Promise<Services> {
  if (root !== HERE) return servicesBelow(root);
  // The files of the process do not change while it runs.
  own ??= servicesBelow(HERE);
  return own;
}

let own: Promise<Services> | undefined;

async function servicesBelow(root: string): Promise<Services> {
  const groups = await loadServiceGroups(root);
  const operations = await Promise.all(groups.map(({ service }) => operationsOf(root, service)));
  const accountReads = await Promise.all(groups.map(({ service }) => accountReadsOf(root, service)));
  const writes = await Promise.all(groups.map(({ service }) => writesOf(root, service)));
  return servicesOf(groups, operations.flat(), {
    accountReads: accountReads.flat(),
    writes: writes.flat(),
    stores: await loadStores(root),
  });
}

/** The stores of all services, from `<service>/store/store.ts`. */
export async function loadStores(root: string = HERE): Promise<readonly RegisteredStore[]> {
  const stores = await Promise.all((await servicesIn(root)).map((service) => storesOf(root, service)));
  return stores.flat();
}

async function storesOf(root: string, service: string): Promise<readonly RegisteredStore[]> {
  const file = ["ts", "js"].map((type) => join(root, service, "store", `store.${type}`)).find(existsSync);
  if (file === undefined) return [];
  const exports: Record<string, unknown> = await import(pathToFileURL(file).href);
  const [store] = Object.values(exports).filter(isServiceStore);
  if (store === undefined) throw new Error(`services/${service}/store/store.ts exports no serviceStore()`);
  return [{ service, store }];
}

/**
 * Collects the services with the datasets and sources of their operations. Throws if two declarations share a name, or
 * if a quota or budget is not declared by its group.
 */
export function servicesOf(
  groups: readonly RegisteredGroup[],
  declaredOperations: readonly RegisteredOperation[],
  ofAccounts: Pick<Services, "accountReads" | "writes" | "stores"> = { accountReads: [], writes: [], stores: [] },
): Services {
  const operations = declaredOperations.toSorted(byPath);
  const datasets = unique(
    operations.flatMap(({ operation }) =>
      Object.values(operation.reads as Record<string, AnyDataset>).flatMap((dataset) => withIngredients(dataset)),
    ),
    (dataset) => dataset.name,
  );
  const stored = datasets.flatMap((dataset) =>
    dataset.kind === "collection" ? Object.values(dataset.parts).flatMap((part) => part.sources) : [],
  );
  const readOnDemand = operations.flatMap(({ operation }) =>
    Object.values((operation.fetches ?? {}) as Record<string, AnyOnDemand<never>>).flatMap(sourcesOf),
  );
  const sources = unique([...stored, ...readOnDemand], (source) => source.id);
  const quotas = unique(
    groups.flatMap((group) => group.quotas ?? []),
    (quota) => quota.name,
  );
  const budgets = unique(
    groups.flatMap((group) => group.budgets ?? []),
    (budget) => budget.name,
  );
  checkQuotas(operations, quotas);
  checkBudgets(sources, budgets);
  const settings = [...groups, ...operations.map(({ operation }) => operation), ...datasets].flatMap(
    (declaration) => declaration.settings ?? [],
  );
  const [feedCatalogue] = unique(
    groups.flatMap((group) => group.feedCatalogue ?? []),
    () => "the feed catalogue",
  );
  return {
    groups,
    operations,
    accountReads: ofAccounts.accountReads.toSorted(byPath),
    writes: ofAccounts.writes.toSorted(byPath),
    stores: ofAccounts.stores,
    datasets: datasets.filter(({ whileAskedForMs }) => whileAskedForMs === undefined),
    allDatasets: datasets,
    sources,
    settings: unique([...budgets.map(({ callsMax }) => callsMax), ...settings], (setting) => setting.name),
    quotas,
    pathLimits: unique(
      ofAccounts.writes.flatMap(({ write }) => write.limit ?? []),
      (limit) => limit.name,
    ),
    budgets,
    counters: unique(
      groups.flatMap((group) => group.counters ?? []),
      (counter) => counter.name,
    ),
    feedCatalogue,
  };
}

/**
 * A dataset and everything that it is built from, ingredients first. Throws where a product is built from itself, or from
 * a dataset that is not always built.
 */
function withIngredients(dataset: AnyDataset, path: readonly string[] = []): readonly AnyDataset[] {
  const names = [...path, dataset.name];
  if (path.includes(dataset.name))
    throw new Error(`the product ${dataset.name} is built from itself: ${names.join(", ")}`);
  const ingredients = ingredientsOf(dataset);
  const asleep = ingredients.find(({ whileAskedForMs }) => whileAskedForMs !== undefined);
  if (asleep)
    throw new Error(`the product ${dataset.name} reads ${asleep.name}, which is built only while it is asked for`);
  return [...ingredients.flatMap((ingredient) => withIngredients(ingredient, names)), dataset];
}

async function servicesIn(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function groupOf(root: string, service: string): Promise<RegisteredGroup> {
  const folder = join(root, service);
  const file = (await readdir(folder)).find((name) => /^service\.(?:ts|js)$/.test(name));
  if (file === undefined) throw new Error(`services/${service}/ has no service.ts; declare its serviceGroup() there`);
  const exports: Record<string, unknown> = await import(pathToFileURL(join(folder, file)).href);
  const [group] = Object.values(exports).filter(isServiceGroup);
  if (group === undefined) throw new Error(`services/${service}/service.ts exports no serviceGroup()`);
  return { ...group, service };
}

function byPosition(one: RegisteredGroup, other: RegisteredGroup): number {
  const [first, second] = [one, other].map(({ position = Number.MAX_SAFE_INTEGER }) => position);
  return (first ?? 0) - (second ?? 0) || one.name.localeCompare(other.name);
}

function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path.localeCompare(other.path);
}

async function operationsOf(root: string, service: string): Promise<RegisteredOperation[]> {
  const operations = await declarationsIn(root, service, "operations", isOperation);
  return operations.map((operation) => ({ service, path: pathOf(service, operation), operation }));
}

async function accountReadsOf(root: string, service: string): Promise<RegisteredAccountRead[]> {
  const reads = await declarationsIn(root, service, "operations", isAccountRead);
  return reads.map((read) => ({ service, path: pathOf(service, read), read }));
}

async function writesOf(root: string, service: string): Promise<RegisteredWrite[]> {
  const writes = await declarationsIn(root, service, "writes", isWrite);
  return writes.map((write) => ({ service, path: write.path ?? pathOf(service, write), write }));
}

const pathOf = (service: string, { rpc }: { readonly rpc: string }): string => `/api/${service}/v1/${rpc}`;

const DECLARATION_FILE = /^([a-z0-9-]+)\.(?:ts|js)$/;

/** Loads the declarations in a folder of a service: one per file, with the file's name. */
async function declarationsIn<T extends { readonly rpc: string }>(
  root: string,
  service: string,
  folder: string,
  isDeclared: (value: unknown) => value is T,
): Promise<T[]> {
  const path = join(root, service, folder);
  if (!existsSync(path)) return [];
  const files = (await readdir(path)).filter((file) => DECLARATION_FILE.test(file));
  const declared = await Promise.all(
    files.map(async (file) => {
      const exports: Record<string, unknown> = await import(pathToFileURL(join(path, file)).href);
      const declarations = Object.values(exports).filter(isDeclared);
      for (const { rpc } of declarations) {
        if (rpc === DECLARATION_FILE.exec(file)?.[1]) continue;
        throw new Error(`services/${service}/${folder}/${file} declares ${rpc}; name the file after it`);
      }
      return declarations;
    }),
  );
  return declared.flat();
}

function checkQuotas(operations: readonly RegisteredOperation[], quotas: readonly DailyQuota[]): void {
  for (const { service, operation } of operations) {
    const { rpc, dailyQuota } = operation;
    if (dailyQuota === undefined || quotas.includes(dailyQuota)) continue;
    throw new Error(`${rpc} has the quota ${dailyQuota.name}; declare it in services/${service}/service.ts`);
  }
}

function checkBudgets(sources: readonly AnySource[], budgets: readonly Budget[]): void {
  const names = new Set(budgets.map(({ name }) => name));
  for (const { id, budgets: charged = [] } of sources) {
    const unknown = charged.find((name) => !names.has(name));
    if (unknown !== undefined)
      throw new Error(`the source ${id} has the budget ${unknown}; declare it in its service.ts`);
  }
}

function unique<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  const byName = new Map<string, T>();
  for (const item of items) {
    const name = nameOf(item);
    const other = byName.get(name);
    if (other !== undefined && other !== item) throw new Error(`two declarations are called ${name}`);
    byName.set(name, item);
  }
  return [...byName.values()];
}
