import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Config, loadConfig } from "../src/app/config.js";
import { openService } from "../src/app/service.js";
import type { CheckedSource } from "../src/commands/doctor/source-check.js";
import { diagnoseSources } from "../src/commands/doctor/sources.js";
import { manualClock } from "../src/kit/manual-clock.js";
import { feedCatalogue } from "../src/services/news/catalogue/feed-catalogue.js";
import { publishedFeed } from "../src/services/news/catalogue/published-feeds.js";
import { loadServices, type Services } from "../src/services/registry.js";
import { openRecordedFolder } from "../src/simulator/recorded.js";
import { recordedClockStart } from "../src/simulator/recorded-index.js";
import { type Simulator, startSimulator } from "../src/simulator/simulator.js";
import { NOON } from "./support/stack.js";

const clock = manualClock(NOON);
let all: Services;
let services: Services;
let simulator: Simulator;
let folder: string;

/** Sources of each kind: plain files, a token, a key in the address, a zip, answers of several pages and paid calls. */
const chosen = [
  "fred-api",
  "fred-graph",
  "noaa-co2-daily",
  "noaa-co2-monthly",
  "noaa-co2-annual",
  "noaa-ch4-monthly",
  "noaa-n2o-monthly",
  "nhc-storms",
  "openaq",
  "acled",
  "gdelt-events",
  "aviationstack-departures",
];

beforeAll(async () => {
  const newsFeeds = feedCatalogue.map(publishedFeed);
  folder = await mkdtemp(join(tmpdir(), "vigil-sources-"));
  [all, simulator] = await Promise.all([loadServices(), startSimulator({ clock, seed: 1, newsFeeds })]);
  services = { ...all, sources: all.sources.filter(({ id }) => chosen.includes(id)) };
}, 60_000);
afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
});

function configWith(keys: Readonly<Record<string, string>>): Config {
  const plain = loadConfig({}, []);
  return { ...plain, upstreamBase: simulator.baseUrl, texts: { ...plain.texts, ...keys } };
}

interface Diagnosis {
  readonly asked: number;
  readonly sources: readonly CheckedSource[];
  readonly saved?: { readonly folder: string; readonly answers: number };
}

async function diagnose(
  keys: Readonly<Record<string, string>>,
  save?: string,
): Promise<{ readonly diagnosis: Diagnosis; readonly isBad: boolean }> {
  const signal = new AbortController().signal;
  const options = { services, config: configWith(keys), clock, signal };
  const { text, isBad } = await diagnoseSources(options, { json: true, ...(save !== undefined && { save }) });
  return { diagnosis: JSON.parse(text) as Diagnosis, isBad };
}

const sourceIn = ({ sources }: Diagnosis, id: string): CheckedSource | undefined =>
  sources.find((source) => source.id === id);

describe("vigil doctor --sources", () => {
  test("requests each source that has its keys (a paid source only once), and reports its answers, bad rows, fields never seen and newest observation", async () => {
    const { diagnosis } = await diagnose(simulator.credentials);
    // The simulator has no key for FRED's API, so this source is not requested.
    const expected = chosen.map((id) => `${id} ${id === "fred-api" ? "unasked" : "ok"}`);
    expect(diagnosis.sources.map(({ id, state }) => `${id} ${state}`).sort()).toEqual(expected.sort());
    expect(sourceIn(diagnosis, "noaa-co2-daily")).toMatchObject({
      seen: "recorded",
      answers: 1,
      bad: 0,
      neverSeen: [],
      newestAt: "2026-11-16T00:00:00.000Z",
      why: null,
      findings: [],
    });
    const requests = simulator.requests.list().filter(({ url }) => url.includes("api.aviationstack.com"));
    expect(requests).toHaveLength(1);
  }, 60_000);

  test("names the missing key of a source and still requests the sources that need no key", async () => {
    const { diagnosis } = await diagnose({});
    expect(sourceIn(diagnosis, "openaq")).toMatchObject({
      state: "unasked",
      why: expect.stringContaining("OPENAQ_API_KEY"),
    });
    expect(sourceIn(diagnosis, "fred-graph")).toMatchObject({ state: "ok" });
  }, 60_000);

  test("fails when a source fails, and gives the reason", async () => {
    simulator.faults.set({ upstream: "fred" }, { kind: "html" });
    try {
      const { diagnosis, isBad } = await diagnose(simulator.credentials);
      expect(sourceIn(diagnosis, "fred-graph")).toMatchObject({
        state: "failed",
        why: expect.stringContaining("HTML page"),
      });
      expect(isBad).toBe(true);
    } finally {
      simulator.faults.clear();
    }
  }, 60_000);
});

