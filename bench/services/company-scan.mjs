// Measures the CPU time of a round in which five providers scan 500 companies of one account on SQLite. The providers
// of news, sanctions and filings search content of realistic size. The two other providers find nothing.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentTally } from "../../dist/contract/row-tally.js";
import { settingReader } from "../../dist/contract/setting.js";
import { migrateServices } from "../../dist/database/migrate.js";
import { openDatabase } from "../../dist/database/open.js";
import { systemClock } from "../../dist/kit/clock.js";
import { ClockPace, isSteps, LoopTurns } from "../../dist/kit/loop-turns.js";
import { createCompanies } from "../../dist/services/company-monitoring/portfolio/create-company.js";
import { normalCompany } from "../../dist/services/company-monitoring/rules/normal/normal-company.js";
import { refusals } from "../../dist/services/company-monitoring/rules/normal/refusals.js";
import { filingsProvider } from "../../dist/services/company-monitoring/scan/providers/filings.js";
import { newsProvider } from "../../dist/services/company-monitoring/scan/providers/news.js";
import { sanctionsProvider } from "../../dist/services/company-monitoring/scan/providers/sanctions.js";
import { readyProvider } from "../../dist/services/company-monitoring/scan/ready-provider.js";
import { portfolioOf } from "../../dist/services/company-monitoring/store/portfolio-store.js";
import { scanRound } from "../../dist/services/company-monitoring/store/scan/scan-round.js";
import { companyStore } from "../../dist/services/company-monitoring/store/store.js";
import { materialEvents } from "../../dist/services/intelligence/datasets/material-events.js";
import { newsFeeds } from "../../dist/services/news/datasets/news-feeds.js";
import { sanctionsLists } from "../../dist/services/sanctions/datasets/sanctions-lists.js";

const COMPANIES = 500;
const [FEEDS, ENTRIES, LISTED, FILINGS] = [400, 50, 20_000, 2_500];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const words =
  "Northern Global First United Pacific Summit Arctic Granite Silver Quantum Harbor Falcon Energy Foods".split(" ");
const wordAt = (at) => words[at % words.length];
const nameOf = (at) => `${wordAt(at)} ${wordAt(at * 7 + 3)} ${at}`;
const cikOf = (at) => String(1_000_000 + at).padStart(10, "0");

function viewOf(dataset, records) {
  const view = dataset.view(records, new ClockPace(), silentTally);
  if (!isSteps(view)) return view;
  for (;;) {
    const step = view.next();
    if (step.done) return step.value;
  }
}

function snapshotOf(view, now, generation) {
  const part = { state: "fresh", confirmedAt: now, error: null };
  return { available: true, state: "ok", view, contentHash: String(generation), checkedAt: now, parts: { part } };
}

/** Returns feed entries; the first of each feed names a company. */
function newsRecords(now) {
  const feeds = Array.from({ length: FEEDS }, (_, feed) => [
    { kind: "feed", feed: `feed-${feed}`, state: "ok" },
    ...Array.from({ length: ENTRIES }, (_, at) => ({
      kind: "entry",
      feed: `feed-${feed}`,
      title: `${at % 100 === 0 ? nameOf(feed) : wordAt(at + feed)} recalls heaters over burn hazard, regulator says`,
      link: `https://feed-${feed}.example/${at}`,
      publishedAt: now - at * 10 * MINUTE_MS,
      snippet: at < 5 ? "The regulator said on Monday that the recall covers several thousand heaters." : "",
    })),
  ]);
  return { feeds: feeds.flat(), topics: [], open: [] };
}

function listRecords() {
  const sdn = Array.from({ length: LISTED }, (_, at) => ({
    id: `sdn:${at}`,
    name: at % 1_000 === 0 ? nameOf(at / 1_000) : `${wordAt(at)} Trading House ${at * 31}`,
    type: "entity",
    programs: ["EXAMPLE"],
  }));
  return { sdn, consolidated: [], sema: [], un: [] };
}

