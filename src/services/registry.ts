import { isAccountRead, type RegisteredAccountRead } from "../contract/account-read.js";
import type { FeedCatalogue } from "../contract/feed-catalogue.js";
import { isLinkedFeed, type RegisteredLinkedFeed } from "../contract/linked-feed.js";
import { type AnyOnDemand, sourcesOf } from "../contract/on-demand.js";
import { isOperation, type RegisteredOperation } from "../contract/operation.js";
import type { AnyDataset } from "../contract/product.js";
import { ingredientsOf } from "../contract/product.js";
import type { ServiceCounter } from "../contract/service-counter.js";
import { type Budget, type DailyQuota, isServiceGroup, type RegisteredGroup } from "../contract/service-group.js";
import type { Setting } from "../contract/setting.js";
import type { AnySource } from "../contract/source.js";
import { isStream, type RegisteredStream, STREAM_PREFIX } from "../contract/stream.js";
import { isWrite, type PathLimit, type RegisteredWrite } from "../contract/write.js";
import { isServiceStore, type RegisteredStore } from "../database/service-store.js";
import type { ModuleFolder } from "../kit/module-folder.js";
import { serviceModules } from "../kit/service-modules.js";

/** All declarations in the folder of services. */
export interface Services {
  /** In the order of the contract. Groups that the contract does not list come last. */
  readonly groups: readonly RegisteredGroup[];
  readonly operations: readonly RegisteredOperation[];
  readonly accountReads: readonly RegisteredAccountRead[];
  readonly streams: readonly RegisteredStream[];
  readonly linkedFeeds: readonly RegisteredLinkedFeed[];
  readonly writes: readonly RegisteredWrite[];
  /** The stores of services: their tables, and the ports that give access to the tables. */
  readonly stores: readonly RegisteredStore[];
  /** The datasets that are always built. */
  readonly datasets: readonly AnyDataset[];
  /** All datasets, including those that are built only on request. */
  readonly allDatasets: readonly AnyDataset[];
  /** The datasets that operations and jobs read directly. All other datasets are ingredients of these datasets. */
  readonly served: readonly AnyDataset[];
  readonly sources: readonly AnySource[];
  /** Settings of the services. */
  readonly settings: readonly Setting<unknown>[];
  readonly quotas: readonly DailyQuota[];
  /** Limits for individual paths. */
  readonly pathLimits: readonly PathLimit[];
  readonly budgets: readonly Budget[];
  readonly counters: readonly ServiceCounter[];
  readonly feedCatalogue: FeedCatalogue | undefined;
}

/** Loads every service group from `<service>/service.ts`, without its operations. */
export async function loadServiceGroups(modules: ModuleFolder = serviceModules): Promise<readonly RegisteredGroup[]> {
  const paths = await modules.paths();
  const services = new Set(paths.map((path) => path.slice(0, path.indexOf("/"))));
  const groups = await Promise.all([...services].map((service) => groupOf(modules, paths, service)));
  return groups.sort(byPosition);
}

/**
 * Loads every operation, account read, stream, feed and write from its file, `<service>/operations/<rpc-name>.ts` or
 * `<service>/writes/<rpc-name>.ts`. Datasets and sources are found through the operations and jobs that read them.
 * Throws if the name of a file differs from that of its declaration, and for the same reasons as `servicesOf`.
 */
export function loadServices(modules: ModuleFolder = serviceModules): Promise<Services> {
  if (modules !== serviceModules) return servicesIn(modules);
  // The files are loaded once, because they do not change while the process runs.
  own ??= servicesIn(serviceModules);
  return own;
}

let own: Promise<Services> | undefined;

async function servicesIn(modules: ModuleFolder): Promise<Services> {
  const groups = await loadServiceGroups(modules);
  const [operations, accountReads, streams, linkedFeeds, writes, stores] = await Promise.all([
    declarationsIn(modules, groups, "operations", isOperation),
    declarationsIn(modules, groups, "operations", isAccountRead),
    loadStreams(groups, modules),
    declarationsIn(modules, groups, "operations", isLinkedFeed),
    declarationsIn(modules, groups, "writes", isWrite),
    loadStores(modules),
  ]);
  return servicesOf(
    groups,
    operations.map(({ service, declared }) => ({ service, path: pathOf(service, declared.rpc), operation: declared })),
    {
      accountReads: accountReads.map(({ service, declared }) => ({
        service,
        path: pathOf(service, declared.rpc),
        read: declared,
      })),
      streams,
      linkedFeeds: linkedFeeds.map(({ service, declared }) => ({
        service,
        path: pathOf(service, declared.rpc),
        feed: declared,
      })),
      writes: writes.map(({ service, declared }) => ({
        service,
        path: declared.path ?? pathOf(service, declared.rpc),
        write: declared,
      })),
      stores,
    },
  );
}

function pathOf(service: string, rpc: string): string {
  return `/api/${service}/v1/${rpc}`;
}

/**
 * Loads the streams of these groups from `<service>/operations/stream-….ts`. Operations in the same folder are not
 * loaded.
 */
export async function loadStreams(
  groups: readonly RegisteredGroup[],
  modules: ModuleFolder = serviceModules,
): Promise<readonly RegisteredStream[]> {
  const files = (await modules.paths()).filter((path) => path.includes(`/${STREAM_PREFIX}`));
  const streams = await declarationsIn({ ...modules, paths: async () => files }, groups, "operations", isStream);
  return streams.map(({ service, declared }) => ({ service, path: pathOf(service, declared.rpc), stream: declared }));
}

