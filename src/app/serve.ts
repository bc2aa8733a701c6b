import { createServer } from "node:net";
import { audit } from "../access/audit-log.js";
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
import { type ClientAddress, clientAddress, trustedProxy } from "../http/client-address.js";
import { connectionLimitsDefault } from "../http/connection-limits.js";
import type { OriginPolicy } from "../http/cors.js";
import { listChangesCache } from "../http/data-answer/list-changes.js";
import { demoLabel } from "../http/demo-label.js";
import { deniedWrites } from "../http/denied-writes.js";
import { POLICY_PATH } from "../http/documents/routes.js";
import { heldSigner } from "../http/held-signer.js";
import { createMetrics } from "../http/metrics.js";
import { cursorsOf } from "../http/paging.js";
import { type Pipeline, pipeline } from "../http/pipeline.js";
import type { ServiceFacts } from "../http/platform/facts.js";
import { platformRoutes } from "../http/platform/routes.js";
import { type Provider, portOpener, provide } from "../http/ports.js";
import { routeTable } from "../http/routes.js";
import { httpServer } from "../http/server.js";
import { answerSigning } from "../http/signed-answer.js";
import { addressBlock } from "../kit/address-block.js";
import type { Clock } from "../kit/clock.js";
import { requestIds } from "../kit/request-ids.js";
import { TurnAge } from "../kit/turn-age.js";
import { LimiterLost } from "../limits/limiter.js";
import type { Services } from "../services/registry.js";
import { datasetHistory } from "../snapshots/history/dataset-history.js";
import { revisionReader } from "../snapshots/history/revision-reader.js";
import { budgetUses } from "./budget-uses.js";
import { type Config, configured } from "./config.js";
import type { Logger } from "./log.js";
import { mcpPath, mcpRoute } from "./mcp.js";
import { minuteLimit } from "./minute-limit.js";
import { listenFailure } from "./open-store.js";
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
  /** Additional ports, for tests that apply to all writes. */
  readonly ports?: readonly Provider[];
}

/** The service on the network. `close` finishes the calls under way first. */
export interface RunningServer {
  readonly address: string;
  close(): Promise<void>;
}

/**
 * The pipeline of an open service. `/readyz` is refused while `isReady` is false or the store is in trouble. Calls are
 * shed by `loopDelayMs`, the delay of a call by the event loop; pipelines without a server have none.
 */
export function servicePipeline(
  options: ServeOptions,
  isReady: () => boolean,
  loopDelayMs: () => number = () => 0,
): Pipeline {
  const { config, service, services, clock, log, simulated } = options;
  const figures = storeFigures(services.stores, service.storeParts, service.watch, clock);
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
  const account = accountParts(options, limits, seenAddress);
  const noteDenied = deniedWrites({
    clock,
    addressOf: account.addressOf,
    audit: (event) => audit(service.database.db, event),
  });
  const settingOf = settingReader(config.texts);
  const waits = new Map(services.operations.map(({ path, operation }) => [path, waitMsMax(operation, settingOf)]));
  const batch = { pipeline: () => answer, clock, waitMsMax: (path: string) => waits.get(path) ?? 0, onFault };
  const switched = switchedOn(services, settingOf);
  const { accountReads, linkedFeeds } = switched;
  const writes = switched.writes.filter((registered) => isTaken(registered, settingOf));
  const calls = [...services.operations, ...accountReads, ...switched.streams, ...linkedFeeds, ...writes];
  const { callsMax, callsPerAccount: perCallerMax, loopDelayMs: loopDelayMsMax } = config;
  const admission = new Admission({ callsMax, perCallerMax, loopDelayMsMax }, loopDelayMs);
  const { registry, counts, streams } = service;
  const metrics = createMetrics(calls, registry, clock, counts, figures, streams, admission);
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
    ...accountReads.map(({ read }) => read),
    ...linkedFeeds.map(({ feed }) => feed),
    ...writes.map(({ write }) => write),
  ]);
  const ports = { clock, db: service.database.db, openPorts, addressOf: account.addressOf };
  const keys = proofKeys(service.storeParts);
  const platform = platformRoutes({
    groups: services.groups,
    operations: services.operations,
    accountReads,
    streams: switched.streams,
    linkedFeeds,
    writes,
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
    metrics,
    proofKeys: keys.published,
    metricsPublic: config.metricsPublic,
    clientAddress: seenAddress,
    notReady: () => (isReady() ? service.watch.trouble() : "the service is starting or stopping"),
  });
  const mcp = mcpRoute({
    operations: services.operations,
    accountReads,
    writes,
    datasets: services.allDatasets,
    pipeline: () => answer,
    onFault,
  });
  const pastReads = minuteLimit("past-reads", config.pastReadsPerMinute);
  const answer: Pipeline = pipeline({
    clock,
    registry: service.registry,
    cache: answerCache(config.answerCacheMb * 1_000_000),
    past: service.past,
    pastCache: answerCache((config.answerCacheMb * 1_000_000) / 4),
    listChanges: listChangesCache((config.answerCacheMb * 1_000_000) / 8),
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
    revisions: revisionReader(service.database.db, service.turns),
    turns: service.turns,
    onFault,
    limits,
    admission,
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
    onDenied: (exchange, refused) => noteDenied(exchange, refused).catch(onFault),
    routes: routeTable({ ...services, ...switched, writes }, [...platform, ...accountRoutes(account.tokens), mcp]),
    origins: originPolicy(config),
    authenticator: service.access.authenticator,
    publicReads: config.publicReads,
    policyUrl: new URL(POLICY_PATH, config.publicUrl ?? `http://${config.host}:${config.port}`).href,
    newRequestId: requestIds(),
    onAnswer: ({ requestId, call, path, isShed }, { status }, durationMs) => {
      if (isShed) metrics.observeShed(path);
      else metrics.observe(path, status, durationMs);
      if (log.isLevelEnabled("debug"))
        log.debug({ requestId, method: call.method, path, status, durationMs }, "answered");
    },
    onError: ({ requestId, path }, error) => log.error({ requestId, path, err: error }, "a request failed"),
  });
  return answer;
}

