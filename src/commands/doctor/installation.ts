import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseAccountRules } from "../../access/tokens/account-rules.js";
import { enterpriseKeysOf } from "../../app/access.js";
import { type Config, ConfigError, loadConfig, settingProblems } from "../../app/config.js";
import { mailSettings } from "../../app/mail.js";
import { storeLocation } from "../../app/store-location.js";
import { type FiguresOfService, storeFiguresAt, storeKindAt } from "../../database/probe.js";
import type { StoreKind } from "../../database/store-mark.js";
import { limitTable } from "../../http/call-limits.js";
import { clientAddress } from "../../http/client-address.js";
import { table } from "../../kit/text-table.js";
import type { Services } from "../../services/registry.js";
import { upstreamKeys } from "../shared/start-up.js";
import type { Diagnosis, DoctorOptions } from "./diagnosis.js";
import type { Finding } from "./finding.js";
import { evidenceFinding } from "./source-evidence.js";

export interface Installation {
  readonly env: NodeJS.ProcessEnv;
  readonly services: Services;
  /**
   * The kind of data that the store must contain. For a demo, the keys of sources are not checked, because simulated
   * upstreams supply their own.
   */
  readonly kind: StoreKind;
  /** The data folder according to the settings. */
  readonly dataDir: (config: Config) => string;
}

const ok = (what: string, says: string): Finding => ({ state: "ok", what, says });
const degraded = (what: string, says: string): Finding => ({ state: "degraded", what, says });
const off = (what: string, says: string): Finding => ({ state: "off", what, says });
const failed = (what: string, says: string): Finding => ({ state: "failed", what, says });

/** Runs `vigil doctor` without `--sources` and `--feeds`. The result is bad if a check failed. */
export async function diagnose(installation: Installation, options: DoctorOptions): Promise<Diagnosis> {
  const { json, demo: _demo, ...ofFeeds } = options;
  const [misplaced] = Object.keys(ofFeeds).filter((name) => ofFeeds[name] !== undefined);
  if (misplaced !== undefined) throw new ConfigError(`--${misplaced} requires --feeds`);
  const findings = await examine(installation);
  const text = json ? JSON.stringify(findings, null, 2) : findingTable(findings);
  return { text, isBad: findings.some(({ state }) => state === "failed") };
}

/** Checks the installation for everything that would stop or degrade it. Read-only. */
async function examine(installation: Installation): Promise<readonly Finding[]> {
  const { env, services, kind } = installation;
  const variables = upstreamKeys(services);
  const problems = settingProblems(env, variables, services.settings);
  // Without usable settings, no other check is meaningful.
  if (problems.length > 0) return problems.map((problem) => failed("settings", problem));
  const config = loadConfig(env, variables, services.settings);
  const dataDir = installation.dataDir(config);
  const forms = formProblems(config, services);
  return [
    ...(forms.length > 0 ? forms : [ok("settings", "every setting can be used")]),
    ...addressing(config),
    ...mail(config),
    folder(dataDir),
    ...(await database(installation, config, dataDir)),
    await redis(config),
    ...(kind === "demo" ? [] : sources(services, config)),
    evidenceFinding(services.sources),
  ];
}

/** Formats the findings as a table: failed checks first, then degraded parts, parts that are off, and passed checks. */
function findingTable(findings: readonly Finding[]): string {
  const order = ["failed", "degraded", "off", "ok"] as const;
  const rows = order.flatMap((state) => findings.filter((finding) => finding.state === state));
  return table(
    ["state", "what", "says"],
    rows.flatMap(({ state, what, says }) =>
      wrapped(says).map((line, index) => (index === 0 ? [state, what, line] : ["", "", line])),
    ),
  );
}

const LINE_MAX = 100;

/** Breaks a sentence between words, into lines that fit a terminal. */
function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < LINE_MAX) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Checks the settings that the configuration itself does not check. */
function formProblems(config: Config, { quotas, pathLimits }: Services): readonly Finding[] {
  const { limits, trustedProxies, oidcIssuer, oidcAudience, oidcAccounts, upstreamPrivate } = config;
  const attempts: readonly (() => unknown)[] = [
    () => limitTable(limits, quotas, pathLimits),
    () => clientAddress(trustedProxies),
    () => enterpriseKeysOf(config),
    () => mailSettings(config),
    () => oidcAccounts !== undefined && parseAccountRules(oidcAccounts),
    () => {
      if (oidcIssuer === undefined || (oidcAudience !== undefined && oidcAccounts !== undefined)) return;
      throw new ConfigError("VIGIL_OIDC_ISSUER also needs VIGIL_OIDC_AUDIENCE and VIGIL_OIDC_ACCOUNTS");
    },
    ...upstreamPrivate.map((origin) => () => {
      if (URL.canParse(origin)) return;
      throw new ConfigError(`VIGIL_UPSTREAM_PRIVATE must hold absolute addresses, got "${origin}"`);
    }),
  ];
  return attempts.flatMap((attempt) => {
    try {
      attempt();
      return [];
    } catch (error) {
      return [failed("settings", sentenceOf(error))];
    }
  });
}

