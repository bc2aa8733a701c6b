import { createHash, createHmac, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hashOfKey, newKey } from "../src/access/key-format.js";
import { settings } from "../src/app/config.js";
import { keyVault } from "../src/database/key-vault.js";
import { loadServices } from "../src/services/registry.js";
import { ACCOUNT, type CallHeaders, freshAddress } from "./support/accounts.js";
import { freePort, startVigil, type VigilProcess } from "./support/process.js";

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const ENTERPRISE = `enterprise-${randomBytes(16).toString("hex")}`;
const PLAN_EVENTS_SECRET = `plan-events-${randomBytes(16).toString("hex")}`;
const KEY_SECRET = `key-secret-${randomBytes(16).toString("hex")}`;
const SMTP_PASSWORD = `smtp-password-${randomBytes(16).toString("hex")}`;
const AWS_SECRET = `aws-secret-${randomBytes(16).toString("hex")}`;
const AWS_SESSION = `aws-session-${randomBytes(16).toString("hex")}`;
const WEBHOOK_SECRET = `whsec_${randomBytes(32).toString("base64")}`;

const services = await loadServices();

/** For each setting that holds the key of an upstream, a key that the upstream rejects as wrong. */
const upstreamKeys = new Map(
  services.sources
    .flatMap(({ credentials }) => credentials)
    .map(({ variable }) => [variable, `upstream-key-${randomBytes(16).toString("hex")}`]),
);

/** Every secret setting, each with a unique value. */
const secretSettings: Readonly<Record<string, string>> = {
  VIGIL_ENTERPRISE_KEYS: `${ENTERPRISE}=read`,
  VIGIL_PLAN_EVENTS_SECRET: PLAN_EVENTS_SECRET,
  VIGIL_KEY_SECRET: KEY_SECRET,
  VIGIL_SMTP_URL: `smtps://vigil:${SMTP_PASSWORD}@127.0.0.1:1`,
  VIGIL_WEBHOOK_SECRET: WEBHOOK_SECRET,
  AWS_SECRET_ACCESS_KEY: AWS_SECRET,
  AWS_SESSION_TOKEN: AWS_SESSION,
  ...Object.fromEntries(upstreamKeys),
};

/** A valid or invalid credential, with every part of it that must not appear anywhere. */
interface Secret {
  readonly name: string;
  readonly whole: string;
  readonly texts: readonly string[];
}

/** A key that must not appear as a whole, as its 40 secret characters, or in HTTP Basic form. */
function keySecret(name: string, key: string): Secret {
  const secretAt = key.lastIndexOf("_") + 1;
  return { name, whole: key, texts: [key, key.slice(secretAt, secretAt + 40), basicOf(key)] };
}

/** A string that must not appear as a whole or in HTTP Basic form. None of its `parts` may appear either. */
function plainSecret(name: string, whole: string, ...parts: readonly string[]): Secret {
  return { name, whole, texts: [whole, basicOf(whole), ...parts] };
}

function basicOf(secret: string): string {
  return Buffer.from(`client:${secret}`).toString("base64");
}

/** A signed token of a provider that this service does not know. */
function foreignToken(): string {
  const pieces = [
    { alg: "RS256", kid: "k1", typ: "JWT" },
    { iss: "https://accounts.example", sub: randomBytes(12).toString("hex"), aud: "vigil", exp: 4_102_444_800 },
  ].map((piece) => Buffer.from(JSON.stringify(piece)).toString("base64url"));
  return [...pieces, randomBytes(64).toString("base64url")].join(".");
}

function tokenSecret(name: string, token: string): Secret {
  const [, claims = "", signature = ""] = token.split(".");
  return plainSecret(name, token, claims, signature);
}

const wrong: readonly Secret[] = [
  keySecret("a well-formed unknown key", newKey("vgl_demo_")),
  keySecret("a key with a wrong checksum", `vgl_demo_${randomBytes(20).toString("hex")}00000000`),
  keySecret("a key that was cut off", newKey("vgl_").slice(0, -1)),
  plainSecret("an unknown session", `vgs_${randomBytes(32).toString("base64url")}`),
  plainSecret("a password", `hunter2-${randomBytes(12).toString("hex")}`),
  plainSecret("half a token", `eyJhbGciOiJFUzI1NiJ9.${randomBytes(24).toString("base64url")}`),
  plainSecret("a token of dots", `..${randomBytes(24).toString("base64url")}`),
  tokenSecret("a token of an unknown provider", foreignToken()),
];

