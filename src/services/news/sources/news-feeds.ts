import { type Static, Type } from "typebox";
import { among } from "../../../contract/row-tally.js";
import { LeftOut, source, step } from "../../../contract/source.js";
import { instantRange } from "../../../contract/value-ranges.js";
import { SECOND_MS } from "../../../kit/clock.js";
import { cutText } from "../../../kit/cut-text.js";
import type { FeedEntry, FeedRecord } from "../digest-records.js";
import { firstByLink } from "../rules/digest-intake.js";
import { publicationOf, publicationSeen } from "../rules/entry-dates.js";

/** A feed to request. */
export interface PlannedFeed {
  readonly id: string;
  readonly url: string;
  /** True if an earlier reading of the feed is stored and its entries, if any, may still be used. */
  readonly isStored: boolean;
  /** Time of the run, epoch ms. Dates of entries are compared with it. */
  readonly plannedAt: number;
}

/** The feeds of a source, and those that a run requests. */
export interface FeedsPlan {
  /** The ids of all feeds of the source. */
  readonly feeds: readonly string[];
  /** The feeds that are due, in request order. */
  readonly due: readonly PlannedFeed[];
}

/** The time at which a run requested a feed, and whether the feed was read. */
export interface FeedProgress {
  readonly feed: string;
  /** Epoch ms. */
  readonly askedAt: number;
  readonly isRead: boolean;
}

/**
 * Maximum number of entries kept per feed; the newest are kept. The second number applies to feeds whose whole texts
 * are kept. Stories are built from all of these entries that are at most four days old.
 */
const [KEPT_PER_FEED, KEPT_WITH_TEXTS] = [50, 100];
/** The number of dated entries per feed that may be served. Only these keep their snippets. */
const SERVED_PER_FEED = 5;

/**
 * Number of summaries read per feed, unless whole texts are kept. It is larger than the number of served entries,
 * because the newest entries may be dated in the future and are then not served.
 */
const SUMMARIES_PER_FEED = 2 * SERVED_PER_FEED;

const SNIPPET_LENGTH_MAX = 400;
const FEED_BYTES_MAX = 2_000_000;

const Row = Type.Object({
  title: Type.String(),
  link: Type.Optional(Type.String()),
  publishedAt: Type.Optional(Type.Number()),
  summary: Type.String(),
  image: Type.Optional(Type.String()),
});

interface FeedKind {
  readonly id: string;
  readonly title: string;
  readonly isOpen: boolean;
  readonly hasAllTexts: boolean;
}

/**
 * Declares a source of publishers' feeds. It reads the title, link, time and snippet of each entry. With `hasAllTexts`,
 * it also reads the whole summary and the image.
 */
function feedsSource({ id: sourceId, title, isOpen, hasAllTexts }: FeedKind) {
  const keptMax = hasAllTexts ? KEPT_WITH_TEXTS : KEPT_PER_FEED;
  return source({
    id: sourceId,
    title,
    home: "https://www.rssboard.org/rss-specification",
    seen: "recorded",
    licence: {
      name: isOpen
        ? "Free with credit, or US government work"
        : "Headline, link and snippet only; each article belongs to its publisher",
      attribution: "The publisher named as the source of each item",
      open: isOpen,
    },
    steps: {
      feed: step({
        ask: ({ due }: FeedsPlan) => due,
        request: ({ id, url }) => ({ key: id, url, timeoutMs: 8 * SECOND_MS, bytesMax: FEED_BYTES_MAX }),
        format: { kind: "feed", ...(!hasAllTexts && { summariesMax: SUMMARIES_PER_FEED }) },
        row: Row,
        rows: ({ items }) => items,
        record: (row, feed): FeedRecord | LeftOut => entryOf(row, feed, hasAllTexts),
        gather: {
          requestsMax: 1_000,
          parallelMax: 20,
          timeLimitMs: 10 * SECOND_MS,
          keysOf: ({ feeds }) => feeds,
          isStored: ({ isStored }) => isStored,
          keep(records: readonly FeedRecord[], now, tally) {
            const entries = records.filter((record) => record.kind === "entry");
            const distinct = firstByLink(entries);
            tally.narrowed("same link twice in a feed", entries, distinct, among(distinct));
            const dated = distinct.filter((entry) => publicationOf(entry, now) !== undefined).toSorted(newestFirst);
            const undated = distinct.filter((entry) => publicationOf(entry, now) === undefined);
            return tally
              .first(`beyond the newest ${keptMax} of a feed`, [...dated, ...undated], keptMax)
              .map((entry, index) =>
                index < Math.min(SERVED_PER_FEED, dated.length) ? entry : { ...entry, snippet: "" },
              );
          },
          outcome: ({ id }, outcome): FeedRecord => ({ kind: "answer", feed: id, ...outcome }),
        },
      }),
    },
    progress: ({ feed }): readonly FeedProgress[] =>
      feed.map(({ context, sentAt, isRead }) => ({ feed: context.id, askedAt: sentAt, isRead })),
    observedAt: publicationSeen,
  });
}

export const newsFeeds = feedsSource({
  id: "news-feeds",
  title: "Public news feeds of publishers",
  isOpen: false,
  hasAllTexts: false,
});

export const topicFeeds = feedsSource({
  id: "topic-feeds",
  title: "Public feeds of publishers on one topic",
  isOpen: false,
  hasAllTexts: true,
});

export const openFeeds = feedsSource({
  id: "open-feeds",
  title: "Public feeds with an open licence",
  isOpen: true,
  hasAllTexts: true,
});

function newestFirst(a: FeedEntry, b: FeedEntry): number {
  return (b.publishedAt ?? 0) - (a.publishedAt ?? 0);
}

function entryOf(
  { title, link, publishedAt: datedAt, summary, image }: Static<typeof Row>,
  { id: feed, plannedAt }: PlannedFeed,
  hasAllTexts: boolean,
): FeedEntry | LeftOut {
  if (title === "" || link === undefined) return new LeftOut("no title or link");
  const snippet = summary === title ? "" : cutText(summary, SNIPPET_LENGTH_MAX);
  // Placeholders such as the year 9999 are no dates.
  const publishedAt = datedAt !== undefined && datedAt <= instantRange[1] ? datedAt : undefined;
  const isAhead = publishedAt !== undefined && publicationOf({ publishedAt }, plannedAt) === undefined;
  return {
    kind: "entry",
    feed,
    title,
    link,
    ...(publishedAt !== undefined && { publishedAt }),
    ...(isAhead && { isAhead }),
    snippet,
    ...(hasAllTexts && summary !== "" && { summary }),
    ...(hasAllTexts && image !== undefined && { image }),
  };
}
