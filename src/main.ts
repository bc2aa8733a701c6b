#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AccountStore, accountCommands } from "./account-commands.js";
import { type ApiAddress, fetchCards, fetchExplained, rowOf } from "./cli/api-client.js";
import { type DatasetRow, datasetTable } from "./cli/dataset-table.js";
import { type Commands, program } from "./cli/program.js";
import type { ExplainedDigest } from "./cli/story-text.js";
import { type Config, ConfigError, loadConfig } from "./config.js";
import type { AnyDataset } from "./contract/dataset.js";
import type { StoreKind } from "./database/store-mark.js";
import { type Clock, clockStartingAt, SECOND_MS, systemClock } from "./kit/clock.js";
import { createLog, type Logger } from "./log.js";
import { newsCatalogue, simulatedFeeds } from "./news-catalogue.js";
import { type RunningServer, type ServeOptions, serveHttp } from "./serve.js";
import { openService, type Service, type ServiceOptions } from "./service.js";
import { loadServices, type Services } from "./services/registry.js";
import type { SnapshotRegistry } from "./snapshots/registry.js";
import { version } from "./version.js";

/** What every command begins with. */
interface Setting {
  readonly services: Services;
  readonly config: Config;
  readonly log: Logger;
}

async function setting(): Promise<Setting> {
  const services = await loadServices();
  const variables = services.sources.flatMap((source) => source.credentials.map(({ variable }) => variable));
  const config = loadConfig(process.env, variables, services.settings);
  return { services, config, log: createLog(config) };
}

function dataDirOf({ dataDir }: Config, kind: StoreKind): string {
  return dataDir || (kind === "demo" ? "./data-demo" : "./data");
}

