import { existsSync, readFileSync } from "node:fs";
import { mailFrom, smtpUrl } from "../contract/mail.js";
import { securityContact } from "../contract/security-contact.js";
import {
  choice,
  list,
  onOff,
  optionalAddress,
  optionalProxy,
  optionalText,
  type Setting,
  secretText,
  text,
  whole,
} from "../contract/setting.js";
import { suggestion } from "../kit/nearest.js";
import { OperatorError } from "../kit/operator-error.js";
import { redactedAddress } from "../kit/redacted-address.js";
import { certificateFile } from "./certificate-file.js";

/**
 * Every setting of the process, in the order of the documentation. Keys of upstreams are declared by the sources that
 * use them; the settings of a single service are declared by its group, its operations and its datasets.
 */
export const settings = {
  host: text("VIGIL_HOST", "127.0.0.1", "Address to listen on."),
  port: whole("VIGIL_PORT", 8787, { min: 0, max: 65_535 }, "Port to listen on; 0 takes a free one."),
  dataDir: text("VIGIL_DATA_DIR", "", "Folder for all data. Default ./data; for the demo ./data-demo."),
  databaseUrl: optionalText(
    "DATABASE_URL",
    "Address of a PostgreSQL database to use instead of the SQLite file in the data folder. Several hosts, separated by commas, are the servers of one cluster; the server that accepts writes is used.",
  ),
  postgresConnections: whole(
    "VIGIL_POSTGRES_CONNECTIONS",
    8,
    { min: 2, max: 1_000 },
    "Maximum number of connections to PostgreSQL that a process opens for calls; it may open as many again for building datasets.",
  ),
  postgresConnectMs: whole(
    "VIGIL_POSTGRES_CONNECT_MS",
    5_000,
    { min: 100, max: 60_000, unit: "ms" },
    "Longest wait for a new or free connection to PostgreSQL.",
  ),
  postgresStatementMs: whole(
    "VIGIL_POSTGRES_STATEMENT_MS",
    15_000,
    { min: 100, max: 600_000, unit: "ms" },
    "Longest time that one PostgreSQL statement may take; migrations have 10 minutes.",
  ),
  postgresLockMs: whole(
    "VIGIL_POSTGRES_LOCK_MS",
    10_000,
    { min: 100, max: 600_000, unit: "ms" },
    "Longest wait for a row or table that another PostgreSQL transaction has locked.",
  ),
  postgresIdleMs: whole(
    "VIGIL_POSTGRES_IDLE_TRANSACTION_MS",
    60_000,
    { min: 1_000, max: 3_600_000, unit: "ms" },
    "Time after which PostgreSQL ends an idle transaction, such as one left open by a process that hangs.",
  ),
  migrate: onOff(
    "VIGIL_MIGRATE",
    "on",
    "At startup, upgrades the tables of the store to this version. With off, the service refuses to start on an older store until `vigil migrate` has run.",
  ),
  role: choice(
    "VIGIL_ROLE",
    ["all", "api", "ingest"],
    "Role of this process: api answers calls; ingest builds datasets and runs scans, deliveries and watches; all does both.",
  ),
  workers: whole(
    "VIGIL_WORKERS",
    1,
    { min: 1, max: 256 },
    "Number of processes that answer calls on one port of this machine. With 2 or more, an additional process ingests, unless the role is api.",
  ),
  drainSeconds: whole(
    "VIGIL_DRAIN_SECONDS",
    0,
    { min: 0, max: 300, unit: "s" },
    "Time after SIGTERM during which calls are still accepted while /readyz answers 503, for load balancers that check only now and then.",
  ),
  publicUrl: optionalAddress(
    "VIGIL_PUBLIC_URL",
    ["https", "http"],
    "Public address of the service, if it is not http://host:port.",
  ),
  securityContact,
  smtpUrl,
  mailFrom,
  keySecret: secretText(
    "VIGIL_KEY_SECRET",
    "Secret of at least 32 characters that wraps the signing keys in the store; the same on every node. Without it, the secret is read from a file in the data folder, which the first start creates.",
  ),
  enterpriseKeys: {
    ...list(
      "VIGIL_ENTERPRISE_KEYS",
      "Operator-issued keys, comma-separated, each of at least 24 characters; key=scope+scope limits a key to those scopes.",
    ),
    isSecret: true,
  },
  enterpriseKeysFile: optionalText(
    "VIGIL_ENTERPRISE_KEYS_FILE",
    "File with additional operator-issued keys, one per line.",
  ),
  lostStoreKeySeconds: whole(
    "VIGIL_LOST_STORE_KEY_SECONDS",
    900,
    { min: 0, max: 86_400, unit: "s" },
    "Time after the database becomes unreachable during which keys, sessions and tokens that this process has seen still work for reads. Even a key that is revoked elsewhere in the meantime still works for reads. With 0, keys, sessions and tokens are refused a minute after their last check.",
  ),
  limits: list(
    "VIGIL_LIMITS",
    "Limits of calls per minute or day that differ from the defaults, as name=number. The names, with their defaults, are default-minute (600), starter-minute (60), starter-day (1000), business-minute (300), business-day (10000), enterprise-minute (1000), operator-minute (6000), own-account (600), mcp-messages (6000), refused-credentials (600), replays (300), and the daily quotas brief-pro-day (500), brief-starter-day (1000) and brief-business-day (10000). The limits of single paths, listed below, can be changed in the same way.",
  ),
  redisUrl: optionalAddress(
    "REDIS_URL",
    ["redis", "rediss"],
    "Address of a Redis in which all nodes count calls against the limits, share on-demand reads, and divide builds and jobs among themselves. Without it, each node counts calls separately, each process makes its own on-demand reads, and leases in the database divide the builds and jobs.",
  ),
  trustedProxies: list(
    "VIGIL_TRUSTED_PROXIES",
    "Addresses or networks (10.0.0.0/8) of proxies whose X-Forwarded-For is trusted.",
  ),
  connectionsMax: whole(
    "VIGIL_CONNECTIONS_MAX",
    10_000,
    { min: 10, max: 1_000_000 },
    "Maximum number of connections; the last fifth is reserved for addresses with fewer than ten connections.",
  ),
  connectionsPerAddress: whole(
    "VIGIL_CONNECTIONS_PER_ADDRESS",
    1_000,
    { min: 1, max: 1_000_000 },
    "Maximum number of connections per address, or per /64 for IPv6. Trusted proxies are exempt.",
  ),
  callsMax: whole(
    "VIGIL_CALLS_MAX",
    2_000,
    { min: 1, max: 1_000_000 },
    "Maximum number of calls that a process runs concurrently; further calls are answered with 503. Calls answered from memory do not count; calls that can be answered from memory get a 503 only at twice this number.",
  ),
  callsPerAccount: whole(
    "VIGIL_CALLS_PER_ACCOUNT",
    500,
    { min: 1, max: 1_000_000 },
    "Maximum number of calls that a process runs concurrently for one account or, for callers without an account, for one address.",
  ),
  loopDelayMs: whole(
    "VIGIL_LOOP_DELAY_MS",
    20,
    { min: 10, max: 60_000, unit: "ms" },
    "If the event loop is delayed by at least this time, calls are answered with 503. Callers with less than an equal share of the running calls get a 503 only at twice this delay. For calls that can be answered from memory, both limits are doubled.",
  ),
  streamsPerAccount: whole(
    "VIGIL_STREAMS_PER_ACCOUNT",
    50,
    { min: 1, max: 100_000 },
    "Maximum number of open streams per account in one process.",
  ),
  oidcIssuer: optionalText(
    "VIGIL_OIDC_ISSUER",
    "Issuer address of an OpenID provider whose tokens are accepted for the Pro operations.",
  ),
  oidcAudience: optionalText("VIGIL_OIDC_AUDIENCE", "Required audience of the provider's tokens."),
  oidcJwksUrl: optionalText(
    "VIGIL_OIDC_JWKS_URL",
    "Address of the provider's keys. Default: the one in its discovery document.",
  ),
  oidcAccounts: optionalText(
    "VIGIL_OIDC_ACCOUNTS",
    'JSON list of rules that map claims to an account and plan: [{"claim":"groups","equals":"pro","account":"acc_team","plan":"pro"}]. A token that matches no rule is refused.',
  ),
  oidcClockSkewSeconds: whole(
    "VIGIL_OIDC_CLOCK_SKEW_SECONDS",
    60,
    { min: 0, max: 600, unit: "s" },
    "Tolerated difference between the clocks of the provider and of this service.",
  ),
  publicReads: onOff(
    "VIGIL_PUBLIC_READS",
    "off",
    "Opens the GET operations, except Pro ones, to callers without a key. Opens `/mcp` to them for the same operations.",
  ),
  allowedOrigins: list(
    "VIGIL_ALLOWED_ORIGINS",
    "Browser origins that may call the API, in addition to the service's own.",
  ),
  metricsPublic: onOff(
    "VIGIL_METRICS_PUBLIC",
    "off",
    "Serves /metrics to everybody instead of only to this machine and the operator.",
  ),
  licenceMode: choice(
    "VIGIL_LICENCE_MODE",
    ["all", "open"],
    "If `open`, sources whose terms forbid commercial use or redistribution are switched off.",
  ),
  upstreamBase: optionalAddress(
    "VIGIL_UPSTREAM_BASE",
    ["http", "https"],
    "Requests <base>/<host>/<path> instead of https://<host>/<path>, for a simulator, a mirror or recorded payloads.",
  ),
  upstreamPrivate: list(
    "VIGIL_UPSTREAM_PRIVATE",
    "Upstream origins that are allowed although their address is private.",
  ),
  httpProxy: optionalProxy("HTTP_PROXY", "Proxy for http:// upstreams."),
  httpsProxy: optionalProxy("HTTPS_PROXY", "Proxy for https:// upstreams."),
  noProxy: optionalText("NO_PROXY", "Hosts that are requested without a proxy."),
  extraCa: certificateFile(
    "VIGIL_EXTRA_CA_FILE",
    "PEM file of certificates to trust for upstreams, in addition to the public ones.",
  ),
  s3Endpoint: optionalAddress(
    "AWS_ENDPOINT_URL",
    ["https", "http"],
    "Address of the S3-compatible store of backups. Default: Amazon S3 in the region AWS_REGION.",
  ),
  s3Region: text("AWS_REGION", "us-east-1", "Region of the S3-compatible store of backups."),
  s3AccessKeyId: optionalText("AWS_ACCESS_KEY_ID", "Id of the access key for the S3-compatible store of backups."),
  s3SecretAccessKey: secretText("AWS_SECRET_ACCESS_KEY", "Secret access key for the S3-compatible store of backups."),
  s3SessionToken: secretText("AWS_SESSION_TOKEN", "Session token of a temporary key, if there is one."),
  userAgentContact: optionalText(
    "VIGIL_CONTACT",
    "Email address or URL at which upstreams can contact you; part of the user agent.",
  ),
  billingCycleDay: whole(
    "VIGIL_BILLING_CYCLE_DAY",
    1,
    { min: 1, max: 28 },
    "Day of the month, UTC, on which the billing cycle of upstream budgets begins.",
  ),
  retentionWholeDays: whole(
    "VIGIL_RETENTION_WHOLE_DAYS",
    7,
    { min: 1, max: 3_650, unit: "days" },
    "Time for which every generation is kept.",
  ),
  retentionDailyDays: whole(
    "VIGIL_RETENTION_DAILY_DAYS",
    400,
    { min: 1, max: 36_500, unit: "days" },
    "Time for which the last generation of each day is kept, counted from its build.",
  ),
  retentionDiskMb: whole(
    "VIGIL_RETENTION_DISK_MB",
    2_048,
    { min: 1, max: 10_000_000, unit: "MB" },
    "Maximum size of all stored generations together; the oldest are removed first.",
  ),
  answerCacheMb: whole(
    "VIGIL_ANSWER_CACHE_MB",
    64,
    { min: 1, max: 65_536, unit: "MB" },
    "Maximum memory for cached answers. Three further caches may take additional memory: answers to calls with `as_of` a quarter of this size, changes of lists an eighth, and answers to saved calls an eighth.",
  ),
  pastMb: whole(
    "VIGIL_PAST_MB",
    128,
    { min: 1, max: 65_536, unit: "MB" },
    "Maximum memory, by estimate, for replaced generations that callers page through or read with `as_of`.",
  ),
  pastReadsPerMinute: whole(
    "VIGIL_PAST_READS_PER_MINUTE",
    120,
    { min: 1, max: 1_000_000 },
    "Maximum number of generations per minute that are read from the store for one account or, for callers without an account, for one address.",
  ),
  projectionFuel: whole(
    "VIGIL_PROJECTION_FUEL",
    3_000_000,
    { min: 1_000, max: 2_000_000_000, unit: "steps" },
    "Maximum work of one jmespath projection.",
  ),
  projectionFuelPerMinute: whole(
    "VIGIL_PROJECTION_FUEL_PER_MINUTE",
    60_000_000,
    { min: 1_000, max: 2_000_000_000, unit: "steps" },
    "Maximum work per minute for all projections of one account or, for callers without an account, of one address.",
  ),
  projectionsPerCaller: whole(
    "VIGIL_PROJECTIONS_PER_CALLER",
    4,
    { min: 1, max: 1_000 },
    "Maximum number of concurrent projections per caller.",
  ),
  logLevel: choice(
    "VIGIL_LOG_LEVEL",
    ["info", "trace", "debug", "warn", "error", "silent"],
    "Lowest level that is logged.",
  ),
  logFormat: choice(
    "VIGIL_LOG_FORMAT",
    ["auto", "json", "text"],
    "With auto, the log is text on a terminal and JSON elsewhere.",
  ),
  simulatorSeed: whole(
    "VIGIL_SIMULATOR_SEED",
    1,
    { min: 0, max: 4_294_967_295 },
    "Seed of the demo's simulated upstreams.",
  ),
} satisfies Record<string, Setting<unknown>>;

