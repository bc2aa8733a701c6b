import type { DigestItem, RememberedStory, TitleClass } from "../digest-records.js";
import type { FreshEntry } from "./digest-intake.js";
import { corroborationCount, familiesOf } from "./scoring/corroboration.js";
import { credibilityTerms } from "./scoring/credibility.js";
import type { EntityBucket } from "./scoring/entity-buckets.js";
import { importanceTerms } from "./scoring/importance.js";
import { scoreOf } from "./scoring/score-terms.js";
import { appliedLevel, isAlert, servedThreat } from "./scoring/threat-served.js";
import { currentCount } from "./stories/story-memory.js";
import { storyPhase } from "./stories/story-phase.js";
import { isDiplomacyTitle } from "./titles/diplomacy-title.js";
import { placeIn } from "./titles/title-place.js";
import { tickersIn } from "./titles/title-tickers.js";

const EXPLAINED_MENTIONS = 10;

export interface ItemContext extends FreshEntry {
  readonly story: RememberedStory;
  /** The story's entries in the feeds, newest first. They include the item's own entry. */
  readonly mentions: readonly FreshEntry[];
  readonly bucket: EntityBucket | undefined;
  readonly titleClass: TitleClass;
  readonly now: number;
}

/** Builds the item with its scores and their terms. */
export function digestItem({
  feed,
  entry,
  publishedAt,
  story,
  mentions,
  bucket,
  titleClass,
  now,
}: ItemContext): DigestItem {
  const families = familiesOf(mentions.map((mention) => mention.feed));
  const storySources = corroborationCount(families);
  const isDiplomacy = isDiplomacyTitle(entry.title, feed.language);
  const level = appliedLevel(titleClass.level, { isDiplomacy, reliablePublishers: bucket?.reliableCount ?? 0 });
  const importance = importanceTerms({
    level,
    tier: feed.tier,
    storySources,
    publishedAt,
    now,
    isDiplomacy,
    entitySources: bucket?.publisherCount ?? 0,
  });
  const credibility = credibilityTerms({ tier: feed.tier, risk: feed.risk, storySources });
  const threat = servedThreat(titleClass, level);
  return {
    source: feed.publisher,
    title: entry.title,
    link: entry.link,
    publishedAt,
    ...(entry.snippet !== "" && { snippet: entry.snippet }),
    isAlert: isAlert(level),
    importanceScore: scoreOf(importance),
    credibilityScore: scoreOf(credibility),
    corroborationCount: storySources,
    storyMeta: storyMetaOf(story, now),
    ...(threat && { threat }),
    ...placeOf(entry.title, feed.language),
    ...tickersOf(entry.title),
    feed: feed.id,
    language: feed.language,
    storyId: story.id,
    explain: {
      importance,
      credibility,
      families,
      level: {
        classified: titleClass.level,
        applied: level,
        reason: titleClass.reason,
        ...(level !== titleClass.level && bucket && { liftedBy: bucket.names }),
      },
      entities: { names: bucket?.names ?? [], publisherCount: bucket?.publisherCount ?? 0 },
      mentions: mentions.slice(0, EXPLAINED_MENTIONS).map((mention) => ({
        feed: mention.feed.id,
        title: mention.entry.title,
        link: mention.entry.link,
        publishedAt: mention.publishedAt,
      })),
    },
  };
}

function storyMetaOf(story: RememberedStory, now: number): NonNullable<DigestItem["storyMeta"]> {
  const { firstSeenAt, mentionCount, publishers, peakCount, mentions } = story;
  return {
    firstSeen: firstSeenAt,
    mentionCount,
    sourceCount: publishers.length,
    phase: storyPhase({
      mentionCount,
      peakCount,
      ageMs: now - firstSeenAt,
      currentCount: currentCount(mentions, now),
    }),
  };
}

function placeOf(title: string, language: string): Pick<DigestItem, "location" | "locationName"> {
  const place = placeIn(title, language);
  if (place === undefined) return {};
  return { location: { latitude: place.latitude, longitude: place.longitude }, locationName: place.name };
}

function tickersOf(title: string): Pick<DigestItem, "tickers"> {
  const tickers = tickersIn(title);
  return tickers.length > 0 ? { tickers } : {};
}
