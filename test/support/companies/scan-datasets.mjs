// Makes the datasets that company scans read at each tick of a simulated clock. The datasets depend only on the tick
// and the monitored companies. Up to three feeds report each story over a few ticks; some stories are corrected or
// withdrawn.
import { settingReader } from "../../../dist/contract/setting.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../dist/kit/clock.js";
import { ClockPace } from "../../../dist/kit/loop-turns.js";
import { seededRandom } from "../../../dist/kit/random.js";
import { materialEvents } from "../../../dist/services/intelligence/datasets/material-events.js";
import { feedPublishers } from "../../../dist/services/news/products/feed-publishers.js";
import { byFeed } from "../../../dist/services/news/rules/collected-feeds.js";
import { sanctionsLists } from "../../../dist/services/sanctions/datasets/sanctions-lists.js";

export const START = Date.UTC(2026, 10, 22);
export const TICK_MS = 2 * HOUR_MS;
const KEPT_TICKS = (7 * DAY_MS) / TICK_MS;
const STORIES_MAX = 3;
const FEEDS = 6;
/** Probability that a dataset cannot be read at a tick, and probability that it lacks a part. */
const [FAILED, LACKING] = [0.08, 0.08];
const TOWNS = ["Ghent", "Bergen", "Porto", "Graz", "Turku", "Leeds"];
const ITEMS = ["1.01", "1.03", "1.05", "2.02", "5.02", "7.01"];

/** For each kind of story: two titles, the correction and the withdrawal. */
const templates = [
  (name, town) => [
    `Fire breaks out at the ${name} refinery in ${town}`,
    `Blaze at ${name} refinery in ${town} injures two`,
    `Correction: small fire at the ${name} refinery in ${town}`,
    `Retraction: fire at the ${name} refinery in ${town}`,
  ],
  (name, town) => [
    `${name} files for bankruptcy protection in ${town}`,
    `${name} seeks bankruptcy protection from creditors in ${town}`,
    `Correction: ${name} unit files for bankruptcy protection in ${town}`,
    `Retraction: ${name} files for bankruptcy protection in ${town}`,
  ],
  (name, town) => [
    `${name} recalls 40,000 kettles made in ${town} over fire risk`,
    `${name} recalls kettles from ${town} plant`,
    `Correction: ${name} recalls 4,000 kettles made in ${town}`,
    `Retraction: ${name} recalls kettles made in ${town}`,
  ],
  (name, town) => [
    `${name} wins contract to build trams for ${town}`,
    `${name} wins contract for ${town} trams`,
    `Correction: ${name} wins smaller contract to build trams for ${town}`,
    `Retraction: ${name} wins contract to build trams for ${town}`,
  ],
];

/**
 * Returns a function that generates the datasets of a tick. A company has a `name` and, if it reports to the SEC, a
 * `cik`.
 */
export function scanDatasets(companies) {
  const settingOf = settingReader({});
  const publishers = [...feedPublishers(settingOf).values()];
  const feeds = feedsOf(publishers);
  const readings = publishers.map(({ id }) => ({ kind: "feed", feed: id, state: "ok" }));
  const reports = new Map();
  const reportsOf = (tick) => {
    if (!reports.has(tick)) reports.set(tick, tick < 0 ? noReports : reportsFrom(tick, companies, feeds));
    return reports.get(tick);
  };
  const keptAt = (tick, kind) => {
    const since = Math.max(0, tick - KEPT_TICKS - REPORTED_TICKS_MAX);
    const ticks = Array.from({ length: tick - since + 1 }, (_, at) => since + at);
    return ticks
      .flatMap((from) => reportsOf(from)[kind])
      .filter((report) => report.tick <= tick && report.tick > tick - KEPT_TICKS)
      .map(({ record }) => record);
  };

  /** The snapshots of a tick. Their times are those of the tick, regardless of when they are read. */
  return function snapshotsAt(tick) {
    const at = START + tick * TICK_MS;
    const random = seededRandom(7 * tick + 3);
    const read = (viewed, parts) => {
      const dice = random();
      if (dice < FAILED) return failed(at);
      const missing = { state: "missing", confirmedAt: null, error: "HTTP 503" };
      const fresh = { state: "fresh", confirmedAt: at, error: null };
      const isLacking = dice < FAILED + LACKING;
      const states = parts.map((name, index) => [name, isLacking && index === 0 ? missing : fresh]);
      return { ...snapshotOf(tick, at), view: viewed(), parts: Object.fromEntries(states) };
    };
    return {
      news: read(() => byFeed([...readings, ...keptAt(tick, "entries")]), ["feeds"]),
      filings: read(() => viewOf(materialEvents, { filings: keptAt(tick, "filings").reverse() }), ["filings"]),
      sanctions: read(() => viewOf(sanctionsLists, listsOf(keptAt(tick, "listed"))), ["sdn", "un"]),
    };
  };
}