export type Config = { readonly [K in keyof typeof settings]: ReturnType<(typeof settings)[K]["read"]> } & {
  /** All values that are set, by name. Sources read their credentials here, and services read their settings here. */
  readonly texts: Readonly<Record<string, string | undefined>>;
};

/** The error for an unusable setting. The message names the setting and the expected value. */
export class ConfigError extends OperatorError {
  override readonly name = "ConfigError";
}

/** Reads a setting that has its own parser. The parser's errors become `ConfigError`, like those of other settings. */
export function configured<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Reads the settings from the environment, which takes precedence, and from the file of VIGIL_CONFIG (default
 * ./vigil.config.json). `credentials` are the additional names that sources use, and `ofServices` the settings that
 * services declare. Throws `ConfigError`.
 */
export function loadConfig(
  env: NodeJS.ProcessEnv,
  credentials: readonly string[],
  ofServices: readonly Setting<unknown>[] = [],
): Config {
  const texts = textsFrom(env, credentials, ofServices);
  for (const setting of ofServices) valueFor(setting, texts[setting.name]);
  const read = Object.entries(settings).map(([key, setting]) => [key, valueFor<unknown>(setting, texts[setting.name])]);
  // Object.fromEntries loses the types of the members, which the table above defines.
  return { ...Object.fromEntries(read), texts } as Config;
}

