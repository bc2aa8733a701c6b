import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { pino } from "pino";
import type { ThreadForm } from "../../src/app/builder-thread.js";
import { type Config, loadConfig } from "../../src/app/config.js";
import { openService, type Service } from "../../src/app/service.js";
import { openPipeline } from "../../src/app/service-pipeline.js";
import { failure } from "../../src/contract/failures.js";
import type { RegisteredLinkedFeed } from "../../src/contract/linked-feed.js";
import type { RegisteredOperation } from "../../src/contract/operation.js";
import type { AnyDataset } from "../../src/contract/product.js";
import { withIngredients } from "../../src/contract/product.js";
import type { RegisteredWrite } from "../../src/contract/write.js";
import type { Answer, IdentifiedAnswer } from "../../src/http/exchange.js";
import type { Pipeline } from "../../src/http/pipeline.js";
import type { RunResult } from "../../src/ingest/run.js";
import { MINUTE_MS, SECOND_MS } from "../../src/kit/clock.js";
import { type ManualClock, manualClock } from "../../src/kit/manual-clock.js";
import type { Limiter } from "../../src/limits/limiter.js";
import { feedCatalogue } from "../../src/services/news/catalogue/feed-catalogue.js";
import { publishedFeed } from "../../src/services/news/catalogue/published-feeds.js";
import { allFeeds } from "../../src/services/news/catalogue/topic-feeds.js";
import { loadServices, type Services } from "../../src/services/registry.js";
import { type Simulator, startSimulator } from "../../src/simulator/simulator.js";
import type { SimulatedUpstream } from "../../src/simulator/upstream.js";
import { unaccountedRows } from "../../src/snapshots/builds/build-account.js";
import { oncePerRun } from "./once-per-run.js";
import { probePorts } from "./probe-writes.js";
import { isSpread } from "./shape.js";
import { type OpenNode, openGround, openSpread, type SpreadGround } from "./spread-nodes.js";
import { copyMigratedStore } from "./stores.js";

/** The whole service in this process: real store, real client, simulated upstreams and a clock that the test moves. */
export interface Stack {
  readonly clock: ManualClock;
  readonly simulator: Simulator;
  readonly service: Service;
  readonly services: Services;
  readonly answer: Pipeline;
  /** Every path that the service answers. */
  readonly paths: readonly string[];
  readonly dataDir: string;
  /** A dataset by its name. */
  dataset(name: string): AnyDataset;
  /** Builds a dataset now. For a product, builds its ingredients first. */
  run(name: string): Promise<RunResult>;
  /** Builds only this dataset now. A product is built from its current ingredients. */
  runAlone(name: string): Promise<RunResult>;
  /** GET with these headers; default: the owner's key. */
  get(target: string, headers?: Readonly<Record<string, string>>): Promise<IdentifiedAnswer>;
  /** Stops the service and starts it again on the same store. */
  restart(): Promise<void>;
  /** Stops the service and keeps its store. */
  stop(): Promise<void>;
  /** Stops the service and removes its store. */
  close(): Promise<void>;
}

export interface StackOptions {
  readonly at?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** True to omit the keys that the simulated upstreams accept. */
  readonly keyless?: boolean;
  /** True to build in a thread. The thread runs the compiled code in `dist`. */
  readonly buildInThread?: boolean;
  /** False to publish builds that the publication gate would hold. */
  readonly gated?: boolean;
  /** Names of the available datasets; their ingredients are added. Default: all. */
  readonly datasets?: readonly string[];
  /**
   * Names of the datasets that are already built when the stack starts, or `all`. They were built at noon, from healthy
   * upstreams, with every key. The store is built once per test run and then copied.
   */
  readonly filled?: readonly string[] | "all";
  /** Services in addition to those of `src/services/`. */
  readonly added?: Services;
  /** Changes the declarations, as another version of the service would. */
  readonly altered?: (services: Services) => Services;
  /** Simulated upstreams in addition to those of the simulator. */
  readonly upstreams?: readonly SimulatedUpstream[];
  /** Base address of a server that takes the place of all upstreams; default: the simulator. */
  readonly upstreamBase?: string;
  /** Test-only operations in addition to those of the service. */
  readonly operations?: readonly RegisteredOperation[];
  /** Test-only linked feeds in addition to those of the service. */
  readonly linkedFeeds?: readonly RegisteredLinkedFeed[];
  /** Test-only writes in addition to those of the service. */
  readonly writes?: readonly RegisteredWrite[];
  /** Whether `/readyz` reports that the service is ready; default true. */
  readonly isReady?: boolean;
  /** The limiter to use, derived from the service's own. */
  readonly limiter?: (own: Limiter) => Limiter;
}

