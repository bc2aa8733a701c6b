import { audit } from "../access/audit-log.js";
import { planEventsOf } from "../access/plan-events.js";
import { waitMsMax } from "../contract/answer-time.js";
import { batchRunner } from "../contract/batch.js";
import { changeLogs } from "../contract/change-log.js";
import { loopTurns } from "../contract/loop-turns.js";
import { type ReadSetting, settingReader } from "../contract/setting.js";
import { storedAnswers } from "../contract/stored-answers.js";
import { isSigned, type RegisteredWrite } from "../contract/write.js";
import { proofKeys } from "../database/proof-keys.js";
import { openLogs, type StorePort } from "../database/service-store.js";
import { accountPorts } from "../http/account/account-ports.js";
import { accountPaths, accountRoutes } from "../http/account/account-routes.js";
import type { AccountParts } from "../http/account/parts.js";
import { Admission } from "../http/admission.js";
import { answerCache } from "../http/answer-cache.js";
import { batchRunnerOf } from "../http/batch.js";
import { type CallLimits, callLimits, limitTable, subjectOf } from "../http/call-limits.js";
import { type ClientAddress, clientAddress } from "../http/client-address.js";
import type { OriginPolicy } from "../http/cors.js";
import type { DataAnswerParts } from "../http/data-answer/data-answer.js";
import { listChangesCache } from "../http/data-answer/list-changes.js";
import { deniedWrites } from "../http/denied-writes.js";
import { POLICY_PATH } from "../http/documents/routes.js";
import { heldSigner } from "../http/held-signer.js";
import { createMetrics, type Metrics } from "../http/metrics.js";
import { cursorsOf } from "../http/paging.js";
import { type Pipeline, pipeline } from "../http/pipeline.js";
import type { ServiceFacts } from "../http/platform/facts.js";
import { isOfEveryNode, platformRoutes } from "../http/platform/routes.js";
import { type PortParts, type Provider, portOpener, provide } from "../http/ports.js";
import { nothingDeclared, type RouteTable, routeTable } from "../http/routes.js";
import { answerSigning } from "../http/signed-answer.js";
import { addressBlock } from "../kit/address-block.js";
import type { Clock } from "../kit/clock.js";
import { requestIds } from "../kit/request-ids.js";
import { LimiterLost } from "../limits/limiter.js";
import type { Services } from "../services/registry.js";
import { datasetHistory } from "../snapshots/history/dataset-history.js";
import { revisionReader } from "../snapshots/history/revision-reader.js";
import { budgetUses } from "./budget-uses.js";
import { type Config, configured } from "./config.js";
import type { Logger } from "./log.js";
import { mcpPath, mcpRoute } from "./mcp.js";
import { minuteLimit } from "./minute-limit.js";
import { projector } from "./projector.js";
import type { Service } from "./service.js";
import { storeFigures } from "./store-figures.js";
import { version } from "./version.js";

export interface ServeOptions {
  readonly config: Config;
  readonly service: Service;
  readonly services: Services;
  readonly clock: Clock;
  readonly log: Logger;
  readonly simulated: boolean;
  /**
   * Given the function that returns the metrics of this process, returns the function for the served metrics. Default:
   * the metrics of this process are served.
   */
  readonly metricsOf?: (own: () => Promise<string>) => () => Promise<string>;
  /** Additional ports, for tests that cover all writes. */
  readonly ports?: readonly Provider[];
}

/** The pipeline of an open service, and the paths that it answers. */
export interface ServedPipeline {
  readonly answer: Pipeline;
  readonly routes: RouteTable;
}

/** Creates the pipeline of an open service; see `openPipeline`. */
export function servicePipeline(options: ServeOptions, isReady: () => boolean, loopDelayMs?: () => number): Pipeline {
  return openPipeline(options, isReady, loopDelayMs).answer;
}

/**
 * Creates the pipeline of an open service, and the table of its paths. `/readyz` answers 503 while `isReady` returns
 * false or the store is in trouble. Calls are shed if the event loop delays them too long. `loopDelayMs` returns this
 * delay. Default: 0, for a pipeline without a server.
 */