function filingRecords(now) {
  const filings = Array.from({ length: FILINGS }, (_, at) => ({
    accessionNumber: `0000000001-26-${String(at).padStart(6, "0")}`,
    form: "8-K",
    filedAt: now - at * MINUTE_MS,
    cik: cikOf(at),
    companyName: nameOf(at),
    items: ["5.02"],
    url: "https://www.sec.example/filing",
  }));
  return { filings };
}

const idle = (provider, now) => ({
  provider,
  everyMs: 5 * MINUTE_MS,
  freshMs: HOUR_MS,
  appliesTo: () => true,
  window: { state: "PROVIDER_COVERAGE_STATE_COMPLETE", reasonCode: "complete", capped: false, start: null, end: now },
  content: String(now),
  *findSteps() {
    yield;
    return [];
  },
});

async function addCompanies(parts) {
  const principal = { kind: "key", actor: "bench", accountId: "acc_bench", scopes: new Set() };
  const inputs = Array.from({ length: COMPANIES }, (_, at) => {
    const identifiers = [`CIK:${cikOf(at)}`];
    const company = {
      name: `${nameOf(at)} Inc.`,
      aliases: [nameOf(at)],
      identifiers,
      domicileCountry: "DOMICILE_COUNTRY_US",
    };
    return normalCompany(company, "company", refusals());
  });
  await parts.database.db.transaction().execute(async (db) => {
    const turn = await portfolioOf(parts, { principal, actor: "bench", address: "", db }).turn();
    await createCompanies(turn, inputs, undefined);
  });
}

/**
 * Measures the CPU time of the first round, and the median of the later rounds. Each round has new generations with the
 * same records.
 */
export async function companyScanRow(name, rounds) {
  const dataDir = mkdtempSync(join(tmpdir(), "vigil-scans-"));
  const database = await openDatabase({ dataDir });
  let now = Date.UTC(2026, 10, 22);
  const clock = { ...systemClock, now: () => now };
  const parts = { database, clock, randomBytes, settingOf: settingReader({}), count: () => undefined };
  try {
    await migrateServices(database, [{ service: "company-monitoring", store: companyStore }]);
    await addCompanies(parts);
    const sanctions = viewOf(sanctionsLists, listRecords());
    const filings = viewOf(materialEvents, filingRecords(now));
    const news = viewOf(newsFeeds, newsRecords(now));
    const times = [];
    for (let round = 0; round <= rounds; round += 1) {
      const facts = { now, settingOf: parts.settingOf };
      const providers = [
        ...readyProvider(newsProvider, snapshotOf(news, now, round), facts),
        ...readyProvider(sanctionsProvider, snapshotOf(sanctions, now, round), facts),
        ...readyProvider(filingsProvider, snapshotOf(filings, now, round), facts),
        idle("MONITORING_PROVIDER_SEARCH", now),
        idle("MONITORING_PROVIDER_SOCIAL", now),
      ];
      const required = () => providers.map(({ provider }) => provider);
      const start = process.cpuUsage();
      await scanRound(parts, { providers, required, turns: new LoopTurns(), signal: new AbortController().signal });
      const { user, system } = process.cpuUsage(start);
      times.push((user + system) / 1_000_000);
      // An hour is the interval of the sanctions provider, the longest of the five, so every provider is due again.
      now += HOUR_MS;
    }
    const { windows } = await database.db
      .selectFrom("company_window")
      .select(({ fn }) => fn.sum("ended_count").as("windows"))
      .executeTakeFirstOrThrow();
    const expected = COMPANIES * 5 * (rounds + 1);
    if (Number(windows) !== expected) throw new Error(`${windows} windows ended; expected ${expected}`);
    const [first, ...later] = times;
    const sorted = later.sort((a, b) => a - b);
    const inSeconds = (value) => Number(value.toFixed(2));
    return {
      name,
      companies: COMPANIES,
      providers: 5,
      firstCpuSeconds: inSeconds(first),
      cpuSeconds: inSeconds(sorted[Math.floor(sorted.length / 2)]),
    };
  } finally {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