/** Loads the stores of all services from `<service>/store/store.ts`. */
export async function loadStores(modules: ModuleFolder = serviceModules): Promise<readonly RegisteredStore[]> {
  const paths = (await modules.paths()).filter((path) => /^[^/]+\/store\/store\.[jt]s$/.test(path));
  return Promise.all(
    paths.map(async (path) => {
      const [store] = Object.values(await modules.load(path)).filter(isServiceStore);
      if (store === undefined) throw new Error(`services/${path} exports no serviceStore()`);
      return { service: path.slice(0, path.indexOf("/")), store };
    }),
  );
}

/**
 * Collects the declarations of services, and the datasets and sources that their operations and jobs use. Throws if two
 * declarations share a name, if no group declares the quota of an operation or the budget of a source, or if
 * `withIngredients` throws.
 */
export function servicesOf(
  groups: readonly RegisteredGroup[],
  declaredOperations: readonly RegisteredOperation[],
  ofAccounts: Partial<Pick<Services, "accountReads" | "streams" | "linkedFeeds" | "writes" | "stores">> = {},
): Services {
  const { accountReads = [], streams = [], linkedFeeds = [], writes = [], stores = [] } = ofAccounts;
  const operations = declaredOperations.toSorted(byPath);
  const jobs = stores.flatMap(({ store }) => store.jobs ?? []);
  const served = unique(
    [...operations.map(({ operation }) => operation), ...jobs].flatMap(({ reads }) =>
      Object.values(reads as Record<string, AnyDataset>),
    ),
    (dataset) => dataset.name,
  );
  const datasets = unique(
    served.flatMap((dataset) => withIngredients(dataset)),
    (dataset) => dataset.name,
  );
  const stored = datasets.flatMap((dataset) =>
    dataset.kind === "collection" ? Object.values(dataset.parts).flatMap((part) => part.sources) : [],
  );
  const readOnDemand = operations.flatMap(({ operation }) =>
    Object.values((operation.fetches ?? {}) as Record<string, AnyOnDemand<never>>).flatMap(sourcesOf),
  );
  const readByJobs = jobs.flatMap(({ fetches = [] }) => fetches.flatMap(sourcesOf));
  const sources = unique([...stored, ...readOnDemand, ...readByJobs], (source) => source.id);
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
    accountReads: accountReads.toSorted(byPath),
    streams: streams.toSorted(byPath),
    linkedFeeds: linkedFeeds.toSorted(byPath),
    writes: writes.toSorted(byPath),
    stores,
    datasets: datasets.filter(({ awakeForMs }) => awakeForMs === undefined),
    allDatasets: datasets,
    served,
    sources,
    settings: unique([...budgets.map(({ callsMax }) => callsMax), ...settings], (setting) => setting.name),
    quotas,
    pathLimits: unique(
      writes.flatMap(({ write }) => write.limit ?? []),
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
 * Returns a dataset, preceded by everything that it is built from. Throws if a product is built from itself, or from a
 * dataset that is built only on request.
 */
function withIngredients(dataset: AnyDataset, path: readonly string[] = []): readonly AnyDataset[] {
  const names = [...path, dataset.name];
  if (path.includes(dataset.name))
    throw new Error(`the product ${dataset.name} is built from itself: ${names.join(", ")}`);
  const ingredients = ingredientsOf(dataset);
  const asleep = ingredients.find(({ awakeForMs }) => awakeForMs !== undefined);
  if (asleep) throw new Error(`the product ${dataset.name} reads ${asleep.name}, which is built only on request`);
  return [...ingredients.flatMap((ingredient) => withIngredients(ingredient, names)), dataset];
}

async function groupOf(modules: ModuleFolder, paths: readonly string[], service: string): Promise<RegisteredGroup> {
  const path = paths.find(
    (candidate) => candidate === `${service}/service.ts` || candidate === `${service}/service.js`,
  );
  if (path === undefined) throw new Error(`services/${service}/ has no service.ts; declare its serviceGroup() there`);
  const [group] = Object.values(await modules.load(path)).filter(isServiceGroup);
  if (group === undefined) throw new Error(`services/${path} exports no serviceGroup()`);
  return { ...group, service };
}

function byPosition(a: RegisteredGroup, b: RegisteredGroup): number {
  const [first, second] = [a, b].map(({ position = Number.MAX_SAFE_INTEGER }) => position);
  return (first ?? 0) - (second ?? 0) || a.name.localeCompare(b.name);
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path.localeCompare(b.path);
}

/**
 * Loads the declarations in one folder of every group. Throws if the name of a declaration differs from that of its
 * file.
 */
async function declarationsIn<T extends { readonly rpc: string }>(
  modules: ModuleFolder,
  groups: readonly RegisteredGroup[],
  folder: string,
  isDeclared: (value: unknown) => value is T,
): Promise<readonly { readonly service: string; readonly declared: T }[]> {
  const paths = await modules.paths();
  const files = groups.flatMap(({ service }) => {
    const start = `${service}/${folder}/`;
    return paths
      .filter((path) => path.startsWith(start))
      .map((path) => ({ service, path, file: path.slice(start.length) }));
  });
  const declarations = await Promise.all(
    files.map(async ({ service, path, file }) => {
      const declarations = Object.values(await modules.load(path)).filter(isDeclared);
      for (const { rpc } of declarations) {
        if (rpc !== file.replace(/\.[jt]s$/, ""))
          throw new Error(`services/${path} declares ${rpc}; name the file after it`);
      }
      return declarations.map((declared) => ({ service, declared }));
    }),
  );
  return declarations.flat();
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
      throw new Error(`the source ${id} has the budget ${unknown}; declare the budget in the source's service.ts`);
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