/**
 * Reads only the address that the service listens on. Does not check the names of other settings, because that would
 * need the declarations of services. Throws `ConfigError`.
 */
export function loadListening(env: NodeJS.ProcessEnv): Pick<Config, "host" | "port"> {
  const path = env["VIGIL_CONFIG"] || FILE_DEFAULT;
  const inFile: Readonly<Record<string, unknown>> = existsSync(path) ? parseFile(path) : {};
  const read = <T>(setting: Setting<T>): T => {
    const value = inFile[setting.name];
    const text = env[setting.name] || (value === undefined ? "" : textOf(path, setting.name, value));
    return valueFor(setting, text || undefined);
  };
  return { host: read(settings.host), port: read(settings.port) };
}

/** Variables that are not settings: the path of the configuration file, and the address and key that commands use. */
const commandLineNames: readonly string[] = ["VIGIL_CONFIG", "VIGIL_URL", "VIGIL_KEY"];

/** Returns a sentence for each VIGIL_ variable that nothing reads and that must therefore be a typo. */
export function mistypedVariables(
  env: NodeJS.ProcessEnv,
  credentials: readonly string[],
  ofServices: readonly Setting<unknown>[],
): readonly string[] {
  const declared = [...Object.values(settings), ...ofServices].map(({ name }) => name);
  const names = new Set([...declared, ...credentials, ...commandLineNames]);
  return Object.keys(env)
    .filter((name) => name.startsWith("VIGIL_") && !names.has(name))
    .map((name) => `no setting is called ${name}${suggestion(name, names) || "; docs/settings.md has all names"}`);
}