/**
 * The bundle of the builder thread. It is needed because the test runner does not transform the TypeScript of threads.
 */
const builtThread: ThreadForm = {
  code: pathToFileURL(resolve(import.meta.dirname, "../../dist/bin/builder-worker.js")),
  beatMs: SECOND_MS,
  heldMsMax: MINUTE_MS,
  heapMegabytesMax: 512,
};

const newsFeeds = feedCatalogue.map(publishedFeed);

/** Noon on a working day. The newest CPI month and the newest yield curve are already published at that time. */
export const NOON = Date.UTC(2026, 10, 18, 12);

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const dataDir = await mkdtemp(join(tmpdir(), "vigil-test-"));
  const filled = options.filled === undefined ? undefined : await filledStore(options.filled);
  if (filled === undefined) await copyMigratedStore(dataDir);
  else await cp(filled, dataDir, { recursive: true });
  // A test that sets its own DATABASE_URL always runs on a single node.
  if (!isSpread || options.env?.["DATABASE_URL"] !== undefined) return startStackOn(dataDir, options);
  return startNodes(dataDir, options, await openGround(filled));
}

/** Returns the folder of a store in which these datasets are built. Fills the folder once per test run. */
function filledStore(filled: NonNullable<StackOptions["filled"]>): Promise<string> {
  const key = filled === "all" ? filled : filled.toSorted().join();
  return oncePerRun(key, async (folder) => {
    const stack = await startStackOn(folder, filled === "all" ? {} : { datasets: filled });
    const names = filled === "all" ? stack.services.datasets.map(({ name }) => name) : filled;
    await stack.service.ingest.runAll(withIngredients(names.map((name) => stack.dataset(name))));
    await stack.stop();
  });
}

/** Starts a stack of one node on the store in `dataDir`. The stack's `close` removes this folder. */
export function startStackOn(dataDir: string, options: StackOptions): Promise<Stack> {
  return startNodes(dataDir, options, undefined);
}

