import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json, settingReader, whole } from "../contract/setting.js";
import { ConfigError, loadConfig, loadListening, mistypedVariables, settings } from "./config.js";

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vigil-config-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A settings file with this content. */
function fileOf(content: string): string {
  files++;
  const file = join(folder, `${files}.json`);
  writeFileSync(file, content);
  return file;
}

/** Loads settings only from the given environment and file, independently of this machine. */
function load(env: Readonly<Record<string, string>> = {}, file: unknown = {}, credentials: readonly string[] = []) {
  return loadConfig({ VIGIL_CONFIG: fileOf(JSON.stringify(file)), ...env }, credentials);
}

/** Loads a configuration and returns its `ConfigError`. */
function refusal(loading: () => unknown): ConfigError {
  try {
    loading();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("every setting", () => {
  const rows = Object.entries(settings);

  test.each(rows)("%s has a name in capitals, and a description that is a sentence", (_key, setting) => {
    expect(setting.name).toMatch(/^[A-Z][A-Z0-9_]+$/);
    expect(setting.description).toMatch(/^.{20,}\.$/);
  });

  test.each(rows)("%s accepts its own default", (_key, setting) => {
    expect(() => setting.read(setting.default)).not.toThrow();
  });

  test("every setting has a unique name", () => {
    const names = rows.map(([, { name }]) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("the origin of a value", () => {
  test("a setting without a value has its default", () => {
    const { texts, ...config } = load();
    expect(Object.keys(texts)).toEqual(["VIGIL_CONFIG"]);
    expect(config).toEqual({
      host: "127.0.0.1",
      port: 8787,
      dataDir: "",
      databaseUrl: undefined,
      role: "all",
      workers: 1,
      lostStoreKeySeconds: 900,
      drainSeconds: 0,
      postgresConnections: 8,
      postgresConnectMs: 5_000,
      postgresStatementMs: 15_000,
      postgresLockMs: 10_000,
      postgresIdleMs: 60_000,
      migrate: true,
      publicUrl: undefined,
      securityContact: [],
      smtpUrl: undefined,
      mailFrom: undefined,
      enterpriseKeys: [],
      enterpriseKeysFile: undefined,
      limits: [],
      redisUrl: undefined,
      trustedProxies: [],
      connectionsMax: 10_000,
      connectionsPerAddress: 1_000,
      callsMax: 2_000,
      callsPerAccount: 500,
      loopDelayMs: 20,
      streamsPerAccount: 50,
      oidcIssuer: undefined,
      oidcAudience: undefined,
      oidcJwksUrl: undefined,
      oidcAccounts: undefined,
      oidcClockSkewSeconds: 60,
      publicReads: false,
      allowedOrigins: [],
      metricsPublic: false,
      licenceMode: "all",
      upstreamBase: undefined,
      upstreamPrivate: [],
      httpProxy: undefined,
      httpsProxy: undefined,
      noProxy: undefined,
      extraCa: undefined,
      s3Endpoint: undefined,
      s3Region: "us-east-1",
      s3AccessKeyId: undefined,
      s3SecretAccessKey: undefined,
      s3SessionToken: undefined,
      userAgentContact: undefined,
      retentionWholeDays: 7,
      retentionDailyDays: 400,
      retentionDiskMb: 2_048,
      answerCacheMb: 64,
      pastMb: 128,
      pastReadsPerMinute: 120,
      projectionFuel: 3_000_000,
      projectionFuelPerMinute: 60_000_000,
      projectionsPerCaller: 4,
      logLevel: "info",
      logFormat: "auto",
      simulatorSeed: 1,
      billingCycleDay: 1,
    });
  });

  test("the environment takes precedence over the file, and the file over the default", () => {
    const config = load({ VIGIL_PORT: "1001" }, { VIGIL_PORT: 1002, VIGIL_HOST: "::1" });
    expect(config).toMatchObject({ port: 1001, host: "::1", retentionWholeDays: 7 });
  });

  test("no error repeats the value of a secret setting", () => {
    const { message } = refusal(() => load({ VIGIL_SMTP_URL: "smtps://hunter2@mail.example" }));
    expect(message).toBe("VIGIL_SMTP_URL must name both a user and a password, or neither");
  });

  test("an empty variable counts as unset", () => {
    expect(load({ VIGIL_PORT: "" }, { VIGIL_PORT: 1002 }).port).toBe(1002);
    expect(load({ VIGIL_PORT: "", VIGIL_HOST: "" })).toMatchObject({ port: 8787, host: "127.0.0.1" });
  });

  test("variables of other programs are ignored", () => {
    expect(() => load({ PATH: "/bin", VIGIL_URL: "http://localhost" })).not.toThrow();
  });

  test("credentials of sources come from the environment or the file", () => {
    const config = load({ FRED_API_KEY: "a" }, { BLS_API_KEY: "b" }, ["FRED_API_KEY", "BLS_API_KEY"]);
    expect(config.texts).toMatchObject({ FRED_API_KEY: "a", BLS_API_KEY: "b" });
  });
});

describe("the file", () => {
  test.each([
    { value: 1002, name: "VIGIL_PORT", key: "port", read: 1002 },
    { value: "1002", name: "VIGIL_PORT", key: "port", read: 1002 },
    { value: true, name: "VIGIL_PUBLIC_READS", key: "publicReads", read: true },
    { value: false, name: "VIGIL_PUBLIC_READS", key: "publicReads", read: false },
    { value: "on", name: "VIGIL_PUBLIC_READS", key: "publicReads", read: true },
    { value: ["a", "b"], name: "VIGIL_ALLOWED_ORIGINS", key: "allowedOrigins", read: ["a", "b"] },
    { value: "a, b", name: "VIGIL_ALLOWED_ORIGINS", key: "allowedOrigins", read: ["a", "b"] },
    { value: [], name: "VIGIL_ALLOWED_ORIGINS", key: "allowedOrigins", read: [] },
  ])("the file can set $name to $value", ({ value, name, key, read }) => {
    expect(load({}, { [name]: value })).toMatchObject({ [key]: read });
  });

  test("an unknown setting is refused", () => {
    const file = fileOf(JSON.stringify({ VIGIL_PROT: 1, VIGIL_PORT: 2, vigil_host: "a" }));
    const error = refusal(() => loadConfig({ VIGIL_CONFIG: file }, []));
    expect(error.message).toBe(
      `${file}: no setting is called VIGIL_PROT; did you mean VIGIL_PORT? no setting is called vigil_host; did you mean VIGIL_HOST?`,
    );
  });

  test("several unknown settings without a similar one are listed with semicolons", () => {
    const file = fileOf(JSON.stringify({ COLOUR: 1, SHAPE: 2 }));
    const error = refusal(() => loadConfig({ VIGIL_CONFIG: file }, []));
    expect(error.message).toBe(`${file}: no setting is called COLOUR; no setting is called SHAPE`);
  });

  test("an unknown variable is reported with the most similar setting", () => {
    const env = {
      VIGIL_PROT: "1",
      VIGIL_SOMETHING_ELSE: "2",
      PORT: "3",
      VIGIL_URL: "u",
      VIGIL_KEY: "k",
      VIGIL_CONFIG: "c",
    };
    expect(mistypedVariables(env, [], [])).toEqual([
      "no setting is called VIGIL_PROT; did you mean VIGIL_PORT?",
      "no setting is called VIGIL_SOMETHING_ELSE; docs/settings.md has all names",
    ]);
    expect(
      mistypedVariables(
        { VIGIL_TOKEN: "1", VIGIL_OWN: "2" },
        ["VIGIL_TOKEN"],
        [whole("VIGIL_OWN", 1, { min: 0, max: 9 }, "")],
      ),
    ).toEqual([]);
  });

  test("a credential that no source uses is refused", () => {
    expect(refusal(() => load({}, { FRED_API_KEY: "secret" })).message).toMatch(/: no setting is called FRED_API_KEY$/);
  });

  test.each([
    { value: null, is: "null" },
    { value: { a: 1 }, is: "an object" },
    { value: ["a", 1], is: "a mixed list" },
  ])("a value that is $is is refused with the name of its setting", ({ value }) => {
    const error = refusal(() => load({}, { VIGIL_ALLOWED_ORIGINS: value }));
    expect(error.message).toMatch(
      /: VIGIL_ALLOWED_ORIGINS must be a string, a number, true, false or a list of strings$/,
    );
  });

  test.each([
    { content: "{", sentence: "is not JSON: " },
    { content: "", sentence: "is not JSON: " },
    { content: "[]", sentence: "must hold one object of settings" },
    { content: "null", sentence: "must hold one object of settings" },
    { content: '"text"', sentence: "must hold one object of settings" },
  ])("a file with the content '$content' is refused", ({ content, sentence }) => {
    const file = fileOf(content);
    expect(refusal(() => loadConfig({ VIGIL_CONFIG: file }, [])).message).toContain(`${file} ${sentence}`);
  });

  test("a file named by VIGIL_CONFIG must exist", () => {
    const file = join(folder, "missing.json");
    const error = refusal(() => loadConfig({ VIGIL_CONFIG: file }, []));
    expect(error.message).toBe(`VIGIL_CONFIG names ${file}, which does not exist`);
  });
});

describe("the error for a bad value names its variable and the expected value", () => {
  test.each([
    ["VIGIL_PORT", "65536", "must be a whole number from 0 to 65535"],
    ["VIGIL_PORT", "-1", "must be a whole number from 0 to 65535"],
    ["VIGIL_PORT", "80.5", "must be a whole number from 0 to 65535"],
    ["VIGIL_PORT", "http", "must be a whole number from 0 to 65535"],
    ["VIGIL_PORT", "Infinity", "must be a whole number from 0 to 65535"],
    ["VIGIL_RETENTION_WHOLE_DAYS", "0", "must be a whole number from 1 to 3650"],
    ["VIGIL_RETENTION_DAILY_DAYS", "36501", "must be a whole number from 1 to 36500"],
    ["VIGIL_RETENTION_DISK_MB", "0", "must be a whole number from 1 to 10000000"],
    ["VIGIL_ANSWER_CACHE_MB", "65537", "must be a whole number from 1 to 65536"],
    ["VIGIL_PROJECTION_FUEL", "999", "must be a whole number from 1000 to 2000000000"],
    ["VIGIL_PROJECTIONS_PER_CALLER", "0", "must be a whole number from 1 to 1000"],
    ["VIGIL_SIMULATOR_SEED", "4294967296", "must be a whole number from 0 to 4294967295"],
    ["VIGIL_PUBLIC_READS", "true", "must be on or off"],
    ["VIGIL_PUBLIC_READS", "ON", "must be on or off"],
    ["VIGIL_METRICS_PUBLIC", "1", "must be on or off"],
    ["VIGIL_LICENCE_MODE", "closed", "must be one of all, open"],
    ["VIGIL_LOG_LEVEL", "verbose", "must be one of info, trace, debug, warn, error, silent"],
    ["VIGIL_LOG_FORMAT", "xml", "must be one of auto, json, text"],
  ])("%s=%s is refused", (name, value, right) => {
    expect(refusal(() => load({ [name]: value })).message).toBe(`${name} ${right}, got "${value}"`);
    expect(refusal(() => load({}, { [name]: value })).message).toBe(`${name} ${right}, got "${value}"`);
  });

  // Number(" ") is 0, which is a valid port.
  test.each([" ", "0x50", "1e3"])("VIGIL_PORT=%j is refused", (value) => {
    expect(() => load({ VIGIL_PORT: value })).toThrow(ConfigError);
  });

  test("an empty string in the file counts as unset", () => {
    expect(load({}, { VIGIL_PORT: "" }).port).toBe(8787);
  });
});

describe("good values", () => {
  test.each([
    ["VIGIL_PORT", "0", "port", 0],
    ["VIGIL_PORT", "65535", "port", 65_535],
    ["VIGIL_PUBLIC_READS", "on", "publicReads", true],
    ["VIGIL_PUBLIC_READS", "off", "publicReads", false],
    ["VIGIL_LICENCE_MODE", "open", "licenceMode", "open"],
    ["VIGIL_LOG_LEVEL", "silent", "logLevel", "silent"],
    ["DATABASE_URL", "postgres://a/b", "databaseUrl", "postgres://a/b"],
    [
      "VIGIL_ENTERPRISE_KEYS",
      "one=read+company_monitoring:read,two==",
      "enterpriseKeys",
      ["one=read+company_monitoring:read", "two=="],
    ],
    ["VIGIL_ALLOWED_ORIGINS", " a ,, b,", "allowedOrigins", ["a", "b"]],
    ["VIGIL_UPSTREAM_PRIVATE", "http://10.0.0.1:8080", "upstreamPrivate", ["http://10.0.0.1:8080"]],
  ])("%s=%s is accepted", (name, value, key, read) => {
    expect(load({ [name]: value })).toMatchObject({ [key]: read });
  });
});

describe("the settings of services", () => {
  const eventsMax = whole(
    "VIGIL_EVENTS_MAX",
    20,
    { min: 1, max: 100 },
    "Maximum number of events in an answer of this test.",
  );
  const removed = json("VIGIL_REMOVED", [], "Names that a service of this test leaves out.", (value) => {
    if (Array.isArray(value)) return value.map(String);
    throw new Error("must be a list");
  });
  const loadWith = (env: Readonly<Record<string, string>>, file: unknown = {}) =>
    loadConfig({ VIGIL_CONFIG: fileOf(JSON.stringify(file)), ...env }, [], [eventsMax, removed]);

  test("a service's settings come from the environment or the file, and have defaults", () => {
    expect(settingReader(loadWith({}, { VIGIL_EVENTS_MAX: 7 }).texts)(eventsMax)).toBe(7);
    expect(settingReader(loadWith({ VIGIL_EVENTS_MAX: "8" }).texts)(eventsMax)).toBe(8);
    expect(settingReader(loadWith({}).texts)(eventsMax)).toBe(20);
  });

  test("a structured setting is a JSON value in the file, and JSON text in the environment", () => {
    expect(settingReader(loadWith({}, { VIGIL_REMOVED: ["a", 1] }).texts)(removed)).toEqual(["a", "1"]);
    expect(settingReader(loadWith({ VIGIL_REMOVED: '["b"]' }).texts)(removed)).toEqual(["b"]);
    expect(settingReader(loadWith({}).texts)(removed)).toEqual([]);
  });

  test.each([
    ["VIGIL_EVENTS_MAX", "0", 'VIGIL_EVENTS_MAX must be a whole number from 1 to 100, got "0"'],
    ["VIGIL_REMOVED", "{}", 'VIGIL_REMOVED must be a list, got "{}"'],
    ["VIGIL_REMOVED", "[", "VIGIL_REMOVED must be JSON ("],
  ])("an unusable setting stops the start: %s=%s", (name, value, sentence) => {
    expect(refusal(() => loadWith({ [name]: value })).message).toContain(sentence);
  });
});

describe("loading only the host and the port", () => {
  test("host and port come from the environment or else from the file; other names in the file are not checked", () => {
    const file = fileOf(JSON.stringify({ VIGIL_HOST: "0.0.0.0", VIGIL_PORT: 9000, VIGIL_OF_A_SERVICE: "on" }));
    expect(loadListening({ VIGIL_CONFIG: file })).toEqual({ host: "0.0.0.0", port: 9000 });
    expect(loadListening({ VIGIL_CONFIG: file, VIGIL_PORT: "1" })).toEqual({ host: "0.0.0.0", port: 1 });
    expect(loadListening({ VIGIL_CONFIG: fileOf("{}"), VIGIL_HOST: "" })).toEqual({ host: "127.0.0.1", port: 8787 });
  });

  test("a bad address is refused with the name of the setting", () => {
    const refused = refusal(() => loadListening({ VIGIL_CONFIG: fileOf("{}"), VIGIL_PORT: "many" }));
    expect(refused.message).toContain("VIGIL_PORT");
  });
});

describe("the file of additional certificates", () => {
  const name = "VIGIL_EXTRA_CA_FILE";
  const [first = "", second = ""] = rootCertificates;

  test("is read with the configuration", () => {
    const pem = `# two authorities\n${first}\n${second}\n`;
    expect(load({ [name]: fileOf(pem) }).extraCa).toBe(pem);
  });

  test.each([
    { content: "", reason: "must be a PEM file with at least one certificate" },
    { content: "certificate", reason: "must be a PEM file with at least one certificate" },
    {
      content: `${first}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
      reason: "must be a PEM file of certificates; its certificate 2 cannot be read",
    },
  ])("is refused with the content $content", ({ content, reason }) => {
    const path = fileOf(content);
    expect(refusal(() => load({ [name]: path })).message).toBe(`${name} ${reason}, got "${path}"`);
  });

  test("is refused if it is missing or a folder", () => {
    const path = join(folder, "missing.pem");
    expect(refusal(() => load({ [name]: path })).message).toBe(
      `${name} must be a readable PEM file (ENOENT), got "${path}"`,
    );
    expect(refusal(() => load({ [name]: folder })).message).toContain("must be a readable PEM file (EISDIR)");
  });
});
