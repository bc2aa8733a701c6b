import type { AnyDataset } from "../contract/product.js";
import { settingReader } from "../contract/setting.js";
import type { AnySource } from "../contract/source.js";
import { type BudgetStore, budgetStore } from "../database/budgets.js";
import { leases, newHolder } from "../database/leases.js";
import type { OpenDatabase } from "../database/open-database.js";
import type { StoreKind } from "../database/store-mark.js";
import type { ReadRows } from "../ingest/read-rows.js";
import type { PlannedRequest } from "../ingest/requests.js";
import type { RunResult } from "../ingest/run.js";
import { runDataset } from "../ingest/run-dataset.js";
import { createIngest, type Ingest, type KnownRuns } from "../ingest/scheduler.js";
import type { ReadingTools } from "../ingest/source-reading.js";
import { createTokens } from "../ingest/tokens.js";
import type { WorkQueue } from "../ingest/work-queue.js";
import type { Clock } from "../kit/clock.js";
import { systemRandom } from "../kit/random.js";
import { turnstile } from "../kit/turnstile.js";
import type { Services } from "../services/registry.js";
import { ingredientStore } from "../snapshots/builds/ingredients.js";
import type { RequestBoard } from "../snapshots/builds/request-board.js";
import type { SnapshotStore } from "../snapshots/store.js";
import type { UpstreamClient } from "../upstream/answer.js";
import type { HostLimits } from "../upstream/host-gate.js";
import type { Config } from "./config.js";
import { sourceSettings } from "./source-settings.js";
import { version } from "./version.js";

/** Options for requests to upstreams and for storing their answers. */
export interface FeedOptions {
  readonly config: Config;
  readonly kind: StoreKind;
  readonly services: Services;
  readonly clock: Clock;
  /** Base address that replaces the addresses of the upstreams. */
  readonly upstreamBase: string | undefined;
  /**
   * True if gates check the builds. False only for builds from recorded payloads, which contain only a part of the
   * upstream's data.
   */
  readonly gated: boolean;
}

export interface BuilderParts {
  readonly database: OpenDatabase;
  readonly store: SnapshotStore;
  readonly runs: KnownRuns;
  readonly requests: RequestBoard;
  readonly onRun: (dataset: AnyDataset, result: RunResult) => void;
  /** `dataset` is undefined for a fault that concerns several datasets. */
  readonly onFault: (dataset: AnyDataset | undefined, error: unknown) => void;
  /** Called right before an answer is read, and with undefined right after. */
  readonly onReading?: (work: ReadingWork | undefined) => void;
  /** Name of the holder of build leases. Default: a new unique name. */
  readonly holder?: string;
  /**
   * True if this builder replaces a lost one. Datasets whose last run failed then wait until they are due, instead of
   * being built immediately.
   */
  readonly isReplacement?: boolean;
  /** Chooses the node that builds a due dataset. Default: this node. */
  readonly queue?: WorkQueue;
}

/** The answer that is being read, and the dataset that it is read for. */
export interface ReadingWork {
  readonly dataset: string;
  readonly source: string;
  /** Key of the request. */
  readonly request: string;
}

/** The part that sends requests to upstreams and builds datasets, in any thread or process. */
export interface Builder {
  readonly ingest: Ingest;
  readonly reading: ReadingTools;
  /** The budgets for calls to upstreams that charge per call. `reading` spends them. */
  readonly budgets: BudgetStore;
  /** Ends the work in progress, then the connections to upstreams. */
  close(): Promise<void>;
}

export function createBuilder(options: FeedOptions, parts: BuilderParts): Builder {
  const client = lazyClient(options);
  const budgets = budgetStore(parts.database, options.clock, budgetsOf(options));
  const reading = readingTools(options, client, budgets);
  const ingredients = ingredientStore(parts.store);
  const ingest = createIngest({
    clock: options.clock,
    leases: leases(parts.database, options.clock),
    holder: parts.holder ?? newHolder(),
    isReplacement: parts.isReplacement === true,
    ...(parts.queue && { queue: parts.queue }),
    datasets: options.services.allDatasets,
    runs: parts.runs,
    requests: parts.requests,
    run: (dataset, run) => {
      const readRows = rowReader(options.clock, (source, request) => {
        parts.onReading?.({ dataset: dataset.name, source: source.id, request: request.key });
        return () => parts.onReading?.(undefined);
      });
      const tools = { ...reading, readRows, store: parts.store, ingredients, random: systemRandom };
      return runDataset(tools, dataset, { ...run, gated: options.gated });
    },
    onRun: parts.onRun,
    onFault: parts.onFault,
  });
  return {
    ingest,
    reading,
    budgets,
    async close() {
      await ingest.stop();
      await client.close();
    },
  };
}