let folder: string;
let base: string;
let vigil: VigilProcess;
const secrets: Secret[] = [
  plainSecret("the enterprise key", ENTERPRISE, ENTERPRISE.slice("enterprise-".length)),
  plainSecret("the secret of plan events", PLAN_EVENTS_SECRET, PLAN_EVENTS_SECRET.slice("plan-events-".length)),
  plainSecret("the secret that wraps keys", KEY_SECRET, KEY_SECRET.slice("key-secret-".length)),
  plainSecret("the password of the mail server", SMTP_PASSWORD, SMTP_PASSWORD.slice("smtp-password-".length)),
  plainSecret("the secret of a webhook endpoint", WEBHOOK_SECRET, WEBHOOK_SECRET.slice("whsec_".length)),
  plainSecret("the secret of the backup store", AWS_SECRET, AWS_SECRET.slice("aws-secret-".length)),
  plainSecret("the session of the backup store", AWS_SESSION, AWS_SESSION.slice("aws-session-".length)),
  ...wrong,
];
/** The keys for upstreams. The service sends them only to their upstreams, and no caller knows them. */
const upstreamSecrets = [...upstreamKeys].map(([name, key]) => plainSecret(name, key));
/** The key that signs tokens. It may appear only in its table, and there only in wrapped form. */
let signingSecret: Secret;
let owner: Secret;
let link: Secret;
let userKey: Secret;
let session: Secret;

/** The bytes to search for secrets, by the name of their source. */
const places = new Map<string, Buffer>();
const answers: string[] = [];
let loggedOut = "";
let printed = "";
const statuses = new Map<string, number>();
/**
 * Files that another user could read or write, by place: the data folder of the running service, the same folder after
 * the service has stopped, and the backup.
 */
const openFiles = new Map<string, readonly string[]>();

/** Calls the running service and keeps its answer, unless the answer's purpose is to show a secret. */
async function ask(
  path: string,
  { showsSecret = false, ...init }: RequestInit & { readonly showsSecret?: boolean } = {},
): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }> {
  const headers = { "X-Forwarded-For": freshAddress(), ...(init.headers as CallHeaders | undefined) };
  const answer = await fetch(`${base}${path}`, { ...init, headers });
  const text = await answer.text();
  // Left out: the idempotency key, which the contract requires the service to echo, and the session cookie.
  const echoed = new Set(["idempotency-key", "set-cookie"]);
  const shown = [...answer.headers].filter(([name]) => !echoed.has(name));
  if (!showsSecret) answers.push(`${answer.status} ${JSON.stringify(shown)} ${text}`);
  return { status: answer.status, text, headers: answer.headers };
}

function postJson(path: string, body: unknown, headers: CallHeaders = {}, showsSecret = false) {
  const init = { method: "POST", headers: { "Content-Type": "application/json", ...headers }, showsSecret };
  return ask(path, { ...init, body: typeof body === "string" ? body : JSON.stringify(body) });
}

function postForm(form: Readonly<Record<string, string>>, headers: CallHeaders = {}, showsSecret = false) {
  return ask("/oauth/token", { method: "POST", headers, body: new URLSearchParams(form), showsSecret });
}

const by = (secret: Secret): CallHeaders => ({ "X-Service-Key": secret.whole });

async function note(name: string, answer: Promise<{ readonly status: number }>): Promise<void> {
  statuses.set(name, (await answer).status);
}

function remember(secret: Secret): Secret {
  secrets.push(secret);
  return secret;
}