export function openPipeline(
  options: ServeOptions,
  isReady: () => boolean,
  loopDelayMs: () => number = () => 0,
): ServedPipeline {
  const { config, service, clock, log } = options;
  const common = commonParts(options, loopDelayMs);
  const { account, limits, onFault, seenAddress, settingOf } = common;
  const self = (): Pipeline => answer;
  const ports = portParts(options, common, self);
  const keys = proofKeys(service.storeParts);
  const routes = routesOf(options, common, { isReady, keys, pipeline: self });
  const noteDenied = deniedWrites({
    clock,
    addressOf: account.addressOf,
    audit: (event) => audit(service.database.db, event),
  });
  const answer: Pipeline = pipeline({
    ...dataParts(options, common),
    routes,
    origins: originPolicy(config),
    authenticator: service.access.authenticator,
    publicReads: config.publicReads,
    limits,
    admission: common.admission,
    clientAddress: seenAddress,
    ports,
    streams: { streams: service.streams, logs: openLogs(service.logs, service.database.db) },
    feeds: { origin: ownOrigin(config) },
    writes: {
      ...ports,
      settingOf,
      isHttps: config.publicUrl?.startsWith("https:") ?? false,
      idempotency: service.idempotency,
      onFault,
    },
    sign: answerSigning({ clock, signer: heldSigner({ clock, read: keys.signer, onFault }) }),
    policyUrl: new URL(POLICY_PATH, config.publicUrl ?? `http://${config.host}:${config.port}`).href,
    newRequestId: requestIds(),
    onDenied: (exchange, refused) => noteDenied(exchange, refused).catch(onFault),
    onAnswer: ({ requestId, call, path, route, isShed }, { status }, durationMs) => {
      if (isShed) common.metrics.observeShed(path);
      else common.metrics.observe(path, status, durationMs);
      if (route?.kind === "write" && status < 300) service.noteWrite();
      if (log.isLevelEnabled("debug"))
        log.debug({ requestId, method: call.method, path, status, durationMs }, "answered");
    },
    onError: ({ requestId, path }, error) => log.error({ requestId, path, err: error }, "a request failed"),
  });
  return { answer, routes };
}

/** The declarations of the served paths, without those that are switched off. */
type DeclaredPaths = Pick<Services, "operations" | "accountReads" | "streams" | "linkedFeeds" | "writes">;

/** The parts of this process that several parts of the pipeline share. */
interface CommonParts {
  readonly onFault: (error: unknown) => void;
  readonly settingOf: ReadSetting;
  readonly limits: CallLimits;
  readonly seenAddress: ClientAddress;
  readonly account: AccountParts;
  readonly declared: DeclaredPaths;
  readonly admission: Admission;
  readonly figures: ReturnType<typeof storeFigures>;
  readonly metrics: Metrics;
}

function commonParts(options: ServeOptions, loopDelayMs: () => number): CommonParts {
  const { config, service, services, clock, log } = options;
  const onFault = (error: unknown): void => log.error({ err: error }, "an error outside a request");
  const limits = callLimits(
    service.limiter,
    configured(() => limitTable(config.limits, services.quotas, services.pathLimits)),
    clock.now,
    (error) => {
      if (!(error instanceof LimiterLost)) onFault(error);
    },
  );
  const seenAddress = configured(() => clientAddress(config.trustedProxies));
  const settingOf = settingReader(config.texts);
  const declared = switchedOn(services, settingOf);
  const { operations, accountReads, streams, linkedFeeds, writes } = declared;
  const calls = config.role === "ingest" ? [] : [...operations, ...accountReads, ...streams, ...linkedFeeds, ...writes];
  const { callsMax, callsPerAccount: perCallerMax, loopDelayMs: loopDelayMsMax } = config;
  const admission = new Admission({ callsMax, perCallerMax, loopDelayMsMax }, loopDelayMs);
  const figures = storeFigures(services.stores, service.storeParts, service.watch, clock);
  const { registry, counts } = service;
  return {
    onFault,
    settingOf,
    limits,
    seenAddress,
    account: accountParts(options, limits, seenAddress),
    declared,
    admission,
    figures,
    metrics: createMetrics(calls, registry, clock, counts, figures, service.streams, admission),
  };
}