function realOptions({ services, config, log }: Setting): ServiceOptions {
  const kind = "real";
  const dataDir = dataDirOf(config, kind);
  return { config, services, log, kind, dataDir, clock: systemClock, upstreamBase: config.upstreamBase, gated: true };
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const commands: Commands = {
  async serve() {
    const known = await setting();
    const service = await openService({ ...realOptions(known), buildInThread: true });
    await runUntilStopped({ ...known, service, clock: systemClock, simulated: false });
  },

  async demo({ recorded }) {
    const known = await setting();
    const { startSimulator } = await import("./simulator/simulator.js");
    const { recordedClockStart } = await import("./simulator/recorded-index.js");
    const startAt = recorded === undefined ? undefined : await recordedClockStart(recorded);
    const clock = startAt === undefined ? systemClock : clockStartingAt(startAt);
    const dataDir = dataDirOf(known.config, "demo");
    const simulator = await startSimulator({
      clock,
      seed: known.config.simulatorSeed,
      newsFeeds: simulatedFeeds(newsCatalogue(known.services, known.config)),
      ...(recorded !== undefined && { recordedDir: recorded }),
    });
    try {
      const { services, log } = known;
      const config = { ...known.config, given: { ...known.config.given, ...simulator.credentials } };
      const feed = { upstreamBase: simulator.baseUrl, gated: recorded === undefined };
      const place = { kind: "demo", dataDir, buildInThread: true } as const;
      const service = await openService({ config, services, log, clock, ...place, ...feed });
      await runUntilStopped({ ...known, config, service, clock, simulated: true });
    } finally {
      await simulator.close();
    }
  },

  async ingest(names) {
    const known = await setting();
    const service = await openService(realOptions(known));
    try {
      const datasets = chosen(service.registry, names);
      const results = await Promise.all(datasets.map((dataset) => ingestOne(service, dataset)));
      say(`\n${datasetTable(rowsOf(service), systemClock.now())}`);
      if (results.includes(false)) process.exitCode = 1;
    } finally {
      await service.close();
    }
  },

  async datasets({ json }) {
    const { config } = await setting();
    const cards = await fetchCards(runningService(config));
    say(json ? JSON.stringify(cards, null, 2) : datasetTable(cards.map(rowOf), systemClock.now()));
  },

  async explainStory(story, { lang, variant }) {
    const { config } = await setting();
    const { storyText } = await import("./cli/story-text.js");
    const { digestVariants } = await import("./services/news/catalogue/digest-variants.js");
    const wanted = variant === undefined ? Object.keys(digestVariants) : [variant];
    const digests: Record<string, ExplainedDigest> = {};
    for (const name of wanted) digests[name] = await fetchExplained(runningService(config), name, lang);
    const text = storyText(story, digests);
    if (text === undefined) throw new ConfigError(`no story ${story} in the digests ${wanted.join(", ")} (${lang})`);
    say(text);
  },

  async simulate({ port, recorded }) {
    const { services, config } = await setting();
    const { startSimulator } = await import("./simulator/simulator.js");
    const simulator = await startSimulator({
      clock: systemClock,
      seed: config.simulatorSeed,
      newsFeeds: simulatedFeeds(newsCatalogue(services, config)),
      port,
      ...(recorded !== undefined && { recordedDir: recorded }),
    });
    say(`Simulated upstreams at ${simulator.baseUrl} (VIGIL_UPSTREAM_BASE=${simulator.baseUrl})`);
    await stopped();
    await simulator.close();
  },

  async doctor(asked) {
    const { diagnose, diagnoseFeeds } = await import("./doctor-commands.js");
    const { text, isBad } = asked.feeds
      ? await untilInterrupted(async (signal) => {
          const parts = { ...(await setting()), clock: systemClock, signal };
          return diagnoseFeeds({ ...parts, onChecked: showProgress }, asked);
        })
      : await diagnose(
          { env: process.env, services: await loadServices(), dataDirOf: (config) => dataDirOf(config, "real") },
          asked,
        );
    say(text);
    if (isBad) process.exitCode = 1;
  },

  async jmespath(expression, file) {
    const { config } = await setting();
    const { readProjection } = await import("./projector.js");
    const projection = await readProjection(jsonIn(file), expression, config);
    if ("error" in projection) throw new ConfigError(projection.error);
    say(projection.body);
  },

  async ownerKey({ new: replace, demo }) {
    const known = await setting();
    const kind = demo ? "demo" : "real";
    const dataDir = dataDirOf(known.config, kind);
    const service = await openService({ ...realOptions(known), kind, dataDir });
    try {
      const { replaceOwnerKey } = await import("./access/owner-key.js");
      const prefix = demo ? "vgl_demo_" : "vgl_";
      const owner = replace
        ? await replaceOwnerKey(service.database, dataDir, prefix, systemClock.now())
        : service.access.ownerKey;
      say(
        owner.key === undefined
          ? `${owner.file} is gone; \`vigil owner-key --new\` makes a new key`
          : `The owner key is in ${owner.file}`,
      );
    } finally {
      await service.close();
    }
  },

  accounts: async (of) => say(await accountCommands.accounts(await accountStore(of))),
  createAccount: async (name, of) => say(await accountCommands.createAccount(await accountStore(of), name, of)),
  setPlan: async (account, plan, of) => say(await accountCommands.setPlan(await accountStore(of), account, plan, of)),
  keys: async (account, of) => say(await accountCommands.keys(await accountStore(of), account)),
  createKey: async (account, of) => say(await accountCommands.createKey(await accountStore(of), account, of)),
  revokeKey: async (account, id, of) => say(await accountCommands.revokeKey(await accountStore(of), account, id)),
  plans: async (of) => say(await accountCommands.plans(await accountStore(of))),
  audit: async (of) => say(await accountCommands.audit(await accountStore(of), of)),
};

/** The store that a command on accounts is about. */
async function accountStore({ demo }: { readonly demo?: boolean }): Promise<AccountStore> {
  const { config } = await setting();
  const kind = demo ? "demo" : "real";
  return { config, kind, dataDir: dataDirOf(config, kind), clock: systemClock };
}

/** The JSON in a file, or in the standard input for `-`. */
function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file === "-" ? 0 : file, "utf8"));
  } catch (error) {
    throw new ConfigError(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
}

/** Serves until SIGINT or SIGTERM, then lets calls finish, then closes everything. */
async function runUntilStopped(running: ServeOptions): Promise<void> {
  const { service, log } = running;
  const stop = stopped();
  let server: RunningServer | undefined;
  try {
    server = await serveHttp(running);
    service.start();
    await Promise.race([greet(server.address, running), stop]);
    log.info({ signal: await stop }, "stopping");
  } finally {
    await server?.close();
    await service.close();
  }
}

const FIRST_TABLE_AFTER_MS = 15 * SECOND_MS;

/** Address, a curl line that works as it stands, and the datasets once each has been tried. */
async function greet(address: string, { service, services, simulated, config, clock }: ServeOptions): Promise<void> {
  const { ownerKey } = service.access;
  const example = `${address}/api/economic/v1/get-us-cpi-monthly`;
  say(`\nVigil ${version}${simulated ? ", SIMULATED data (demo)" : ""}: ${address}  (reference: ${address}/docs)`);
  if (ownerKey.isNew) {
    say(`A key was made for you: ${ownerKey.file}`);
    say(`Sign in on the web, once and within an hour: ${address}/sign-in#${await service.access.signInLink()}`);
  }
  const isShown = simulated || ownerKey.isNew;
  const key = isShown ? ownerKey.key : ownerKey.key && `$(cat ${ownerKey.file})`;
  say(`\n  curl -H "X-Service-Key: ${key ?? "<your key>"}" ${example}\n`);
  await firstRuns(service, clock);
  say(`${datasetTable(rowsOf(service), clock.now())}\n`);
  for (const line of unsetKeys(services, config)) say(line);
}

/** Resolves when every dataset has been tried since the start, or after a while. */
async function firstRuns({ registry }: Service, clock: Clock): Promise<void> {
  const until = clock.now() + FIRST_TABLE_AFTER_MS;
  const isTried = (dataset: AnyDataset): boolean => registry.status(dataset) !== undefined;
  while (!registry.datasets.every(isTried) && clock.now() < until) await clock.sleep(SECOND_MS / 10);
}

/** One sentence on the keys without which a source is off; none when all are there. */
function unsetKeys({ sources }: Services, { given }: Config): string[] {
  const needed = sources.flatMap(({ anonymous, credentials }) => (anonymous ? [] : credentials));
  const unset = new Set(needed.map(({ variable }) => variable).filter((variable) => !given[variable]));
  return unset.size === 0 ? [] : [`Not set: ${[...unset].join(", ")}. /api/health says what each would turn on.`];
}

function rowsOf({ registry }: Service): DatasetRow[] {
  return registry.datasets.map((dataset) => {
    const snapshot = registry.get(dataset);
    const generation = registry.generation(dataset);
    return {
      name: dataset.name,
      state: snapshot.state,
      generation: generation?.generation ?? null,
      records: Object.values(generation?.recordCounts ?? {}).reduce((sum, count) => sum + count, 0),
      checkedAt: snapshot.available ? snapshot.checkedAt : null,
      newestAt: generation?.newestAt ?? null,
      error: registry.status(dataset)?.error ?? null,
    };
  });
}

function chosen({ datasets, allDatasets }: SnapshotRegistry, names: readonly string[]): readonly AnyDataset[] {
  if (names.includes("all")) return datasets;
  return names.map((name) => {
    const found = allDatasets.find((dataset) => dataset.name === name);
    if (found) return found;
    const known = new Set(allDatasets.map((dataset) => dataset.family?.name ?? dataset.name));
    throw new ConfigError(`no dataset is called ${name}; there are ${[...known].join(", ")}`);
  });
}

async function ingestOne({ ingest }: Service, dataset: AnyDataset): Promise<boolean> {
  const result = await ingest.runNow(dataset, ({ part, requestKey, outcome, rowsRead, rowsBad, error }) => {
    const rows = rowsRead === null ? "" : ` ${rowsRead} rows${rowsBad ? `, ${rowsBad} bad` : ""}`;
    say(`${dataset.name}: ${part} ${requestKey} ${outcome}${rows}${error === null ? "" : ` (${error})`}`);
  });
  if (result === undefined) say(`${dataset.name}: another process is building it`);
  else say(`${dataset.name}: ${result.outcome}${result.status.error === null ? "" : ` (${result.status.error})`}`);
  return result !== undefined && result.outcome !== "failed";
}

function runningService(config: Config): ApiAddress {
  const url = process.env["VIGIL_URL"] || config.publicUrl || `http://${config.host}:${config.port}`;
  return { url, key: keyFor(config) };
}

/** `VIGIL_KEY`, else the owner's key of the data folder here. */
function keyFor(config: Config): string {
  const given = process.env["VIGIL_KEY"];
  if (given) return given;
  const file = (["real", "demo"] as const).map((kind) => join(dataDirOf(config, kind), "owner.key")).find(existsSync);
  return file === undefined ? "" : readFileSync(file, "utf8").trim();
}

/** Runs `work` with a signal that Ctrl-C aborts. */
async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort(new Error("interrupted"));
  process.once("SIGINT", interrupt);
  try {
    return await work(stop.signal);
  } finally {
    process.off("SIGINT", interrupt);
  }
}

/** One line of a terminal that is written over. */
function showProgress(count: number, of: number): void {
  if (process.stderr.isTTY) process.stderr.write(count === of ? "\r\x1b[K" : `\r${count} of ${of} feeds`);
}

/** The signal that asked the process to stop. */
function stopped(): Promise<NodeJS.Signals> {
  // Timers here do not keep a process alive; waiting to be stopped must.
  const awake = setInterval(() => undefined, 1 << 30);
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => {
        clearInterval(awake);
        resolve(signal);
      });
    }
  });
}

try {
  await program(commands, version).parseAsync();
} catch (error) {
  const isPlain = error instanceof ConfigError || (error instanceof Error && error.name === "StoreKindMismatch");
  process.stderr.write(
    `vigil: ${error instanceof Error ? (isPlain ? error.message : (error.stack ?? error.message)) : error}\n`,
  );
  process.exitCode = 1;
}