function accountParts({ service, clock }: ServeOptions, limits: CallLimits, seen: ClientAddress): AccountParts {
  const { access, database, idempotency } = service;
  const { accounts, credentials, tokens, callerOf } = access;
  return {
    database,
    accounts,
    credentials,
    tokens,
    callerOf,
    limits,
    idempotency,
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

/** The declarations for accounts without those of groups that are switched off. */
function switchedOn(
  { groups, accountReads, streams, linkedFeeds, writes }: Services,
  settingOf: ReadSetting,
): Pick<Services, "accountReads" | "streams" | "linkedFeeds" | "writes"> {
  const off = new Map(
    groups.flatMap(({ service, switchedBy }) =>
      switchedBy && !settingOf(switchedBy.setting) ? [[service, switchedBy.stays] as const] : [],
    ),
  );
  const isOn = (service: string, rpc: string): boolean => off.get(service)?.includes(rpc) ?? true;
  return {
    accountReads: accountReads.filter(({ service, read }) => isOn(service, read.rpc)),
    streams: streams.filter(({ service, stream }) => isOn(service, stream.rpc)),
    linkedFeeds: linkedFeeds.filter(({ service, feed }) => isOn(service, feed.rpc)),
    writes: writes.filter(({ service, write }) => isOn(service, write.rpc)),
  };
}

/** Returns false for a write with required signatures while its secret is not set. */
function isTaken({ write: { access } }: RegisteredWrite, settingOf: ReadSetting): boolean {
  return !isSigned(access) || settingOf(access.signedWith) !== undefined;
}

/** Throws if the service cannot listen on the address, so that a start fails before a store is created or opened. */
export async function checkAddress({ host, port }: Pick<Config, "host" | "port">): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once("error", reject);
      probe.listen(port, host, resolve);
    });
    await new Promise((resolve) => probe.close(resolve));
  } catch (error) {
    throw listenFailure(error, host, port);
  }
}

/** Puts an open service on the network. */
export async function serveHttp(options: ServeOptions): Promise<RunningServer> {
  let isReady = false;
  const { connectionsMax: max, connectionsPerAddress: perAddressMax, trustedProxies } = options.config;
  const isProxy = configured(() => trustedProxy(trustedProxies));
  const turnAge = new TurnAge();
  const server = httpServer(
    servicePipeline(
      options,
      () => isReady,
      () => Math.max(turnAge.delayMs, options.service.turns.delayMs),
    ),
    demoLabel(options.simulated),
    { ...connectionLimitsDefault, max, perAddressMax, isProxy },
    () => options.service.turns.hasWork,
  );
  const { host, port } = options.config;
  const address = await server.listen(host, port).catch((error: unknown) => {
    throw listenFailure(error, host, port);
  });
  isReady = true;
  return {
    address: options.config.publicUrl ?? address,
    async close() {
      isReady = false;
      // The server waits for its open calls, and a stream never ends by itself.
      options.service.streams.close();
      await server.close();
    },
  };
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

/** The service's own addresses, as a browser names them, and those that the operator added. */
function originPolicy(config: Config): OriginPolicy {
  const { port, allowedOrigins } = config;
  const own = ownOrigin(config);
  const local = [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://[::1]:${port}`];
  return { own, allowed: new Set([own, ...local, ...allowedOrigins]) };
}