/** Creates one credential of every kind, through the calls that its user would make. */
async function makeCredentials(): Promise<void> {
  owner = remember(keySecret("the owner's key", (await readFile(join(folder, "owner.key"), "utf8")).trim()));
  link = remember(plainSecret("the one-time link", /sign-in#(\S+)/.exec(vigil.output())?.[1] ?? ""));
  const account = await postJson(
    `${ACCOUNT}/create-account`,
    { name: "Ferries", plan: "business", id: "acc_f" },
    by(owner),
  );
  statuses.set("create-account", account.status);
  const keyRequest = { name: "reader", accountId: "acc_f" };
  const created = await postJson(`${ACCOUNT}/create-key`, keyRequest, by(owner), true);
  userKey = remember(keySecret("a user key", (JSON.parse(created.text) as { key: string }).key));
  session = remember(await signedIn("a session by key", { key: userKey.whole }));
  remember(await signedIn("a session by link", { link: link.whole }));
  const issued = await postForm({ grant_type: "client_credentials", client_secret: userKey.whole }, {}, true);
  remember(tokenSecret("an access token", (JSON.parse(issued.text) as { access_token: string }).access_token));
}

async function signedIn(name: string, body: unknown): Promise<Secret> {
  const { status, headers } = await postJson(`${ACCOUNT}/sign-in`, body);
  statuses.set(name, status);
  const [, token = ""] = /vigil_session=([^;]+)/.exec(headers.get("set-cookie") ?? "") ?? [];
  return plainSecret(name, token, token.slice("vgs_".length));
}

/** Sends a secret in every part of a request where a caller might put it, correctly or by mistake. */
async function useEverywhere({ whole }: Secret): Promise<void> {
  const [authorization, basic] = [`Bearer ${whole}`, `Basic ${basicOf(whole)}`];
  const cookie = `vigil_session=${whole}`;
  const headers: CallHeaders[] = [
    { "X-Service-Key": whole },
    { "X-Api-Key": whole },
    { Authorization: authorization },
    { Authorization: basic },
    { Authorization: whole },
    { Cookie: cookie },
    { Cookie: `other=${whole}`, Referer: `http://elsewhere.example/?key=${whole}` },
  ];
  for (const sent of headers) await ask(CPI, { headers: sent });
  const targets = [
    `${CPI}?api_key=${whole}`,
    `${CPI}?history=banana&key=${whole}`,
    `/api/economic/v1/no-such?key=${whole}`,
    `/nowhere?access_token=${whole}`,
    `/sign-in?link=${whole}`,
    `/metrics?key=${whole}`,
    `${ACCOUNT}/list-keys?account_id=${whole}`,
  ];
  for (const target of targets) {
    await ask(target);
    await ask(target, { headers: by(userKey) });
  }
  await sendInBodies(whole, basic, cookie);
}

async function sendInBodies(whole: string, basic: string, cookie: string): Promise<void> {
  const signIn = `${ACCOUNT}/sign-in`;
  for (const body of [
    { key: whole },
    { link: whole },
    { key: whole, link: whole },
    { apiKey: whole },
    [whole],
    `{"key":"${whole}"`,
    whole,
  ]) {
    await postJson(signIn, body);
  }
  await postJson(`${signIn}?key=${whole}`, {});
  await postJson(signIn, { key: "wrong" }, { "Content-Type": "text/plain" });
  await postJson(`${ACCOUNT}/revoke-key`, { keyId: whole }, by(owner));
  await postJson(`${ACCOUNT}/revoke-key`, { keyId: "none", accountId: whole }, by(owner));
  await postJson(`${ACCOUNT}/create-key`, { name: "x", key: whole, expiresAt: 1 }, by(owner));
  await postJson(`${ACCOUNT}/create-key`, { name: "x", scopes: [whole] }, by(userKey));
  await postJson(`${ACCOUNT}/create-key`, { name: "x" }, { Cookie: cookie });
  await postForm({ grant_type: "client_credentials" }, { Authorization: basic }, true);
  await postForm({ grant_type: "client_credentials", client_secret: `${whole}x` });
  await postForm({ grant_type: whole, username: whole, password: whole });
  await postForm({ grant_type: "client_credentials", client_secret: whole }, {}, true);
  const operations = [{ path: `${CPI}?api_key=${whole}` }, { path: `https://elsewhere.example/?key=${whole}` }];
  await postJson("/api/batch/v1/execute", { operations }, { ...by(userKey), "Idempotency-Key": whole });
  await sendPlanEvent(whole);
}

/** Sends a plan event that contains the secret by mistake, first signed with this secret and then signed correctly. */
async function sendPlanEvent(whole: string): Promise<void> {
  const body = JSON.stringify({ eventId: whole, accountId: whole, plan: "free", state: "active" });
  const seconds = Math.floor(Date.now() / 1_000);
  for (const secret of [whole, PLAN_EVENTS_SECRET]) {
    const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
    await postJson(`${ACCOUNT}/plan-events`, body, { "X-Vigil-Signature": `t=${seconds},v1=${signature}` });
  }
}

const backupFolder = (): string => `${folder}-backup`;

/** The bytes of every file in the data folder, except for the named files. */
async function bytesOfFolder(except: readonly string[]): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !except.includes(entry.name));
  return Buffer.concat(await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name)))));
}

/** The private part of the signing key, read from its table. */
function signingKeyOf(dataDir: string): string {
  const database = new SqliteDatabase(join(dataDir, "vigil.db"), { readonly: true });
  try {
    const row = database.prepare("select kid, private_jwk from token_key").get() as {
      kid: string;
      private_jwk: string;
    };
    const privateJwk = keyVault({ secret: KEY_SECRET, dataDir }).unwrap(row.private_jwk, row.kid);
    return (JSON.parse(privateJwk ?? "") as { d: string }).d;
  } finally {
    database.close();
  }
}