/** The parts of the pipeline that answer from snapshots. */
function dataParts(
  { config, service, clock, simulated }: ServeOptions,
  { onFault, seenAddress, settingOf }: CommonParts,
): DataAnswerParts {
  const cacheBytes = config.answerCacheMb * 1_000_000;
  const pastReads = minuteLimit("past-reads", config.pastReadsPerMinute);
  return {
    clock,
    registry: service.registry,
    cache: answerCache(cacheBytes),
    past: service.past,
    pastCache: answerCache(cacheBytes / 4),
    listChanges: listChangesCache(cacheBytes / 8),
    newestStored: async (dataset) => (await service.store.newest(dataset))?.generation ?? 0,
    chargePastRead(caller) {
      pastReads.check(caller);
      pastReads.use(caller, 1);
    },
    project: projector(
      {
        fuelMax: config.projectionFuel,
        fuelPerMinuteMax: config.projectionFuelPerMinute,
        perCallerMax: config.projectionsPerCaller,
      },
      service.turns,
    ),
    workerOf: ({ principal, call }) =>
      principal && principal.kind !== "anonymous"
        ? subjectOf(principal)
        : addressBlock(seenAddress(call.remoteAddress, call.header("x-forwarded-for"))),
    readOnDemand: service.onDemand.read,
    awaken: service.awaken,
    cursors: cursorsOf(service.signer),
    settingOf,
    version,
    simulated,
    origin: ownOrigin(config),
    revisions: revisionReader(service.database.db, service.turns),
    turns: service.turns,
    onFault,
  };
}

/** The ports that account reads, linked feeds and writes can use. */
function portParts(options: ServeOptions, common: CommonParts, self: () => Pipeline): PortParts {
  const { service, services, clock } = options;
  const { account, declared, onFault, settingOf } = common;
  const waits = new Map(services.operations.map(({ path, operation }) => [path, waitMsMax(operation, settingOf)]));
  const batch = { pipeline: self, clock, waitMsMax: (path: string) => waits.get(path) ?? 0, onFault };
  const providers = [
    ...accountPorts(account),
    provide(batchRunner, (call) => batchRunnerOf(batch, call)),
    ...services.stores.flatMap(({ store }) => store.ports(service.storeParts).map(storeProvider)),
    provide(storedAnswers, () => service.jobParts.answers),
    provide(loopTurns, () => service.jobParts.turns),
    provide(changeLogs, ({ db }) => openLogs(service.logs, db)),
    ...(options.ports ?? []),
  ];
  const openPorts = portOpener(providers, [
    ...declared.accountReads.map(({ read }) => read),
    ...declared.linkedFeeds.map(({ feed }) => feed),
    ...declared.writes.map(({ write }) => write),
  ]);
  return { clock, db: service.database.db, openPorts, addressOf: account.addressOf };
}

interface RouteTools {
  readonly isReady: () => boolean;
  readonly keys: ReturnType<typeof proofKeys>;
  readonly pipeline: () => Pipeline;
}

/**
 * Builds the table of all paths: declared paths, platform paths, account paths and the path of the Model Context
 * Protocol. A process that only ingests has only the platform paths that every process answers.
 */
function routesOf(options: ServeOptions, common: CommonParts, { isReady, keys, pipeline }: RouteTools): RouteTable {
  const { config, service, services, clock } = options;
  const { account, declared, figures, metrics, onFault, seenAddress } = common;
  const platform = platformRoutes({
    ...declared,
    groups: services.groups,
    elsewhere: [...accountPaths, mcpPath],
    registry: service.registry,
    history: datasetHistory(service.database.db, service.turns),
    signer: service.signer,
    clock,
    origin: ownOrigin(config),
    securityContacts: config.securityContact,
    onFault,
    facts: {
      ...factsOf(options),
      onDemand: service.onDemand.outcomes,
      budgets: budgetUses(service.budgets, service.watch, clock),
      figures,
    },
    metrics: { ...metrics, text: options.metricsOf?.(metrics.text) ?? metrics.text },
    proofKeys: keys.published,
    metricsPublic: config.metricsPublic,
    clientAddress: seenAddress,
    notReady: () => (isReady() ? service.watch.trouble() : "the service is starting or stopping"),
  });
  if (config.role === "ingest") return routeTable(nothingDeclared, platform.filter(isOfEveryNode));
  const mcp = mcpRoute({ ...declared, datasets: services.allDatasets, pipeline, turns: service.turns, onFault });
  return routeTable(declared, [...platform, ...accountRoutes(account.tokens), mcp]);
}

