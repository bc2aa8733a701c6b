import { expect, test } from "vitest";
import { collectedFrom, entryOf } from "../../../../../test/support/collected-feeds.js";
import { restlessPace, resultOf } from "../../../../../test/support/views.js";
import { settingReader } from "../../../../contract/setting.js";
import type { PartStatus } from "../../../../contract/snapshot.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import { ClockPace } from "../../../../kit/loop-turns.js";
import type { FeedEntry, FeedReading } from "../../../news/digest-records.js";
import { companyIndex } from "../../matching/company-index.js";
import type { ScannedCompany } from "../provider.js";
import { newsProvider } from "./news.js";
import { searchedCompany } from "./searched-company.js";

const NOW = Date.UTC(2026, 10, 22, 12);
const facts = { now: NOW, settingOf: settingReader({}) };
const TURN_MS = 15 * MINUTE_MS;

const company = (name: string, companyKey = name): ScannedCompany => ({
  companyKey,
  accountId: "acc",
  name,
  domicileCountry: "US",
  claims: [],
});

const scopeOf = (companies: readonly ScannedCompany[], portfolio = companies) => ({
  companies,
  portfolios: [companyIndex(portfolio.map(searchedCompany))],
});

const findingsOf = (companies: readonly ScannedCompany[], entries: readonly FeedEntry[], pace = new ClockPace()) =>
  resultOf(newsProvider.findSteps(scopeOf(companies), collectedFrom(entries).view, facts, pace));

test("an entry whose title names the company is a finding with the publisher, origin and tier of its feed", () => {
  const entry = entryOf("guardian-world", "Microsoft recalls laptops", NOW - 1, "Batteries caught fire.");
  const [first, ...others] = findingsOf([company("Microsoft Corporation"), company("Northlight Shipping")], [entry]);
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    companyKey: "Microsoft Corporation",
    finding: {
      provider: "MONITORING_PROVIDER_NEWS",
      sourceId: entry.link,
      canonicalUrl: entry.link,
      publisher: "The Guardian",
      authorityTier: "EVIDENCE_AUTHORITY_TIER_INDEPENDENT_AUTHORITATIVE",
      title: "Microsoft recalls laptops",
      excerpt: "Batteries caught fire.",
      publishedAt: NOW - 1,
    },
  });
  expect(first?.finding.origin).not.toBe("");
});

test("a company that is scanned alone is distinguished from the other companies of its portfolio", () => {
  const portfolio = [
    company("Delta Air Lines"),
    company("Delta Electronics"),
    company("Lowe's"),
    company("Lowe's Foods"),
  ];
  const entries = [
    "Delta Electronics opens a plant",
    "Lowe's Foods recalls salads",
    "Delta Air Lines cancels flights",
  ].map((title) => entryOf("bbc-world", title, NOW));
  const foundFor = (name: string) =>
    resultOf(
      newsProvider.findSteps(scopeOf([company(name)], portfolio), collectedFrom(entries).view, facts, new ClockPace()),
    ).map(({ companyKey, finding }) => [companyKey, finding.title]);
  expect(foundFor("Lowe's")).toEqual([]);
  expect(foundFor("Lowe's Foods")).toEqual([["Lowe's Foods", "Lowe's Foods recalls salads"]]);
  expect(foundFor("Delta Air Lines")).toEqual([["Delta Air Lines", "Delta Air Lines cancels flights"]]);
});

test("entries without a date, from over a week ago or from over an hour in the future are not findings", () => {
  const at = [undefined, NOW - 7 * DAY_MS - 1, NOW + HOUR_MS + 1, NOW - 7 * DAY_MS, NOW + HOUR_MS];
  const entries = at.map((publishedAt, index) => entryOf("bbc-world", `Microsoft story ${index}`, publishedAt));
  const findings = findingsOf([company("Microsoft Corporation")], entries);
  expect(findings.map(({ finding }) => finding.title)).toEqual(["Microsoft story 3", "Microsoft story 4"]);
});