async function startNodes(dataDir: string, options: StackOptions, ground: SpreadGround | undefined): Promise<Stack> {
  const {
    at = NOON,
    env = {},
    keyless = false,
    operations = [],
    linkedFeeds = [],
    writes = [],
    limiter = (own) => own,
  } = options;
  const clock = manualClock(at);
  const { upstreams = [] } = options;
  const simulated = { clock, seed: 1, newsFeeds, upstreams };
  const [own, simulator] = await Promise.all([loadServices(), startSimulator(simulated)]);
  const { altered = (services) => services } = options;
  const loaded = altered(options.added ? withAdded(own, options.added) : own);
  const available = loaded.allDatasets.filter(({ name }) => options.datasets?.includes(name) ?? true);
  const needed = withIngredients(available);
  const isThere = (dataset: AnyDataset): boolean => needed.includes(dataset);
  const services = {
    ...loaded,
    operations: [...loaded.operations, ...operations],
    linkedFeeds: [...loaded.linkedFeeds, ...linkedFeeds],
    writes: [...loaded.writes, ...writes],
    datasets: loaded.datasets.filter(isThere),
    allDatasets: loaded.allDatasets.filter(isThere),
  };
  const named = options.datasets && needed.map(({ name }) => name);
  const configOf = (ofNode: Readonly<Record<string, string>>): Config => {
    const plain = loadConfig({ ...feedsFor(named), ...env, ...ofNode }, []);
    return { ...plain, texts: { ...(!keyless && simulator.credentials), ...plain.texts } };
  };
  const log = pino({ level: "silent" });
  const feed = { upstreamBase: options.upstreamBase ?? simulator.baseUrl, gated: options.gated ?? true };
  const building = options.buildInThread ? { buildInThread: true, thread: builtThread } : {};
  const openNode: OpenNode = async (node = {}) => {
    const config = configOf(node.env ?? {});
    const own = { dataDir: node.dataDir ?? dataDir, ...(node.holder !== undefined && { holder: node.holder }) };
    const base = { config, services, log, clock: node.clock ?? clock };
    const { awaken = (own: Service) => own.awaken } = node;
    const service = await openService({ ...base, kind: "demo", ...own, ...feed, ...building });
    const served = {
      ...base,
      service: { ...service, limiter: limiter(service.limiter), awaken: awaken(service) },
      simulated: true,
      ports: probePorts,
    };
    return { service, ...openPipeline(served, () => options.isReady ?? true) };
  };
  const open = () => (ground === undefined ? openNode() : openSpread(openNode, { ground, dataDir, clock }));
  let running = await open();
  const dataset = (name: string): AnyDataset => {
    const match = services.allDatasets.find((candidate) => candidate.name === name);
    if (!match) throw new Error(`no dataset ${name}`);
    return match;
  };
  const stop = async (): Promise<void> => {
    await running.service.close();
    await simulator.close();
    await ground?.release();
  };
  return {
    clock,
    simulator,
    services,
    dataDir,
    get service() {
      return running.service;
    },
    get answer() {
      return running.answer;
    },
    get paths() {
      return [...running.routes.keys()];
    },
    dataset,
    run: async (name) => {
      const [result] = await running.service.ingest.runAll(withIngredients([dataset(name)]));
      return resultOf(name, result);
    },
    async runAlone(name) {
      const result = await running.service.ingest.runNow(dataset(name));
      return resultOf(name, result);
    },
    get: (target, headers = { "x-service-key": running.service.access.ownerKey.key ?? "" }) =>
      call(running.answer, "GET", target, headers),
    async restart() {
      await running.service.close();
      running = await open();
    },
    stop,
    async close() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The declarations of the service with the added ones, which have no account reads, writes or stores. */
function withAdded(own: Services, added: Services): Services {
  return {
    ...own,
    groups: [...own.groups, ...added.groups],
    operations: [...own.operations, ...added.operations],
    datasets: [...own.datasets, ...added.datasets],
    allDatasets: [...own.allDatasets, ...added.allDatasets],
    served: [...own.served, ...added.served],
    sources: [...own.sources, ...added.sources],
  };
}

/** Returns the result of a build. Throws if rows of a part are neither stored nor accounted for. */
function resultOf(name: string, result: RunResult | undefined): RunResult {
  if (!result) throw new Error(`${name} is being built by another holder`);
  for (const [part, account] of Object.entries(result.generation?.account ?? {})) {
    const difference = unaccountedRows(account);
    if (difference !== 0)
      throw new Error(`${name}: ${difference} rows of ${part} are neither stored nor accounted for`);
  }
  return result;
}

/**
 * Returns the setting that removes feeds not needed by the named datasets. If no name is a digest, the setting
 * removes the feeds that only digests use. If all named digests are English, it removes the feeds that only digests in
 * other languages use. If a named digest is in another language, no feed is removed. Without names, the setting is the
 * same as for an English digest.
 */
function feedsFor(names: readonly string[] = ["digest-full-en"]): Readonly<Record<string, string>> {
  if (names.some((name) => /^digest-[a-z]+-(?!en$)/.test(name))) return {};
  const isEnglish = names.some((name) => name.startsWith("digest-"));
  const unused = allFeeds.filter(
    ({ hasAllTexts, language, byDefault }) =>
      hasAllTexts !== true && !(isEnglish && (language === undefined || byDefault === true)),
  );
  return { VIGIL_FEEDS: JSON.stringify({ remove: unused.map(({ id }) => id) }) };
}

interface CallOptions {
  readonly body?: string | Buffer;
  /** The caller's address. */
  readonly from?: string;
  readonly signal?: AbortSignal;
}

/** Sends a call in process. The names in `headers` must be in lower case. */
export async function call(
  answer: Pipeline,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  { body = "", from = "127.0.0.1", signal }: CallOptions = {},
): Promise<IdentifiedAnswer> {
  return answer({
    method,
    target,
    remoteAddress: from,
    ...(signal && { signal }),
    header: (name) => headers[name] || undefined,
    hasHeader: (name) => name in headers,
    body: async (bytesMax) => {
      if (Buffer.byteLength(body) > bytesMax) throw failure("payloadTooLarge", null);
      return Buffer.from(body);
    },
  });
}

/** The parsed JSON of an answer. */
export function json(answer: Answer): unknown {
  return JSON.parse(String(answer.body));
}