function accountParts({ service, clock }: ServeOptions, limits: CallLimits, seen: ClientAddress): AccountParts {
  const { access, database } = service;
  const { accounts, credentials, tokens, callerOf } = access;
  return {
    database,
    accounts,
    credentials,
    tokens,
    callerOf,
    limits,
    planEvents: planEventsOf(database, clock.now),
    clock,
    addressOf: ({ call }) => seen(call.remoteAddress, call.header("x-forwarded-for")),
  };
}

/** Provides a port of a service's store. */
function storeProvider({ port, open }: StorePort): Provider {
  return {
    port,
    open: ({ exchange: { principal }, actor, address, db }) => open({ principal, actor, address, db }),
  };
}

/**
 * Returns the declared paths that are served. Leaves out the account reads, streams, feeds and writes of groups that
 * are switched off (except those in the group's `stays`), and the writes whose signing secret is not set.
 */
function switchedOn(
  { groups, operations, accountReads, streams, linkedFeeds, writes }: Services,
  settingOf: ReadSetting,
): DeclaredPaths {
  const off = new Map(
    groups.flatMap(({ service, switchedBy }) =>
      switchedBy && !settingOf(switchedBy.setting) ? [[service, switchedBy.stays] as const] : [],
    ),
  );
  const isOn = (service: string, rpc: string): boolean => off.get(service)?.includes(rpc) ?? true;
  return {
    operations,
    accountReads: accountReads.filter(({ service, read }) => isOn(service, read.rpc)),
    streams: streams.filter(({ service, stream }) => isOn(service, stream.rpc)),
    linkedFeeds: linkedFeeds.filter(({ service, feed }) => isOn(service, feed.rpc)),
    writes: writes.filter((registered) => {
      const { service, write } = registered;
      return isOn(service, write.rpc) && isTaken(registered, settingOf);
    }),
  };
}

/** Returns false for a write that requires signed calls if the signing secret is not set. */
function isTaken({ write: { access } }: RegisteredWrite, settingOf: ReadSetting): boolean {
  return !isSigned(access) || settingOf(access.signedWith) !== undefined;
}

function factsOf({
  service,
  services,
  clock,
  simulated,
}: ServeOptions): Omit<ServiceFacts, "onDemand" | "budgets" | "figures"> {
  const byVariable = new Map<string, { description: string; sources: string[] }>();
  for (const source of services.sources) {
    for (const { variable, description } of source.credentials) {
      const entry = byVariable.get(variable) ?? { description, sources: [] };
      byVariable.set(variable, { ...entry, sources: [...entry.sources, source.id] });
    }
  }
  return {
    version,
    startedAt: clock.now(),
    simulated,
    store: service.database.dialect,
    storeTrouble: service.watch.trouble,
    unreadableTokenKeys: service.access.tokens.unreadableKeys,
    credentials: [...byVariable].map(([variable, about]) => ({
      variable,
      isSet: Boolean(service.reading.credentials[variable]),
      ...about,
    })),
  };
}

/** The origin under which callers reach the service. */
function ownOrigin({ host, port, publicUrl }: Config): string {
  return publicUrl === undefined ? `http://${host}:${port}` : new URL(publicUrl).origin;
}

/** The allowed browser origins: the service's own and those that the operator added. */
function originPolicy(config: Config): OriginPolicy {
  const { port, allowedOrigins } = config;
  const own = ownOrigin(config);
  const local = [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://[::1]:${port}`];
  return { own, allowed: new Set([own, ...local, ...allowedOrigins]) };
}