test("long texts are cut, and the work is done in slices", () => {
  const entries = Array.from({ length: 1_000 }, (_, at) =>
    entryOf("bbc-world", `Microsoft ${at} ${"x".repeat(500)}`, NOW, "y".repeat(900)),
  );
  const { pace, looks } = restlessPace();
  const [first] = findingsOf([company("Microsoft Corporation")], entries, pace);
  expect([first?.finding.title.length, first?.finding.excerpt.length]).toEqual([300, 400]);
  expect(looks()).toBeGreaterThan(5);
});

const hostile = ["", " ", ".*", "%", "' or 1=1 --", "<script>", "__proto__", "constructor", "\\", "a".repeat(256)];

test.each(hostile)(
  "a company named %j has no findings in texts without its name, and changes no other company's findings",
  (name) => {
    const entry = entryOf("bbc-world", "Microsoft recalls laptops", NOW);
    const alone = findingsOf([company("Microsoft Corporation")], [entry]);
    expect(findingsOf([company("Microsoft Corporation"), company(name, "hostile")], [entry])).toEqual(alone);
  },
);

const windowOf = (
  entries: readonly FeedEntry[],
  readings: readonly FeedReading[] = [],
  parts: Readonly<Record<string, PartStatus>> = { feeds: { state: "off", confirmedAt: null, error: null } },
) => newsProvider.windowOf({ ...collectedFrom(entries, readings), checkedAt: NOW, parts }, facts);

const failing = (feed: string, since = NOW - HOUR_MS): FeedReading => ({ kind: "feed", feed, state: "failed", since });
const feeds = (count: number, oldestAt = NOW - 5 * HOUR_MS) =>
  Array.from({ length: count }, (_, at) => entryOf(`feed-${at}`, "Story", oldestAt));

test("the window ends one feed cycle before the newest run, and nine out of ten feeds have entries back to the start of the window", () => {
  expect(windowOf([...feeds(9), entryOf("busy", "Story", NOW - 1)])).toEqual({
    state: "PROVIDER_COVERAGE_STATE_COMPLETE",
    reasonCode: "complete",
    capped: false,
    start: NOW - 5 * HOUR_MS,
    end: NOW - TURN_MS,
  });
  const busy = [entryOf("busy", "Story", NOW - 1), entryOf("busier", "Story", NOW - 1)];
  expect(windowOf([...feeds(9), ...busy])).toMatchObject({ start: NOW - TURN_MS });
  expect(windowOf([...feeds(9), entryOf("undated", "Story", undefined), ...busy])).toMatchObject({
    start: NOW - TURN_MS,
  });
});

test("the window is partial if more than one feed in ten fails, and feeds that failed for a day no longer count", () => {
  const stateOf = (...readings: readonly FeedReading[]) => windowOf(feeds(9), readings);
  expect(stateOf(failing("a"))).toMatchObject({ reasonCode: "complete" });
  const partial = { state: "PROVIDER_COVERAGE_STATE_PARTIAL", reasonCode: "provider_partial" };
  expect(stateOf(failing("a"), failing("b"))).toMatchObject(partial);
  expect(stateOf(failing("a"), failing("b", NOW - DAY_MS))).toMatchObject({ reasonCode: "complete" });
});

test("the window is partial until nine out of ten feeds of the catalogue have been read", () => {
  const on: PartStatus = { state: "fresh", confirmedAt: NOW, error: null };
  expect(windowOf(feeds(9), [], { feeds: on })).toMatchObject({ reasonCode: "provider_partial" });
});

test("a window without a readable feed, or without any entry, is a failure", () => {
  const state = "PROVIDER_COVERAGE_STATE_FAILED";
  expect(windowOf([], [failing("a")])).toEqual({ state, reasonCode: "provider_unavailable" });
  const empty: FeedReading = { kind: "feed", feed: "a", state: "empty", since: NOW };
  expect(windowOf([], [empty])).toEqual({ state, reasonCode: "invalid_empty" });
});
