// Scans the companies of a store once, in a separate process that a test kills. argv: data folder, time in epoch ms,
// end of the window in epoch ms, and optionally a PostgreSQL address.
import { randomBytes } from "node:crypto";
import { settingReader } from "../../../dist/contract/setting.js";
import { openDatabase } from "../../../dist/database/open.js";
import { systemClock } from "../../../dist/kit/clock.js";
import { LoopTurns } from "../../../dist/kit/loop-turns.js";
import { scanRound } from "../../../dist/services/company-monitoring/store/scan/scan-round.js";

const [dataDir, now, end, url] = process.argv.slice(2);
const database = await openDatabase({ dataDir, ...(url && { url }) });
const provider = {
  provider: "MONITORING_PROVIDER_NEWS",
  everyMs: 300_000,
  freshMs: 3_600_000,
  appliesTo: () => true,
  window: {
    state: "PROVIDER_COVERAGE_STATE_COMPLETE",
    reasonCode: "complete",
    capped: false,
    start: null,
    end: Number(end),
  },
  content: end,
  *findSteps({ companies }) {
    yield;
    return companies.map(({ companyKey }) => ({ companyKey, finding: findingOf() }));
  },
};

function findingOf() {
  return {
    provider: "MONITORING_PROVIDER_NEWS",
    sourceId: `https://news.example/${end}`,
    canonicalUrl: `https://news.example/${end}`,
    publisher: "Wire",
    origin: "wire",
    authorityTier: "EVIDENCE_AUTHORITY_TIER_ORDINARY",
    title: "Title",
    excerpt: "",
    publishedAt: Number(end),
    attribution: 1,
    matchedBy: "name in title",
  };
}

process.stdout.write("ready\n");
const clock = { ...systemClock, now: () => Number(now) };
const parts = { database, clock, randomBytes, settingOf: settingReader({}), count: () => undefined };
const inputs = { providers: [provider], required: () => [provider.provider], turns: new LoopTurns() };
await scanRound(parts, { ...inputs, signal: new AbortController().signal });
await database.close();
