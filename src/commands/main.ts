#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Config, ConfigError, configured, loadConfig, mistypedVariables } from "../app/config.js";
import { createLog, type Logger } from "../app/log.js";
import { checkStore, storeName } from "../app/open-store.js";
import { checkAddress, type RunningServer, type ServeOptions, serveHttp } from "../app/serve.js";
import { openService, type Service, type ServiceOptions } from "../app/service.js";
import { version } from "../app/version.js";
import { type ApiAddress, fetchCards, fetchExplained, rowOf } from "../cli/api-client.js";
import { datasetTable } from "../cli/dataset-table.js";
import { type Commands, program, unknownCommand } from "../cli/program.js";
import type { ExplainedDigest } from "../cli/story-text.js";
import { table } from "../cli/table.js";
import type { AnyDataset } from "../contract/dataset.js";
import type { StoreKind } from "../database/store-mark.js";
import { limitTable } from "../http/call-limits.js";
import { clockStartingAt, systemClock } from "../kit/clock.js";
import { OperatorError } from "../kit/operator-error.js";
import { loadServices, type Services } from "../services/registry.js";
import type { Simulator } from "../simulator/simulator.js";
import type { SnapshotRegistry } from "../snapshots/registry.js";
import { type AccountStore, accountCommands } from "./account-commands.js";
import type { Diagnosis } from "./doctor-commands.js";
import { greet, rowsOf } from "./greeting.js";
import { newsCatalogue, simulatedFeeds } from "./news-catalogue.js";
import { planColumns, planRows } from "./plan-table.js";

/** What every command begins with. */
interface Setting {
  readonly services: Services;
  readonly config: Config;
  readonly log: Logger;
}