/** Maximum number of ticks from the first report of a story to its last. */
const REPORTED_TICKS_MAX = 16;
const noReports = { entries: [], filings: [], listed: [] };

/** Returns the reports of all stories that start at a tick. Each report has the tick at which it appears. */
function reportsFrom(tick, companies, feeds) {
  const random = seededRandom(7 * tick + 1);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const reports = { entries: [], filings: [], listed: [] };
  const count = 1 + Math.floor(random() * STORIES_MAX);
  for (let story = 0; story < count; story += 1) {
    const { name, cik } = pick(companies);
    const [first, second, correction, withdrawal] = pick(templates)(name, pick(TOWNS));
    const [feed, other, third] = [...feeds].sort(() => random() - 0.5);
    const id = `${tick}-${story}`;
    const add = (after, from, title) => {
      const link = `https://${from}.example/${id}-${reports.entries.length}`;
      const publishedAt = timeIn(tick + after, random);
      const record = { kind: "entry", feed: from, title, link, publishedAt, snippet: "" };
      reports.entries.push({ tick: tick + after, record });
    };
    add(0, feed, first);
    const fate = random();
    if (fate < 0.75) add(Math.floor(random() * 4), other, second);
    if (fate < 0.4) add(Math.floor(random() * 3), third, first);
    if (fate < 0.25) add(4 + Math.floor(random() * 6), feed, correction);
    if (fate < 0.15) for (const from of [feed, other, third]) add(10 + Math.floor(random() * 6), from, withdrawal);
    if (cik !== undefined && random() < 0.4) {
      const filing = {
        accessionNumber: `${cik}-26-${String(tick * STORIES_MAX + story).padStart(6, "0")}`,
        form: random() < 0.2 ? "8-K/A" : "8-K",
        filedAt: timeIn(tick, random),
        cik,
        companyName: name,
        items: [pick(ITEMS), "9.01"],
        url: `https://filings.example/${id}`,
      };
      reports.filings.push({ tick, record: filing });
    }
    if (random() < 0.08) {
      const listed = { id: `sdn:${id}`, name, type: "entity", programs: ["EXAMPLE"], listedAt: timeIn(tick, random) };
      reports.listed.push({ tick, record: { ...listed, countries: ["US"] } });
    }
  }
  return reports;
}

/** A time 10 to 50 minutes before a tick, so that no event reaches an age limit exactly at a tick. */
function timeIn(tick, random) {
  return START + tick * TICK_MS - 10 * MINUTE_MS - Math.floor(random() * 40) * MINUTE_MS;
}

/** Chooses feeds of different owners. Reports in two such feeds confirm an event. */
function feedsOf(publishers) {
  const families = new Map();
  for (const publisher of publishers) {
    const isAuthority = publisher.tier <= 2 && publisher.risk !== "high" && publisher.language === "en";
    if (isAuthority && !families.has(publisher.family)) families.set(publisher.family, publisher.id);
  }
  return [...families.values()].slice(0, FEEDS);
}

function listsOf(sdn) {
  return { sdn, consolidated: [], sema: [], un: [] };
}

function viewOf(dataset, records) {
  const steps = dataset.view(records, new ClockPace());
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

function snapshotOf(tick, at) {
  const times = { builtAt: at, checkedAt: at, newestAt: at, nextBuildAt: null };
  return { available: true, state: "ok", generation: tick + 1, contentHash: `tick ${tick}`, attempt: null, ...times };
}

function failed(at) {
  return { available: false, state: "absent", reason: "HTTP 503", attempt: { at, ended: "failed" } };
}