/**
 * Returns a sentence for each VIGIL_ variable that nothing reads, and for each unusable setting. `loadConfig` throws
 * only for the first unusable one.
 */
export function settingProblems(
  env: NodeJS.ProcessEnv,
  credentials: readonly string[],
  ofServices: readonly Setting<unknown>[] = [],
): readonly string[] {
  const problems: string[] = [...mistypedVariables(env, credentials, ofServices)];
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(error.message);
      return undefined;
    }
  };
  const texts = attempt(() => textsFrom(env, credentials, ofServices)) ?? withoutEmpty(env);
  for (const setting of [...Object.values(settings), ...ofServices]) {
    attempt(() => valueFor(setting, texts[setting.name]));
  }
  return problems;
}

/** Reads the values from the environment, which takes precedence, and from the file. */
function textsFrom(
  env: NodeJS.ProcessEnv,
  credentials: readonly string[],
  ofServices: readonly Setting<unknown>[],
): Readonly<Record<string, string | undefined>> {
  const settingsByName = new Map<string, Setting<unknown> | undefined>([
    ...credentials.map((name) => [name, undefined] as const),
    ...[...Object.values(settings), ...ofServices].map((setting) => [setting.name, setting] as const),
  ]);
  return { ...fromFile(env["VIGIL_CONFIG"], settingsByName), ...withoutEmpty(env) };
}

