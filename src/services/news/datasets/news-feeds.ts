import { type DatasetContext, dataset, part, type RecordsOf, type Trouble } from "../../../contract/dataset.js";
import { HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import { visitSteps } from "../../../kit/list-steps.js";
import type { ClockPace, Steps } from "../../../kit/loop-turns.js";
import type { Feed } from "../catalogue/feed-row.js";
import { feedsSetting } from "../catalogue/feeds-setting.js";
import type { FeedEntry, FeedReading, FeedRecord } from "../digest-records.js";
import { addTo, byFeed, collectedFeeds, type FeedsById, isStanding } from "../rules/collected-feeds.js";
import { contentAges } from "../rules/content-ages.js";
import { countCollected } from "../rules/count-collected.js";
import { publicationSeen } from "../rules/entry-dates.js";
import { dueFeeds, FeedTimes, RUN_EVERY_MS, timesAfter } from "../rules/feed-turns.js";
import {
  type FeedProgress,
  type FeedsPlan,
  openFeeds,
  newsFeeds as publicFeeds,
  topicFeeds,
} from "../sources/news-feeds.js";

/**
 * Defines the part for one kind of feeds. `source` reads these feeds. If `VIGIL_LICENCE_MODE` switches this source off,
 * the part is `off` and does not count as missing.
 */
function feedsPart(source: typeof publicFeeds, isOwn: (feed: Feed) => boolean) {
  const feedsOf = ({ settingOf }: DatasetContext): readonly Feed[] => settingOf(feedsSetting).filter(isOwn);
  return part<FeedRecord, FeedsPlan, FeedTimes, FeedProgress>({
    sources: [source],
    identity: ["kind", "feed", "link"],
    optional: true,
    memory: {
      schema: FeedTimes,
      initial: { askedAt: {}, readAt: {} },
      describes: "requests",
      after: (times, progress, { now }) => timesAfter(times, progress, now),
    },
    plan({ kept, memory, ...context }) {
      const { now } = context;
      const feeds = feedsOf(context);
      const { readings } = byFeed(kept);
      const due = dueFeeds(feeds, readings, memory, now).map(({ id, url }) => {
        const reading = readings.get(id);
        return { id, url, isStored: reading !== undefined && isStanding(reading, now), plannedAt: now };
      });
      return due.length === 0 ? undefined : { feeds: feeds.map(({ id }) => id), due };
    },
    merge(kept, fresh, { memory, tally, ...context }) {
      const feeds = feedsOf(context).map(({ id }) => id);
      const records = collectedFeeds({ feeds, kept, fresh, times: memory, now: context.now });
      countCollected(tally, { feeds, kept, fresh, records });
      return records;
    },
  });
}

const parts = {
  feeds: feedsPart(publicFeeds, ({ isOpen, hasAllTexts }) => !isOpen && !hasAllTexts),
  topics: feedsPart(topicFeeds, ({ isOpen, hasAllTexts }) => !isOpen && hasAllTexts === true),
  open: feedsPart(openFeeds, ({ isOpen }) => isOpen === true),
};

type Records = RecordsOf<typeof parts>;

const recordsIn = (records: Records): readonly FeedRecord[] => Object.values(records).flat();

function* viewSteps(records: Records, pace: ClockPace): Steps<FeedsById> {
  const readings = new Map<string, FeedReading>();
  const entries = new Map<string, FeedEntry[]>();
  for (const part of Object.values(records))
    yield* visitSteps(part, pace, (record) => addTo(readings, entries, record));
  return { readings, entries };
}

function newestOf(records: readonly FeedRecord[]): number | null {
  let newestAt: number | null = null;
  for (const record of records) {
    const publishedAt = publicationSeen(record);
    if (publishedAt !== undefined) newestAt = Math.max(newestAt ?? 0, publishedAt);
  }
  return newestAt;
}

/**
 * Returns an error if no feed could be read. A single failed feed is not an error, because its state is part of the
 * content.
 */
function unread(records: Records): string | undefined {
  const readings = recordsIn(records).filter((record) => record.kind === "feed");
  const isRead = readings.length === 0 || readings.some(({ state }) => state === "ok" || state === "empty");
  if (isRead) return undefined;
  const [first] = readings.flatMap(({ error }) => error ?? []);
  return `none of the ${readings.length} feeds could be read${first === undefined ? "" : `; the first error: ${first}`}`;
}

/**
 * The newest entries of every feed of the catalogue. The digests and the news of other services are built from these
 * entries.
 */
export const newsFeeds = dataset({
  name: "news-feeds",
  title: "News feeds",
  description:
    "The newest fifty entries of every feed of the catalogue (the newest hundred of a feed on one topic), and the state of each feed. Each feed is read about every quarter of an hour; a slow or dead feed does not delay the others.",
  cadenceMs: RUN_EVERY_MS,
  staleAfterMs: 90 * MINUTE_MS,
  partAges: contentAges.newsFeeds.parts,
  historyWholeMs: HOUR_MS,
  gaps: [
    "A feed that cannot be read keeps its entries for six hours.",
    "Only the newest five entries of a feed keep their snippets. Feeds on one topic are an exception: their newest hundred entries keep their whole texts.",
  ],
  settings: [feedsSetting],
  parts,
  gateRule: "any reading, failed ones included, because the state of each feed is part of the content",
  gate: () => undefined,
  lacking: unread,
  view: (records, pace) => viewSteps(records, pace),
  newestAt: (records) => newestOf(recordsIn(records)),
  troubles: ({ readings }) => [...readings.values()].flatMap(troubleOf),
});

function troubleOf({ feed, state, since, error }: FeedReading): readonly Trouble[] {
  return state === "ok" || since === undefined ? [] : [{ request: feed, state, since, error: error ?? null }];
}
