import type { ViewOf } from "../../../../contract/dataset.js";
import type { AvailableSnapshot } from "../../../../contract/snapshot.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import { cutText } from "../../../../kit/cut-text.js";
import { visitSteps } from "../../../../kit/list-steps.js";
import type { newsFeeds } from "../../../news/datasets/news-feeds.js";
import { feedPublishers } from "../../../news/products/feed-publishers.js";
import { type CompanyMatch, type CompanyMatcher, matcherOf } from "../../matching/company-matcher.js";
import type { ObservedWindow } from "../advanced.js";
import type { Finding } from "../finding.js";
import type { CompanyFinding, ProviderFacts, ScanProvider } from "../provider.js";
import { failedWindow, isConfigured, isOn, unavailableWindow } from "./snapshot-window.js";

type FeedsView = ViewOf<typeof newsFeeds>;
type FeedEntry = FeedsView["entries"] extends ReadonlyMap<string, readonly (infer Entry)[]> ? Entry : never;
type Publisher = ReturnType<typeof feedPublishers> extends ReadonlyMap<string, infer P> ? P : never;

/** A healthy collection reads every feed once in this time, so no reading is older. */
const FEED_TURN_MS = 15 * MINUTE_MS;
/**
 * A feed that has failed for this time is no longer treated as a source. Until then, it is treated as unread and can
 * make the window partial.
 */
const DEAD_AFTER_MS = DAY_MS;
/**
 * A window is complete only if at least this share of the feeds was read. The same share of the read feeds must reach
 * back to the start of the window.
 */
const FEEDS_RATIO = 0.9;

const FINDING_AGE_MAX_MS = 7 * DAY_MS;
const AHEAD_MAX_MS = HOUR_MS;
export const [TITLE_CHARACTERS_MAX, EXCERPT_CHARACTERS_MAX] = [300, 400];
const ATTRIBUTION_MIN = 0.5;

/** Finds the feed entries whose title or teaser names the company. */
export const newsProvider: ScanProvider<FeedsView> = {
  provider: "MONITORING_PROVIDER_NEWS",
  everyMs: 5 * MINUTE_MS,
  freshMs: 90 * MINUTE_MS,
  isConfigured,
  appliesTo: () => true,
  windowOf(snapshot, facts) {
    return snapshot.available ? readWindow(snapshot, facts) : unavailableWindow(snapshot);
  },
  *findSteps({ companies, portfolios }, { entries }, { now, settingOf }, pace) {
    const matcher = matcherOf(portfolios);
    const keys = new Set(companies.map(({ companyKey }) => companyKey));
    const publishers = feedPublishers(settingOf);
    const findings: CompanyFinding[] = [];
    for (const [feed, own] of entries) {
      const publisher = publishers.get(feed);
      yield* visitSteps(own, pace, (entry) => {
        const { publishedAt } = entry;
        if (publishedAt === undefined || publishedAt < now - FINDING_AGE_MAX_MS || publishedAt > now + AHEAD_MAX_MS)
          return;
        for (const match of matchesOf(entry, matcher)) {
          if (!keys.has(match.companyKey)) continue;
          findings.push({ companyKey: match.companyKey, finding: findingOf(entry, publishedAt, match, publisher) });
        }
      });
    }
    return findings;
  },
};

/** Returns the most certain match of each company that the title or the teaser names. */
function matchesOf({ title, summary, snippet }: FeedEntry, matcher: CompanyMatcher): Iterable<CompanyMatch> {
  const best = new Map<string, CompanyMatch>();
  const teaser = summary ?? snippet;
  for (const match of [...matcher.match(title, "title"), ...(teaser === "" ? [] : matcher.match(teaser, "text"))]) {
    if (match.attribution < ATTRIBUTION_MIN) continue;
    if (match.attribution > (best.get(match.companyKey)?.attribution ?? 0)) best.set(match.companyKey, match);
  }
  return best.values();
}

function findingOf(
  { feed, title, link, summary, snippet }: FeedEntry,
  publishedAt: number,
  { attribution, matchedBy }: CompanyMatch,
  publisher: Publisher | undefined,
): Finding {
  const isAuthority = publisher !== undefined && publisher.tier <= 2 && publisher.risk !== "high";
  return {
    provider: "MONITORING_PROVIDER_NEWS",
    sourceId: link,
    canonicalUrl: link,
    publisher: publisher?.publisher ?? feed,
    origin: publisher?.family ?? feed,
    authorityTier: `EVIDENCE_AUTHORITY_TIER_${isAuthority ? "INDEPENDENT_AUTHORITATIVE" : "ORDINARY"}`,
    title: cutText(title, TITLE_CHARACTERS_MAX),
    excerpt: cutText(summary ?? snippet, EXCERPT_CHARACTERS_MAX),
    publishedAt,
    attribution,
    matchedBy,
  };
}

type CollectedFeeds = Pick<AvailableSnapshot<FeedsView>, "view" | "parts" | "checkedAt">;

/**
 * Returns the window that the feeds cover. The window ends `FEED_TURN_MS` before the newest run. It starts at the
 * earliest time to which at least nine out of ten of the read feeds reach back (see `reachOf`). It is complete if nine
 * out of ten feeds were read, and failed if no feed was read or all feeds are empty.
 */
function readWindow({ view, parts, checkedAt }: CollectedFeeds, { now, settingOf }: ProviderFacts): ObservedWindow {
  const living = [...view.readings.values()].filter(
    ({ state, since }) => state === "ok" || state === "empty" || since === undefined || now - since < DEAD_AFTER_MS,
  );
  const read = living.filter(({ state }) => state === "ok" || state === "empty");
  if (read.length === 0) return failedWindow("provider_unavailable");
  const entryCount = read.reduce((count, { feed }) => count + (view.entries.get(feed)?.length ?? 0), 0);
  if (entryCount === 0) return failedWindow("invalid_empty");
  // A feed in the catalogue counts as unread if it has no reading. If a part is switched off, its feeds are never read,
  // so in that case no feed counts as unread.
  const isAllOn = Object.values(parts).every(isOn);
  const unread = isAllOn ? Math.max(0, feedPublishers(settingOf).size - view.readings.size) : 0;
  const isComplete = read.length >= FEEDS_RATIO * (living.length + unread);
  const end = checkedAt - FEED_TURN_MS;
  const reaches = read.map(({ feed }) => reachOf(view.entries.get(feed) ?? [], checkedAt)).sort((a, b) => a - b);
  const start = reaches[Math.ceil(FEEDS_RATIO * reaches.length) - 1] ?? end;
  return {
    state: isComplete ? "PROVIDER_COVERAGE_STATE_COMPLETE" : "PROVIDER_COVERAGE_STATE_PARTIAL",
    reasonCode: isComplete ? "complete" : "provider_partial",
    capped: false,
    start: Number.isFinite(start) ? Math.min(start, end) : null,
    end,
  };
}

/**
 * Returns the start of the period for which a feed shows all its entries: the time of its oldest entry. The period of
 * an empty feed has no lower bound.
 */
function reachOf(entries: readonly FeedEntry[], checkedAt: number): number {
  if (entries.length === 0) return Number.NEGATIVE_INFINITY;
  return entries.reduce((oldest, { publishedAt = checkedAt }) => Math.min(oldest, publishedAt), checkedAt);
}