/** The origin of a setting's value; `file` is the path of the configuration file. */
export type Origin = "default" | "environment" | { readonly file: string };

/** A setting with its value as text, as `vigil config` lists it. */
export interface SettingInForce {
  readonly name: string;
  readonly unit?: string;
  /** The set value or else the default; empty if there is neither. */
  readonly text: string;
  readonly origin: Origin;
  readonly isSecret: boolean;
}

/** Every setting and upstream key with its value and its origin, in the order of the documentation. */
export function settingsInForce(
  env: NodeJS.ProcessEnv,
  credentials: readonly string[],
  ofServices: readonly Setting<unknown>[],
): readonly SettingInForce[] {
  const texts = textsFrom(env, credentials, ofServices);
  const file = env["VIGIL_CONFIG"] || FILE_DEFAULT;
  const originOf = (name: string): Origin => {
    if (texts[name] === undefined) return "default";
    return env[name] ? "environment" : { file };
  };
  return [
    ...[...Object.values(settings), ...ofServices].map(({ name, unit, default: fallback, isSecret = false }) => ({
      name,
      ...(unit !== undefined && { unit }),
      text: texts[name] ?? fallback,
      origin: originOf(name),
      isSecret,
    })),
    ...[...new Set(credentials)].map((name) => ({
      name,
      text: texts[name] ?? "",
      origin: originOf(name),
      isSecret: true,
    })),
  ];
}

/** Drops empty variables, which count as unset. */
function withoutEmpty(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
}

function valueFor<T>(setting: Setting<T>, text: string | undefined): T {
  try {
    return setting.read(text ?? setting.default);
  } catch (error) {
    const got = setting.isSecret ? "" : `, got "${redactedAddress(text ?? "")}"`;
    throw new ConfigError(`${setting.name} ${(error as Error).message}${got}`);
  }
}

const FILE_DEFAULT = "vigil.config.json";

function fromFile(
  path: string | undefined,
  settingsByName: ReadonlyMap<string, Setting<unknown> | undefined>,
): Record<string, string | undefined> {
  const file = path || FILE_DEFAULT;
  if (!existsSync(file)) {
    if (path) throw new ConfigError(`VIGIL_CONFIG names ${path}, which does not exist`);
    return {};
  }
  const parsed = parseFile(file);
  const unknown = Object.keys(parsed).filter((name) => !settingsByName.has(name));
  if (unknown.length > 0) {
    const named = unknown.map((name) => `no setting is called ${name}${suggestion(name, settingsByName.keys())}`);
    // A suggestion ends with a question mark, which needs no semicolon.
    throw new ConfigError(`${file}: ${named.join("; ").replaceAll("?;", "?")}`);
  }
  return withoutEmpty(
    Object.fromEntries(
      Object.entries(parsed).map(([name, value]) => [
        name,
        settingsByName.get(name)?.isJson ? JSON.stringify(value) : textOf(file, name, value),
      ]),
    ),
  );
}

function parseFile(file: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigError(`${file} is not JSON: ${(error as Error).message}`);
  }
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  throw new ConfigError(`${file} must hold one object of settings`);
}

function textOf(file: string, name: string, value: unknown): string {
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(",");
  throw new ConfigError(`${file}: ${name} must be a string, a number, true, false or a list of strings`);
}