test("vigil doctor --sources ends at once when interrupted, with the answers received so far", async () => {
  // The source of the feeds sends many requests side by side, and rejects with the reason of the signal.
  const sources = all.sources.filter(({ id }) => id === "noaa-co2-daily" || id === "topic-feeds");
  simulator.faults.set({ upstream: "*", match: "rss" }, { kind: "hang" });
  onTestFinished(() => simulator.faults.clear());
  const stop = new AbortController();
  const options = {
    services: { ...services, sources },
    config: configWith({}),
    clock,
    signal: stop.signal,
    onChecked: () => stop.abort(new Error("interrupted")),
  };
  const { text, isBad } = await diagnoseSources(options, {});
  expect(text).toMatch(/^noaa-co2-daily +recorded +ok/m);
  expect(text).toMatch(/cancelled before 1 more had answered$/);
  expect(isBad).toBe(true);
}, 60_000);

describe("vigil doctor --sources --save", () => {
  let recording: string;
  beforeAll(async () => {
    recording = join(folder, "recording");
    const { diagnosis } = await diagnose(simulator.credentials, recording);
    expect(diagnosis.saved).toMatchObject({ folder: recording });
    expect(diagnosis.saved?.answers).toBeGreaterThan(20);
  }, 60_000);

  test("refuses a folder that already contains a recording", async () => {
    await expect(diagnose(simulator.credentials, recording)).rejects.toThrow("already contains a recording");
  });

  test("saves no key or token, either in an address or in a body", async () => {
    const files = (await readdir(recording, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "latin1")));
    const secrets = Object.entries(simulator.credentials).filter(([name]) => /KEY|TOKEN|PASSWORD|SECRET/.test(name));
    expect(secrets.length).toBeGreaterThan(3);
    for (const [name, value] of secrets) {
      const where = files.filter((_, index) => texts[index]?.includes(value)).map((file) => file.name);
      expect(`${name}: ${where.join()}`).toBe(`${name}: `);
    }
    const granted = texts.filter((text) => text.includes("access_token")).map((text) => JSON.parse(text));
    expect(granted).toEqual([{ access_token: "recorded", token_type: "Bearer", expires_in: 86_400 }]);
  });

  test("saves a recording that a demo can open, with the time of its capture", async () => {
    expect(await recordedClockStart(recording)).toBe(NOON);
    const recorded = await openRecordedFolder(recording);
    const answer = await recorded.answer(new URL("https://gml.noaa.gov/webdata/ccgg/trends/co2/co2_daily_mlo.txt"));
    expect(answer).toMatchObject({ status: 200 });
    expect(String(answer?.body)).toContain("2026");
  });

  test("saves a recording from which a demo builds datasets", async () => {
    const replay = await startSimulator({ clock, seed: 2, recordedDir: recording });
    const config = { ...loadConfig({}, []), texts: { ...replay.credentials } };
    const service = await openService({
      config,
      services: all,
      log: pino({ level: "silent" }),
      kind: "demo",
      dataDir: join(folder, "data"),
      clock,
      upstreamBase: replay.baseUrl,
      gated: false,
    });
    try {
      for (const name of ["co2-monitoring", "us-cpi", "alpha-events"]) {
        const dataset = all.datasets.find((candidate) => candidate.name === name);
        const result = dataset && (await service.ingest.runNow(dataset));
        expect(`${name} ${result?.outcome} ${result?.status.error}`).toBe(`${name} published null`);
      }
    } finally {
      await service.close();
      await replay.close();
    }
  }, 60_000);
});