function addressing({ upstreamBase }: Config): readonly Finding[] {
  if (upstreamBase === undefined) return [];
  return [degraded("upstreams", `requested at ${upstreamBase} instead of their own addresses (VIGIL_UPSTREAM_BASE)`)];
}

function mail({ smtpUrl: server, publicUrl }: Config): readonly Finding[] {
  if (server === undefined) return [];
  if (publicUrl === undefined) return [degraded("mail", "links in emails work only locally; set VIGIL_PUBLIC_URL")];
  return [ok("mail", `sent through ${server.host}:${server.port}`)];
}

/**
 * Checks that the service can write to its data folder. A missing folder would be created, so the nearest existing
 * parent is checked instead.
 */
function folder(dataDir: string): Finding {
  const path = resolve(dataDir);
  const isThere = existsSync(path);
  let nearest = path;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  try {
    if (!statSync(nearest).isDirectory()) return failed("data folder", `${nearest} is not a folder`);
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return failed("data folder", `${path} cannot be written: ${sentenceOf(error)}`);
  }
  return ok("data folder", isThere ? `${path} can be written` : `${path} does not exist yet and can be created`);
}

/**
 * Checks that the store can be opened and contains the expected kind of data. If so, also lists the figures that
 * services report about their tables.
 */
async function database(
  { services, kind: expected }: Installation,
  config: Config,
  dataDir: string,
): Promise<readonly Finding[]> {
  const name = config.databaseUrl === undefined ? "SQLite" : "PostgreSQL";
  const location = storeLocation(config, dataDir);
  try {
    const kind = await storeKindAt(location);
    if (kind === undefined) return [ok("database", `${name}, without a store yet`)];
    if (kind !== expected) {
      return [failed("database", `${name}, with a store of ${kind} data; ${expected} data never goes into it`)];
    }
    const figures = await storeFiguresAt(location, services.stores);
    return [ok("database", `${name}, with a store of ${kind} data`), ...figures.map(figuresFinding)];
  } catch (error) {
    return [failed("database", `${name} cannot be used: ${sentenceOf(error)}`)];
  }
}

/**
 * Formats the figures of a service in one line. The name of a figure is split into words, so `changesInLog` becomes
 * "changes in log".
 */
function figuresFinding({ service, figures }: FiguresOfService): Finding {
  const words = (figure: string): string => figure.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const listed = Object.entries(figures).map(([figure, value]) => `${words(figure)} ${value}`);
  return ok(service, listed.join(", "));
}

const CONNECT_MS_MAX = 5_000;

async function redis({ redisUrl, role }: Config): Promise<Finding> {
  if (redisUrl === undefined) {
    const says = "not configured; each node counts limits separately";
    return role === "api" ? degraded("Redis", `${says}, so several API nodes admit more calls`) : ok("Redis", says);
  }
  const { Redis } = await import("ioredis");
  const connection = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS_MAX,
    commandTimeout: CONNECT_MS_MAX,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // `connect` rejects with an error that says only that the connection closed. This event has the reason.
  let reason: Error | undefined;
  connection.on("error", (error: Error) => {
    reason = error;
  });
  try {
    await connection.connect();
    await connection.ping();
    return ok("Redis", "answers");
  } catch (error) {
    return failed("Redis", `REDIS_URL cannot be reached: ${sentenceOf(reason ?? error)}`);
  } finally {
    connection.disconnect();
  }
}

/**
 * Lists each source that has only some of its credentials. Further lines count the sources that are off, if any, and
 * the sources that are fully configured.
 */
function sources({ sources: all }: Services, { texts, licenceMode }: Config): readonly Finding[] {
  const degradedOnes: Finding[] = [];
  const unset = new Set<string>();
  let [withoutKey, withoutLicence, complete] = [0, 0, 0];
  for (const { id, licence, credentials, auth } of all) {
    const lacking = credentials.filter(({ variable }) => !texts[variable]).map(({ variable }) => variable);
    if (licenceMode === "open" && !licence.open) {
      withoutLicence += 1;
    } else if (lacking.length === 0 || (auth?.isOptional && lacking.length === credentials.length)) {
      complete += 1;
    } else if (lacking.length < credentials.length) {
      const verb = lacking.length === 1 ? "is" : "are";
      degradedOnes.push(degraded(`source ${id}`, `not requested until ${lacking.join(" and ")} ${verb} also set`));
    } else {
      withoutKey += 1;
      for (const variable of lacking) unset.add(variable);
    }
  }
  const offOnes = [
    ...(withoutKey > 0 ? [`${withoutKey} of ${all.length} wait for a key (${[...unset].join(", ")})`] : []),
    ...(withoutLicence > 0 ? [`${withoutLicence} of ${all.length} are off with VIGIL_LICENCE_MODE=open`] : []),
  ];
  return [
    ...degradedOnes,
    ...(offOnes.length > 0 ? [off("sources", offOnes.join("; "))] : []),
    ok("sources", `${complete} of ${all.length} are fully configured`),
  ];
}

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message !== "") return message;
  // If no address of a host can be reached, Node throws an `AggregateError` without a message.
  const [first] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? first.message : "no reason was given";
}