/** Checks the folder and everything below it. Returns each path whose mode gives other users access, with the mode. */
async function openTo(dataDir: string): Promise<readonly string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const paths = [dataDir, ...entries.map(({ parentPath, name }) => join(parentPath, name))];
  const modes = await Promise.all(paths.map(async (path) => [path, (await stat(path)).mode & 0o777] as const));
  return modes.filter(([, mode]) => (mode & 0o077) !== 0).map(([path, mode]) => `${path} ${mode.toString(8)}`);
}

/** The arguments of a process and of all its descendants, which every user of the machine can read. */
async function processList(pid: number): Promise<Buffer> {
  const own = await readFile(`/proc/${pid}/cmdline`);
  const threads = await readdir(`/proc/${pid}/task`);
  const children = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8")));
  const ids = children.flatMap((text) => text.split(" ").filter((id) => id !== ""));
  return Buffer.concat([own, ...(await Promise.all(ids.map((id) => processList(Number(id)))))]);
}

/** Names of the secrets that appear, completely or in part. */
function secretsIn(
  bytes: Buffer | string,
  among: readonly Secret[] = [...secrets, ...upstreamSecrets],
): readonly string[] {
  return among.filter(({ texts }) => texts.some((text) => bytes.includes(text))).map(({ name }) => name);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vigil-secrets-"));
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  vigil = startVigil(["demo"], {
    VIGIL_DATA_DIR: folder,
    VIGIL_PORT: String(port),
    VIGIL_LOG_LEVEL: "debug",
    VIGIL_LOG_FORMAT: "json",
    VIGIL_MAIL_FROM: "vigil@example.com",
    VIGIL_TRUSTED_PROXIES: "127.0.0.1",
    ...secretSettings,
  });
  vigil.child.stderr?.on("data", (chunk: Buffer) => {
    loggedOut += String(chunk);
  });
  vigil.child.stdout?.on("data", (chunk: Buffer) => {
    printed += String(chunk);
  });
  await vi.waitUntil(() => vigil.output().includes("sign-in#"), { timeout: 180_000, interval: 20 });
  await makeCredentials();
  for (const secret of [owner, userKey, session])
    await note(`${secret.name} in a header`, ask(CPI, { headers: by(secret) }));
  await note("the enterprise key in a header", ask(CPI, { headers: { "X-Api-Key": ENTERPRISE } }));
  await note("a session in a cookie", ask(CPI, { headers: { Cookie: `vigil_session=${session.whole}` } }));
  await note("the link again", postJson(`${ACCOUNT}/sign-in`, { link: link.whole }));
  await Promise.all(secrets.map(useEverywhere));
  const [{ id }] = (
    JSON.parse((await ask(`${ACCOUNT}/list-keys?account_id=acc_f`, { headers: by(owner) })).text) as {
      keys: [{ id: string }];
    }
  ).keys;
  await note("revoke-key", postJson(`${ACCOUNT}/revoke-key`, { keyId: id, accountId: "acc_f" }, by(owner)));
  await note("a session of a revoked key", ask(CPI, { headers: by(session) }));
  await ask(`${ACCOUNT}/list-audit-events`, { headers: by(owner) });
  signingSecret = plainSecret("the key that signs tokens", signingKeyOf(folder));

  places.set("metrics", Buffer.from((await ask("/metrics", { headers: by(owner) })).text));
  places.set("health", Buffer.from((await ask("/api/health", { headers: by(owner) })).text));
  places.set("keys of tokens", Buffer.from((await ask("/.well-known/jwks.json")).text));
  if (existsSync(`/proc/${vigil.child.pid}/cmdline`)) {
    places.set("process list", await processList(vigil.child.pid ?? 0));
  }
  openFiles.set("a running service", await openTo(folder));
  places.set("write-ahead log", await readFile(join(folder, "vigil.db-wal")));
  places.set("data folder of a running service", await bytesOfFolder(["owner.key"]));
  vigil.child.kill("SIGTERM");
  await vigil.ended;
  places.set("data folder of a stopped service", await bytesOfFolder(["owner.key"]));
  const backup = startVigil(["backup", backupFolder(), "--demo"], {
    VIGIL_DATA_DIR: folder,
    VIGIL_KEY_SECRET: KEY_SECRET,
  });
  statuses.set("backup", Number(await backup.ended));
  openFiles.set("a stopped service", await openTo(folder));
  openFiles.set("a backup", await openTo(backupFolder()));
  places.set("log", Buffer.from(loggedOut));
  places.set("answers", Buffer.from(answers.join("\n")));
}, 600_000);
afterAll(async () => {
  vigil.child.kill("SIGKILL");
  await vigil.ended;
  for (const used of [folder, backupFolder()]) await rm(used, { recursive: true, force: true });
});

