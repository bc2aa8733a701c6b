import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Config, loadConfig } from "../src/app/config.js";
import type { CheckedFeed } from "../src/commands/doctor/feed-check.js";
import { diagnoseFeeds } from "../src/commands/doctor/feeds.js";
import type { Finding } from "../src/commands/doctor/finding.js";
import { diagnose } from "../src/commands/doctor/installation.js";
import { openDatabase } from "../src/database/open.js";
import { claimStore, type StoreKind } from "../src/database/store-mark.js";
import { systemClock } from "../src/kit/clock.js";
import { newAccount } from "../src/services/company-monitoring/store/account-turn.js";
import { companiesIn } from "../src/services/company-monitoring/store/tables.js";
import { feedCatalogue } from "../src/services/news/catalogue/feed-catalogue.js";
import { applyFeedOverrides, parseFeedOverrides } from "../src/services/news/catalogue/feed-overrides.js";
import { publishedFeed } from "../src/services/news/catalogue/published-feeds.js";
import { allFeeds } from "../src/services/news/catalogue/topic-feeds.js";
import { loadServices, type Services } from "../src/services/registry.js";
import type { Fault } from "../src/simulator/faults.js";
import { type Simulator, startSimulator } from "../src/simulator/simulator.js";
import { createCompanyTables } from "./support/companies/company-tables.js";
import { freePort } from "./support/process.js";

let services: Services;
let simulator: Simulator;
let folder: string;
let configFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vigil-doctor-"));
  configFile = join(folder, "config.json");
  await writeFile(configFile, "{}");
  const newsFeeds = feedCatalogue.map(publishedFeed);
  [services, simulator] = await Promise.all([
    loadServices(),
    startSimulator({ clock: systemClock, seed: 1, newsFeeds }),
  ]);
});
afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

type Env = Readonly<Record<string, string>>;

