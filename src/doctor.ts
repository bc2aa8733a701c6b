import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseAccountRules } from "./access/tokens/account-rules.js";
import { enterpriseKeysOf } from "./access.js";
import { table } from "./cli/table.js";
import { type Config, ConfigError, loadConfig, settingProblems, settings } from "./config.js";
import { storeKindAt } from "./database/probe.js";
import type { StoreKind } from "./database/store-mark.js";
import { limitTable } from "./http/call-limits.js";
import { clientAddress } from "./http/client-address.js";
import type { Services } from "./services/registry.js";
import { evidenceFinding } from "./source-evidence.js";

/** One thing that was looked at. */
export interface Finding {
  /** `failed`: the service would not start, or not work; `degraded`: it works with less. */
  readonly state: "ok" | "degraded" | "failed";
  readonly what: string;
  readonly says: string;
}

export interface DoctorOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly services: Services;
  /** Where the store of real data is, by the settings. */
  readonly dataDirOf: (config: Config) => string;
}

const ok = (what: string, says: string): Finding => ({ state: "ok", what, says });
const degraded = (what: string, says: string): Finding => ({ state: "degraded", what, says });
const failed = (what: string, says: string): Finding => ({ state: "failed", what, says });

/** What would stop or degrade this installation. Nothing is made or changed by looking. */
export async function examine({ env, services, dataDirOf }: DoctorOptions): Promise<readonly Finding[]> {
  const variables = services.sources.flatMap(({ credentials }) => credentials.map(({ variable }) => variable));
  const problems = settingProblems(env, variables, services.settings);
  // Without settings that can be read nothing else can be looked at in earnest.
  if (problems.length > 0) return problems.map((problem) => failed("settings", problem));
  const config = loadConfig(env, variables, services.settings);
  const dataDir = dataDirOf(config);
  const forms = formProblems(config);
  return [
    ...(forms.length > 0 ? forms : [ok("settings", "all of them can be used")]),
    ...unknownNames(env, services, variables),
    ...addressing(config),
    folder(dataDir),
    await database(config, dataDir),
    await redis(config),
    ...sources(services, config),
    evidenceFinding(services.sources),
  ];
}

/** The findings as a table, the failed ones first. */
export function findingTable(findings: readonly Finding[]): string {
  const order = ["failed", "degraded", "ok"] as const;
  const rows = order.flatMap((state) => findings.filter((finding) => finding.state === state));
  return table(
    ["state", "what", "says"],
    rows.map(({ state, what, says }) => [state, what, says]),
  );
}