const place = (name: string): Buffer => {
  const bytes = places.get(name);
  if (!bytes) throw new Error(`nothing was collected for ${name}`);
  return bytes;
};

test("every use of a credential had the expected status", () => {
  expect(Object.fromEntries(statuses)).toEqual({
    "create-account": 201,
    "a session by key": 200,
    "a session by link": 200,
    "the owner's key in a header": 200,
    "a user key in a header": 200,
    "a session by key in a header": 200,
    "the enterprise key in a header": 200,
    "a session in a cookie": 200,
    "the link again": 401,
    "revoke-key": 200,
    "a session of a revoked key": 401,
    backup: 0,
  });
  expect(secrets.every(({ texts }) => texts.every((text) => text.length >= 16))).toBe(true);
  expect(secrets).toHaveLength(wrong.length + 13);
});

const everywhere = [
  "log",
  "answers",
  "metrics",
  "health",
  "keys of tokens",
  "write-ahead log",
  "data folder of a running service",
  "data folder of a stopped service",
];

test.each(everywhere)("no secret appears in: %s", (name) => {
  expect(secretsIn(place(name))).toEqual([]);
});

test.skipIf(!existsSync("/proc/self/cmdline"))("no secret appears in the process list", () => {
  expect(place("process list").includes("demo")).toBe(true);
  expect(secretsIn(place("process list"), [...secrets, ...upstreamSecrets, signingSecret])).toEqual([]);
});

test("every secret setting was set", () => {
  const secretNames = [...Object.values(settings), ...services.settings]
    .filter((setting) => "isSecret" in setting && setting.isSecret)
    .map(({ name }) => name);
  expect(Object.keys(secretSettings).sort()).toEqual([...secretNames, ...upstreamKeys.keys()].sort());
  expect(upstreamKeys.size).toBeGreaterThan(10);
});

test.each(["a running service", "a stopped service", "a backup"])(
  "no other user can access the files of %s",
  (moment) => expect(openFiles.get(moment)).toEqual([]),
);

test("the signing key appears nowhere in plain form, because its table has it only in wrapped form", () => {
  for (const name of everywhere.slice(0, 5))
    expect([name, secretsIn(place(name), [signingSecret])]).toEqual([name, []]);
  expect(secretsIn(place("data folder of a stopped service"), [signingSecret])).toEqual([]);
  expect(place("data folder of a stopped service").includes("wrapped:1:")).toBe(true);
});

test("the terminal shows the owner's key and link once each, and no other secret", () => {
  expect(secretsIn(printed)).toEqual([owner.name, link.name]);
  for (const { whole } of [owner, link]) expect(printed.split(whole)).toHaveLength(2);
});

describe("the search for secrets", () => {
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

  test.each(["write-ahead log", "data folder of a running service", "data folder of a stopped service"])(
    "finds hashes of keys and the hint of a key in: %s",
    (name) => {
      const bytes = place(name);
      for (const { whole } of [owner, userKey]) expect(bytes.includes(hashOfKey(whole))).toBe(true);
      expect(bytes.includes(`${userKey.whole.slice(0, "vgl_demo_".length + 4)}…`)).toBe(true);
    },
  );

  test("finds hashes of sessions in the database", () => {
    expect(place("data folder of a running service").includes(sha256(session.whole))).toBe(true);
  });

  test("finds the owner's key in the data folder if its file is included", async () => {
    expect(secretsIn(await bytesOfFolder([]))).toEqual([owner.name]);
  });

  test("covers the logged calls, the refusals, the metrics and the health report", () => {
    const log = String(place("log"));
    for (const path of [CPI, `${ACCOUNT}/sign-in`, "/oauth/token", "/nowhere"])
      expect(log).toContain(`"path":"${path}"`);
    const collectedAnswers = String(place("answers"));
    for (const status of [400, 401, 403, 404]) expect(collectedAnswers).toMatch(new RegExp(`^${status} `, "m"));
    expect(collectedAnswers).toContain('"Invalid API key"');
    expect(String(place("metrics"))).toContain("vigil_requests_total");
    expect(JSON.parse(String(place("health")))).toHaveProperty("datasets");
  });
});