async function setting(): Promise<Setting> {
  const services = await loadServices();
  const variables = services.sources.flatMap((source) => source.credentials.map(({ variable }) => variable));
  const [mistyped] = mistypedVariables(process.env, variables, services.settings);
  if (mistyped !== undefined) throw new ConfigError(mistyped);
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

/** The simulated upstreams, and how a service is opened on them. */
async function demoOptions(
  { services, config, log }: Setting,
  recorded: string | undefined,
): Promise<{ readonly simulator: Simulator; readonly options: ServiceOptions }> {
  const { startSimulator } = await import("../simulator/simulator.js");
  const { recordedClockStart } = await import("../simulator/recorded-index.js");
  const startAt = recorded === undefined ? undefined : await recordedClockStart(recorded);
  const clock = startAt === undefined ? systemClock : clockStartingAt(startAt);
  const simulator = await startSimulator({
    clock,
    seed: config.simulatorSeed,
    newsFeeds: simulatedFeeds(newsCatalogue(services, config)),
    ...(recorded !== undefined && { recordedDir: recorded }),
  });
  const options: ServiceOptions = {
    config: { ...config, given: { ...config.given, ...simulator.credentials } },
    services,
    log,
    kind: "demo",
    dataDir: dataDirOf(config, "demo"),
    clock,
    upstreamBase: simulator.baseUrl,
    gated: recorded === undefined,
  };
  return { simulator, options };
}

interface OfStore {
  readonly demo?: boolean;
  readonly create?: boolean;
}

const kindOf = ({ demo }: OfStore): StoreKind => (demo ? "demo" : "real");

const say = (text: string): void => void process.stdout.write(`${text}\n`);
/** What is for the person, and not for what reads the output. */
const note = (text: string): void => void process.stderr.write(`${text}\n`);
const onStore = (name: string): void => note(`Store: ${name}`);

/** Names the store that a command works on, and refuses one that is not there unless it may be made. */
async function nameStore({ databaseUrl }: Config, dataDir: string, of: OfStore): Promise<void> {
  const location = { url: databaseUrl, dataDir };
  await checkStore(location, kindOf(of), of.create ?? false);
  onStore(storeName(location));
}

const commands: Commands = {
  async serve() {
    const known = await setting();
    await checkAddress(known.config);
    const service = await openService({ ...realOptions(known), buildInThread: true });
    await runUntilStopped({ ...known, service, clock: systemClock, simulated: false });
  },

  async demo({ recorded }) {
    const known = await setting();
    await checkAddress(known.config);
    const { simulator, options } = await demoOptions(known, recorded);
    try {
      const service = await openService({ ...options, buildInThread: true });
      await runUntilStopped({ ...known, config: options.config, service, clock: options.clock, simulated: true });
    } finally {
      await simulator.close();
    }
  },

  async ingest(names, of) {
    const known = await setting();
    await nameStore(known.config, dataDirOf(known.config, kindOf(of)), of);
    const { simulator, options } = of.demo
      ? await demoOptions(known, undefined)
      : { simulator: undefined, options: realOptions(known) };
    try {
      const service = await openService(options);
      try {
        const datasets = chosen(service.registry, names);
        const results = await Promise.all(datasets.map((dataset) => ingestOne(service, dataset)));
        say(`\n${datasetTable(rowsOf(service.registry), systemClock.now())}`);
        if (results.includes(false)) process.exitCode = 1;
      } finally {
        await service.close();
      }
    } finally {
      await simulator?.close();
    }
  },

  async datasets({ json, ...of }) {
    const { config } = await setting();
    const cards = await fetchCards(runningService(config, of));
    say(json ? JSON.stringify(cards, null, 2) : datasetTable(cards.map(rowOf), systemClock.now()));
  },

  async explainStory(story, { lang, variant, ...of }) {
    const { config } = await setting();
    const { storyText } = await import("../cli/story-text.js");
    const { digestVariants } = await import("../services/news/catalogue/digest-variants.js");
    const wanted = variant === undefined ? Object.keys(digestVariants) : [variant];
    const digests: Record<string, ExplainedDigest> = {};
    for (const name of wanted) digests[name] = await fetchExplained(runningService(config, of), name, lang);
    const text = storyText(story, digests);
    if (text === undefined) throw new ConfigError(`no story ${story} in the digests ${wanted.join(", ")} (${lang})`);
    say(text);
  },

  async simulate({ port, recorded }) {
    const { services, config } = await setting();
    const { startSimulator } = await import("../simulator/simulator.js");
    const simulator = await startSimulator({
      clock: systemClock,
      seed: config.simulatorSeed,
      newsFeeds: simulatedFeeds(newsCatalogue(services, config)),
      port,
      ...(recorded !== undefined && { recordedDir: recorded }),
    });
    say(`Simulated upstreams at ${simulator.baseUrl} (VIGIL_UPSTREAM_BASE=${simulator.baseUrl})`);
    await stopSignal().signal;
    await simulator.close();
  },

  async doctor(asked) {
    const { diagnose, diagnoseFeeds } = await import("./doctor-commands.js");
    const { diagnoseSources } = await import("./source-doctor-commands.js");
    if (asked.save !== undefined && !asked.sources) throw new ConfigError("--save belongs to --sources");
    const askUpstreams = (): Promise<Diagnosis> =>
      untilInterrupted(async (signal) => {
        const parts = { ...(await setting()), clock: systemClock, signal };
        return asked.sources
          ? diagnoseSources({ ...parts, onChecked: showProgressOf("sources") }, asked)
          : diagnoseFeeds({ ...parts, onChecked: showProgressOf("feeds") }, asked);
      });
    const { text, isBad } =
      asked.sources || asked.feeds
        ? await askUpstreams()
        : await diagnose(
            {
              env: process.env,
              services: await loadServices(),
              kind: kindOf(asked),
              dataDirOf: (config) => dataDirOf(config, kindOf(asked)),
            },
            asked,
          );
    say(text);
    if (isBad) process.exitCode = 1;
  },

  async jmespath(expression, file) {
    const { config } = await setting();
    const { readProjection } = await import("../app/projector.js");
    const projection = await readProjection(jsonIn(file), expression, config);
    if ("error" in projection) throw new ConfigError(projection.error);
    say(projection.body);
  },

  async ownerKey({ new: replace, ...of }) {
    const known = await setting();
    const kind = kindOf(of);
    const dataDir = dataDirOf(known.config, kind);
    await nameStore(known.config, dataDir, of);
    const service = await openService({ ...realOptions(known), kind, dataDir });
    try {
      const { replaceOwnerKey } = await import("../access/owner-key.js");
      const prefix = kind === "demo" ? "vgl_demo_" : "vgl_";
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
  audit: async (of) => say(await accountCommands.audit(await accountStore(of), of)),

  async plans() {
    const { config } = await setting();
    say(table(planColumns, planRows(configured(() => limitTable(config.limits)))));
  },
};

/** The store that a command on accounts is about. */
async function accountStore(of: OfStore): Promise<AccountStore> {
  const { config } = await setting();
  const kind = kindOf(of);
  return { config, kind, dataDir: dataDirOf(config, kind), clock: systemClock, mayCreate: of.create ?? false, onStore };
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
  const stop = stopSignal();
  const greeting = new AbortController();
  let server: RunningServer | undefined;
  try {
    server = await serveHttp(running);
    service.start();
    const out = { write: (text: string) => void process.stdout.write(text), isTerminal: process.stdout.isTTY === true };
    await Promise.race([greet(server.address, running, out, greeting.signal), stop.signal]);
    log.info({ signal: await stop.signal }, "stopping");
  } finally {
    stop.release();
    greeting.abort();
    await server?.close();
    await service.close();
  }
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

function runningService(config: Config, of: OfStore): ApiAddress {
  const url = process.env["VIGIL_URL"] || config.publicUrl || `http://${config.host}:${config.port}`;
  return { url, key: keyFor(config, of) };
}

/** `VIGIL_KEY`, else the owner's key of the data folder here. */
function keyFor(config: Config, { demo }: OfStore): string {
  const given = process.env["VIGIL_KEY"];
  if (given) return given;
  const kinds: readonly StoreKind[] = demo ? ["demo"] : ["real", "demo"];
  const file = kinds.map((kind) => join(dataDirOf(config, kind), "owner.key")).find(existsSync);
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
function showProgressOf(what: "feeds" | "sources"): (count: number, of: number) => void {
  return (count, of) => {
    if (process.stderr.isTTY) process.stderr.write(count === of ? "\r\x1b[K" : `\r${count} of ${of} ${what}`);
  };
}

interface Stop {
  /** The signal that asked the process to stop. */
  readonly signal: Promise<NodeJS.Signals>;
  /** Lets the process end without a signal. */
  release(): void;
}

/** Keeps the process alive until SIGINT or SIGTERM. */
function stopSignal(): Stop {
  // Timers here do not keep a process alive; waiting to be stopped must.
  const awake = setInterval(() => undefined, 1 << 30);
  const release = (): void => clearInterval(awake);
  const signal = new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ["SIGINT", "SIGTERM"] as const) {
      process.once(name, () => {
        release();
        resolve(name);
      });
    }
  });
  return { signal, release };
}

/** The error's own sentence where an operator can mend it, else everything there is to find the fault with. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof OperatorError ? error.message : (error.stack ?? error.message);
}

try {
  const root = program(commands, version);
  const unknown = unknownCommand(root, process.argv.slice(2));
  if (unknown !== undefined) throw new ConfigError(`${unknown} (vigil --help lists them)`);
  await root.parseAsync();
} catch (error) {
  process.stderr.write(`vigil: ${textOf(error)}\n`);
  process.exitCode = 1;
}