/** Settings that are texts to whoever reads them, and have a form all the same. */
function formProblems(config: Config): readonly Finding[] {
  const { limits, trustedProxies, oidcIssuer, oidcAudience, oidcAccounts, extraCaFile } = config;
  const attempts: readonly (() => unknown)[] = [
    () => limitTable(limits),
    () => clientAddress(trustedProxies),
    () => enterpriseKeysOf(config),
    () => oidcAccounts !== undefined && parseAccountRules(oidcAccounts),
    () => {
      if (oidcIssuer === undefined || (oidcAudience !== undefined && oidcAccounts !== undefined)) return;
      throw new ConfigError("VIGIL_OIDC_ISSUER needs VIGIL_OIDC_AUDIENCE and VIGIL_OIDC_ACCOUNTS beside it");
    },
    () => {
      if (extraCaFile === undefined || readFileSync(extraCaFile, "utf8").includes("BEGIN CERTIFICATE")) return;
      throw new ConfigError(`VIGIL_EXTRA_CA_FILE names ${extraCaFile}, which holds no PEM certificate`);
    },
    ...addresses(config).map(([name, address]) => () => {
      if (!URL.canParse(address)) throw new ConfigError(`${name} must hold absolute addresses, got "${address}"`);
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

function addresses({ upstreamBase, upstreamPrivate, publicUrl, httpProxy, httpsProxy }: Config) {
  const given: readonly (readonly [string, string | undefined])[] = [
    ["VIGIL_UPSTREAM_BASE", upstreamBase],
    ["VIGIL_PUBLIC_URL", publicUrl],
    ["HTTP_PROXY", httpProxy],
    ["HTTPS_PROXY", httpsProxy],
    ...upstreamPrivate.map((origin) => ["VIGIL_UPSTREAM_PRIVATE", origin] as const),
  ];
  return given.flatMap(([name, address]) => (address === undefined ? [] : [[name, address] as const]));
}

/** Names of the command line, which are no settings of the service. */
const commandLineNames: readonly string[] = ["VIGIL_CONFIG", "VIGIL_URL", "VIGIL_KEY"];

/** A name that nothing reads is a misspelt one. */
function unknownNames(env: NodeJS.ProcessEnv, services: Services, variables: readonly string[]): readonly Finding[] {
  const declared = [...Object.values(settings), ...services.settings].map(({ name }) => name);
  const known = new Set([...declared, ...variables, ...commandLineNames]);
  const unknown = Object.keys(env).filter((name) => name.startsWith("VIGIL_") && !known.has(name));
  return unknown.map((name) => degraded("settings", `nothing reads ${name}; docs/settings.md has all names`));
}

function addressing({ upstreamBase }: Config): readonly Finding[] {
  if (upstreamBase === undefined) return [];
  return [degraded("upstreams", `asked at ${upstreamBase} instead of their own addresses (VIGIL_UPSTREAM_BASE)`)];
}

/** Whether the service could write where it keeps everything; a folder that is not there yet would be made. */
function folder(dataDir: string): Finding {
  const path = resolve(dataDir);
  const isThere = existsSync(path);
  let nearest = path;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  try {
    if (!statSync(nearest).isDirectory()) return failed("data folder", `${nearest} is no folder`);
    accessSync(nearest, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return failed("data folder", `${path} cannot be written: ${sentenceOf(error)}`);
  }
  return ok("data folder", isThere ? `${path} can be written` : `${path} is not there yet and can be made`);
}

const wanted: StoreKind = "real";

async function database({ databaseUrl }: Config, dataDir: string): Promise<Finding> {
  const name = databaseUrl === undefined ? "SQLite" : "PostgreSQL";
  try {
    const kind = await storeKindAt({ url: databaseUrl, dataDir });
    if (kind === undefined) return ok("database", `${name}, without a store yet`);
    if (kind === wanted) return ok("database", `${name}, with a store of real data`);
    return failed("database", `${name}, with a store of ${kind} data; real data never goes into it`);
  } catch (error) {
    return failed("database", `${name} cannot be used: ${sentenceOf(error)}`);
  }
}

const CONNECT_MS_MAX = 5_000;

async function redis({ redisUrl }: Config): Promise<Finding> {
  if (redisUrl === undefined) return ok("Redis", "not configured; each process counts limits alone");
  const { Redis } = await import("ioredis");
  const connection = new Redis(redisUrl, {
    ...{ lazyConnect: true, connectTimeout: CONNECT_MS_MAX, commandTimeout: CONNECT_MS_MAX },
    ...{ maxRetriesPerRequest: 0, retryStrategy: () => null },
  });
  // The rejection of `connect` says only that the connection closed; why is told here.
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

/** What each source lacks. */
function sources({ sources: all }: Services, { given, licenceMode }: Config): readonly Finding[] {
  const findings = all.flatMap(({ id, licence, credentials, anonymous }): Finding[] => {
    if (licenceMode === "open" && !licence.open) return [degraded(`source ${id}`, "off with VIGIL_LICENCE_MODE=open")];
    const lacking = credentials.filter(({ variable }) => !given[variable]).map(({ variable }) => variable);
    const verb = lacking.length === 1 ? "is" : "are";
    // With some of them only, they are taken for an account that is not complete.
    const isAskedWithout = anonymous === true && lacking.length === credentials.length;
    return lacking.length === 0 || isAskedWithout
      ? []
      : [degraded(`source ${id}`, `not asked until ${lacking.join(" and ")} ${verb} set`)];
  });
  const complete = all.length - findings.length;
  return [...findings, ok("sources", `${complete} of ${all.length} have all that they need`)];
}

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message !== "") return message;
  // Node gathers the attempts on all addresses of a host in an error without words of its own.
  const [first] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? first.message : "no reason was given";
}