describe("vigil doctor", () => {
  async function findings(env: Env): Promise<{ readonly all: readonly Finding[]; readonly isBad: boolean }> {
    const installation = {
      env: { VIGIL_CONFIG: configFile, ...env },
      services,
      kind: "real" as const,
      dataDir: (config: Config): string => config.dataDir || join(folder, "data"),
    };
    const { text, isBad } = await diagnose(installation, { json: true });
    return { all: JSON.parse(text) as Finding[], isBad };
  }

  async function linesOf(what: string, env: Env): Promise<readonly string[]> {
    const { all, isBad } = await findings(env);
    expect(isBad).toBe(all.some(({ state }) => state === "failed"));
    return all.filter((finding) => finding.what === what).map(({ state, says }) => `${state}: ${says}`);
  }

  test("reports that a new installation can start, and creates nothing", async () => {
    const before = await readdir(folder);
    const { all, isBad } = await findings({});
    expect(isBad).toBe(false);
    expect(all).toContainEqual({ state: "ok", what: "settings", says: "every setting can be used" });
    expect(all).toContainEqual({ state: "ok", what: "database", says: "SQLite, without a store yet" });
    expect(all).toContainEqual({ state: "ok", what: "data folder", says: expect.stringContaining("can be created") });
    expect(await readdir(folder)).toEqual(before);
  });

  test("states the valid values of every setting that is invalid", async () => {
    expect(await linesOf("settings", { VIGIL_PORT: "x", VIGIL_LICENCE_MODE: "free" })).toEqual([
      'failed: VIGIL_PORT must be a whole number from 0 to 65535, got "x"',
      'failed: VIGIL_LICENCE_MODE must be one of all, open, got "free"',
    ]);
  });

  test.each([
    [{ VIGIL_UPSTREAM_BASE: "mirror" }, 'VIGIL_UPSTREAM_BASE must be an address like http://host:port, got "mirror"'],
    [{ AWS_ENDPOINT_URL: "localhost:9000" }, "AWS_ENDPOINT_URL must be an address like https://host:port"],
    [{ HTTPS_PROXY: "socks5://proxy.local:1080" }, "HTTPS_PROXY must be an address like http://host:port"],
    [
      { REDIS_URL: "valkey://default:s3cret@127.0.0.1:6379" },
      'REDIS_URL must be an address like redis://host:port, got "valkey://default:***@127.0.0.1:6379"',
    ],
  ] as const)("refuses an address with another scheme, without showing its password: %j", async (env, sentence) => {
    expect((await linesOf("settings", env)).join()).toContain(sentence);
  });

  test("accepts a proxy without a scheme, as other programs do", async () => {
    expect(await linesOf("settings", { HTTPS_PROXY: "proxy.local:3128" })).toEqual(["ok: every setting can be used"]);
  });

  test.each([
    [{ VIGIL_LIMITS: "nothing=1" }, "nothing"],
    [{ VIGIL_TRUSTED_PROXIES: "10.0.0.0/99" }, "VIGIL_TRUSTED_PROXIES"],
    [{ VIGIL_ENTERPRISE_KEYS: "short" }, "VIGIL_ENTERPRISE_KEYS"],
    [{ VIGIL_OIDC_ISSUER: "https://id.example" }, "VIGIL_OIDC_ISSUER also needs"],
    [{ VIGIL_SMTP_URL: "smtps://u:p@mail.example" }, "VIGIL_SMTP_URL also needs VIGIL_MAIL_FROM"],
    [{ VIGIL_EXTRA_CA_FILE: "/nowhere.pem" }, "/nowhere.pem"],
    [{ VIGIL_UPSTREAM_PRIVATE: "mirror" }, "VIGIL_UPSTREAM_PRIVATE must hold absolute addresses"],
  ] as const)("checks settings that have their own syntax: %j", async (env, sentence) => {
    const lines = await linesOf("settings", env);
    expect(lines).toContainEqual(expect.stringMatching(/^failed: /));
    expect(lines.join()).toContain(sentence);
  });

  test("reports misspelt names of settings, and a settings file that is not JSON", async () => {
    expect(await linesOf("settings", { VIGIL_PROT: "1" })).toContainEqual(
      "failed: no setting is called VIGIL_PROT; did you mean VIGIL_PORT?",
    );
    const file = join(folder, "broken.json");
    await writeFile(file, "{");
    expect(await linesOf("settings", { VIGIL_CONFIG: file })).toEqual([
      expect.stringMatching(/^failed: .*is not JSON/),
    ]);
  });

  test("rejects a data folder that is inside a file", async () => {
    const VIGIL_DATA_DIR = join(configFile, "data");
    expect(await linesOf("data folder", { VIGIL_DATA_DIR })).toEqual([
      expect.stringMatching(/^failed: .*is not a folder/),
    ]);
  });

  test("prints the figures of each service that has tables in the store", async () => {
    const dataDir = await mkdtemp(join(folder, "store-"));
    const database = await openDatabase({ dataDir });
    await claimStore(database, "real");
    expect(await linesOf("company-monitoring", { VIGIL_DATA_DIR: dataDir })).toEqual([]);
    await createCompanyTables(database);
    const account = { ...newAccount("acc_a"), position: 7, generation: 5, company_count: 3, oldest_position: 2 };
    await companiesIn(database.db).insertInto("company_account").values(account).execute();
    await database.close();
    expect(await linesOf("company-monitoring", { VIGIL_DATA_DIR: dataDir })).toEqual([
      "ok: accounts 1, companies 3, changes in log 6, oldest position 2, newest position 7, scans open 0, scans overdue 0, findings waiting 0",
    ]);
  });

  test.each([
    ["real", "ok: SQLite, with a store of real data"],
    ["demo", "failed: SQLite, with a store of demo data; real data never goes into it"],
  ] as const)("identifies a store of %s data", async (kind: StoreKind, sentence) => {
    const dataDir = await mkdtemp(join(folder, "store-"));
    const database = await openDatabase({ dataDir });
    await claimStore(database, kind);
    await database.close();
    expect(await linesOf("database", { VIGIL_DATA_DIR: dataDir })).toEqual([sentence]);
  });

  test("states the reason why a database or a Redis server cannot be reached", async () => {
    const port = await freePort();
    const env = { DATABASE_URL: `postgres://u:secret@127.0.0.1:${port}/v`, REDIS_URL: `redis://127.0.0.1:${port}` };
    const { all, isBad } = await findings(env);
    expect(isBad).toBe(true);
    const failures = all.filter(({ state }) => state === "failed");
    expect(failures.map(({ what }) => what)).toEqual(["database", "Redis"]);
    for (const { says } of failures) expect(says).toContain("ECONNREFUSED");
    expect(JSON.stringify(all)).not.toContain("secret");
  });

  test("summarises missing keys in one line, which lists the variables that would turn sources on", async () => {
    const lines = (await linesOf("sources", {})).filter((line) => line.startsWith("off: "));
    expect(lines).toEqual([expect.stringMatching(/^off: \d+ of \d+ wait for a key \(.*\bOPENAQ_API_KEY\b.*\)$/)]);
    expect((await linesOf("sources", { OPENAQ_API_KEY: "k" })).join()).not.toContain("OPENAQ_API_KEY");
    expect((await linesOf("sources", { VIGIL_LICENCE_MODE: "open" })).join()).toMatch(
      /\d+ of \d+ are off with VIGIL_LICENCE_MODE=open/,
    );
  });

  test("does not mention sources that work without an account, unless the account is half configured", async () => {
    expect(await linesOf("source chat-model", {})).toEqual([]);
    expect(await linesOf("source opensky", {})).toEqual([]);
    expect(await linesOf("source opensky", { OPENSKY_CLIENT_ID: "i" })).toEqual([
      "degraded: not requested until OPENSKY_CLIENT_SECRET is also set",
    ]);
  });

  test("lists failures first, then what is degraded, then what is off, then what is ok", async () => {
    const env = { VIGIL_CONFIG: configFile, OPENSKY_CLIENT_ID: "i", VIGIL_DATA_DIR: configFile };
    const { text } = await diagnose({ env, services, kind: "real", dataDir: () => configFile }, {});
    const states = text
      .split("\n")
      .slice(2)
      .map((line) => line.split(" ")[0]);
    const named = states.filter((state) => state !== "");
    expect(named.filter((state, at) => state !== named[at - 1])).toEqual(["failed", "degraded", "off", "ok"]);
    expect(Math.max(...text.split("\n").map(({ length }) => length))).toBeLessThan(140);
  });

  test("says nothing about keys in a demo", async () => {
    const options = {
      env: { VIGIL_CONFIG: configFile },
      services,
      kind: "demo" as const,
      dataDir: () => join(folder, "d"),
    };
    expect((await diagnose(options, {})).text).not.toMatch(/_KEY|_TOKEN|^off|^degraded/m);
  });

  test("rejects feed options without --feeds", async () => {
    const options = { env: {}, services, kind: "real" as const, dataDir: () => folder };
    await expect(diagnose(options, { lang: "fr" })).rejects.toThrow("--lang requires --feeds");
  });
});