/**
 * Returns a client that is created on first use, because loading its modules takes longer than starting the rest of the
 * service.
 */
export function lazyClient(options: Pick<FeedOptions, "config" | "clock" | "upstreamBase" | "kind">): UpstreamClient {
  const acceptSimulated = options.kind === "demo";
  let client: Promise<UpstreamClient> | undefined;
  return {
    async fetch(request, call) {
      client ??= upstreamClient({ ...options, acceptSimulated });
      return (await client).fetch(request, call);
    },
    close: async () => (await client)?.close(),
  };
}

export interface ClientOptions extends Pick<FeedOptions, "config" | "clock" | "upstreamBase"> {
  readonly acceptSimulated: boolean;
  readonly limits?: HostLimits;
}

/** Creates the client for upstreams from the settings. */
export async function upstreamClient(options: ClientOptions): Promise<UpstreamClient> {
  const { config, clock, upstreamBase, acceptSimulated, limits } = options;
  const { createUpstreamClient } = await import("../upstream/client.js");
  return createUpstreamClient({
    clock,
    ...outgoing(config),
    acceptSimulated,
    ...(limits !== undefined && { limits }),
    allowPrivate: config.upstreamPrivate,
    ...(upstreamBase !== undefined && { rewriteBase: upstreamBase }),
  });
}

/** The user agent, proxies and certificates of all outgoing requests. */
export function outgoing(config: Config) {
  const contact = config.userAgentContact === undefined ? "" : ` (${config.userAgentContact})`;
  const proxy = {
    ...(config.httpProxy !== undefined && { http: config.httpProxy }),
    ...(config.httpsProxy !== undefined && { https: config.httpsProxy }),
    ...(config.noProxy !== undefined && { noProxy: config.noProxy }),
  };
  return {
    userAgent: `vigil/${version}${contact}`,
    proxy,
    ...(config.extraCa !== undefined && { extraCa: config.extraCa }),
  };
}

function budgetsOf({ config: { texts, billingCycleDay }, services }: FeedOptions) {
  const setting = settingReader(texts);
  const unitsMax = Object.fromEntries(services.budgets.map(({ name, callsMax }) => [name, setting(callsMax)]));
  return { unitsMax, cycleDay: billingCycleDay };
}

/** Creates the tools that read sources. The decoders run in this thread. */
export function readingTools(
  { config, services, clock }: Pick<FeedOptions, "config" | "services" | "clock">,
  client: UpstreamClient,
  budgets: ReadingTools["budgets"],
): ReadingTools {
  return {
    clock,
    client,
    budgets,
    tokens: createTokens(clock),
    largeAnswers: turnstile(),
    readRows: rowReader(clock, () => () => undefined),
    settingOf: settingReader(config.texts),
    ...sourceSettings(services.sources, config),
    version,
  };
}

/**
 * Creates the function that reads the rows of an answer. This function calls `begin` right before it reads the rows.
 * Right after reading, it calls the function that `begin` has returned. Between these two calls, the thread does
 * nothing else. The decoders and the schema compiler are loaded when the first answer is read, so that the start does
 * not wait for them.
 */
function rowReader(clock: Clock, begin: (source: AnySource, request: PlannedRequest) => () => void): ReadRows {
  let reading: Promise<typeof import("../ingest/read-rows.js")> | undefined;
  return async (source, request, bytes, contentType) => {
    reading ??= import("../ingest/read-rows.js");
    const { preparedBody, readRows } = await reading;
    const body = await preparedBody(request, bytes);
    const end = begin(source, request);
    try {
      return readRows(source, request, body, contentType, clock.now());
    } finally {
      end();
    }
  };
}