describe("vigil doctor --feeds", () => {
  /** The time limit per feed: long enough for a busy machine. Each hanging feed delays the test by this time. */
  const timeoutMs = 5_000;

  function options(signal: AbortSignal = new AbortController().signal) {
    const config = loadConfig({ VIGIL_CONFIG: configFile, VIGIL_UPSTREAM_BASE: simulator.baseUrl }, []);
    return { services, config, clock: systemClock, signal, timeoutMs };
  }

  function strike(id: string, fault: Fault): void {
    const { host, pathname, search } = new URL(urlOf(id));
    simulator.faults.set({ upstream: host, match: pathname + search }, fault);
    onTestFinished(() => simulator.faults.clear());
  }

  const urlOf = (id: string): string => feedCatalogue.find((feed) => feed.id === id)?.url ?? "";
  const greek = feedCatalogue.filter(({ language }) => language === "el").map(({ id }) => id);
  const french = feedCatalogue.filter(({ language }) => language === "fr").map(({ id }) => id);

  interface Report {
    readonly asked: number;
    readonly states: Readonly<Record<string, number>>;
    readonly feeds: readonly CheckedFeed[];
  }

  async function report(lang: string): Promise<Report & { readonly isBad: boolean }> {
    const { text, isBad } = await diagnoseFeeds(options(), { feeds: true, json: true, lang });
    return { ...(JSON.parse(text) as Report), isBad };
  }

  test("reports no dead feed if every feed of the catalogue answers", async () => {
    const { text, isBad } = await diagnoseFeeds(options(), { feeds: true });
    expect(text.split("\n").at(-1)).toMatch(new RegExp(`^${allFeeds.length} feeds: \\d+ ok, [1-9] empty, 0 dead$`));
    expect(isBad).toBe(false);
  });

  test("states in which way each dead feed fails, and describes the content of the other feeds", async () => {
    const [down = "", html = "", hang = "", gone = "", moved = "", empty = "", missing = "", loop = ""] = french;
    strike(down, { kind: "down" });
    strike(html, { kind: "html" });
    strike(hang, { kind: "hang" });
    strike(gone, { kind: "cut", afterRatio: 0.5 });
    strike(moved, { kind: "redirect", to: urlOf(french[10] ?? "") });
    strike(empty, { kind: "empty" });
    strike(missing, { kind: "status", code: 404 });
    strike(loop, { kind: "redirect", to: urlOf(loop) });
    const { feeds, states, asked, isBad } = await report("fr");
    expect([asked, isBad, states["dead"]]).toEqual([french.length, true, 6]);
    const by = new Map(feeds.map((feed) => [feed.id, feed]));
    expect(by.get(down)).toMatchObject({ state: "dead", why: expect.stringContaining("no connection") });
    expect(by.get(html)).toMatchObject({ state: "dead", why: expect.stringContaining("HTML page") });
    expect(by.get(hang)).toMatchObject({ state: "dead", why: expect.stringContaining("within 5000 ms") });
    expect(by.get(gone)).toMatchObject({ state: "dead", why: expect.stringContaining("broke off") });
    expect(by.get(missing)).toMatchObject({ state: "dead", why: expect.stringContaining("answered 404") });
    expect(by.get(loop)).toMatchObject({ state: "dead", why: expect.stringContaining("more than 5 times") });
    expect(by.get(empty)).toEqual({
      id: empty,
      state: "empty",
      items: 0,
      newestAt: null,
      why: "no item has a title and a link",
    });
    expect(by.get(moved)).toMatchObject({ state: "ok", newestAt: expect.stringMatching(/^20\d\d-/) });
    expect(feeds.map(({ id }) => id)).toEqual(french);
  });

  test("prints a valid setting that removes the dead feeds", async () => {
    const [firstGreek = "", secondGreek = ""] = greek;
    strike(secondGreek, { kind: "html" });
    strike(firstGreek, { kind: "status", code: 500 });
    const request = { feeds: true, overrides: true, lang: "el" };
    const { text, isBad } = await diagnoseFeeds(options(), request);
    expect(isBad).toBe(true);
    const remaining = applyFeedOverrides(feedCatalogue, parseFeedOverrides(JSON.parse(text)));
    expect(remaining.map(({ id }) => id)).toEqual(
      feedCatalogue.map(({ id }) => id).filter((id) => id !== firstGreek && id !== secondGreek),
    );
    simulator.faults.set({ upstream: "*" }, { kind: "down" });
    await expect(diagnoseFeeds(options(), request)).rejects.toThrow("no feed answered");
  });

  test("checks the feeds of a variant and rejects a selection without feeds", async () => {
    const { text } = await diagnoseFeeds(options(), { feeds: true, json: true, variant: "happy" });
    const happy = feedCatalogue.filter(({ placements }) => placements.some(({ variant }) => variant === "happy"));
    expect((JSON.parse(text) as Report).feeds.map(({ id }) => id)).toEqual(happy.map(({ id }) => id));
    await expect(diagnoseFeeds(options(), { feeds: true, variant: "sad" })).rejects.toThrow("--variant must be one of");
    await expect(diagnoseFeeds(options(), { feeds: true, lang: "tlh" })).rejects.toThrow("--lang must be one of");
    const none = { feeds: true, lang: "fr", variant: "happy", overrides: true };
    await expect(diagnoseFeeds(options(), none)).rejects.toThrow(
      "no feed of the catalogue matches --lang fr and --variant happy",
    );
  });

  test("ends at once when cancelled, with the answers received so far", async () => {
    strike(greek[1] ?? "", { kind: "hang" });
    const stop = new AbortController();
    const onChecked = (count: number): void => {
      if (count === greek.length - 1) stop.abort(new Error("interrupted"));
    };
    const cancellable = { ...options(stop.signal), timeoutMs: 60_000, onChecked };
    const { text, isBad } = await diagnoseFeeds(cancellable, { feeds: true, lang: "el" });
    expect(text).toMatch(/cancelled before 1 more had answered$/);
    expect(isBad).toBe(true);
  });

  test("does not request a feed that the operator removed", async () => {
    const parts = options();
    const texts = { ...parts.config.texts, VIGIL_FEEDS: JSON.stringify({ remove: [greek[0]] }) };
    const { text } = await diagnoseFeeds(
      { ...parts, config: { ...parts.config, texts } },
      { feeds: true, json: true, lang: "el" },
    );
    expect((JSON.parse(text) as Report).feeds.map(({ id }) => id)).toEqual(greek.slice(1));
  });
});
