import { type Static, Type } from "typebox";
import { GeoCoordinates } from "../../contract/coordinates.js";

const StoryMeta = Type.Object(
  {
    firstSeen: Type.Integer({ format: "int64", description: "Earliest publication of the story, epoch ms" }),
    mentionCount: Type.Integer({ format: "int32", description: "Number of distinct articles about the story so far" }),
    phase: Type.Enum(
      [
        "STORY_PHASE_UNSPECIFIED",
        "STORY_PHASE_BREAKING",
        "STORY_PHASE_DEVELOPING",
        "STORY_PHASE_SUSTAINED",
        "STORY_PHASE_FADING",
      ],
      { description: "Phase of the story, derived from its mentions over time" },
    ),
    sourceCount: Type.Integer({ format: "int32", description: "Number of distinct publishers of the story so far" }),
  },
  { title: "StoryMeta", description: "History of the story; absent if the story is not remembered" },
);

const ThreatClassification = Type.Object(
  {
    category: Type.String({ description: "Subject: conflict, protest, disaster, cyber, health and others" }),
    confidence: Type.Number({
      format: "double",
      minimum: 0,
      maximum: 1,
      description: "Confidence of the classification, 0 to 1",
    }),
    level: Type.Enum(
      [
        "THREAT_LEVEL_UNSPECIFIED",
        "THREAT_LEVEL_LOW",
        "THREAT_LEVEL_MEDIUM",
        "THREAT_LEVEL_HIGH",
        "THREAT_LEVEL_CRITICAL",
      ],
      { description: "UNSPECIFIED if the title names no threat" },
    ),
    source: Type.String({
      description:
        "Basis of the level: `keyword` (words of the title) or `entities` (names that several publishers use)",
    }),
  },
  { title: "ThreatClassification", description: "Subject of the title; absent if none was recognised" },
);

const ScoreTerm = Type.Object(
  {
    name: Type.String({ description: "Name of the term" }),
    input: Type.Number({
      description:
        "Input: points from 0 to 100, a count, or 1 or 0 for a condition; for rounding and cap, the same as points",
    }),
    weight: Type.Number({ description: "Points for each unit of input" }),
    points: Type.Number({ description: "Contribution to the score" }),
  },
  { title: "ScoreTerm", description: "One term of a score." },
);

const ThreatName = (description: string) => Type.Enum(["info", "low", "medium", "high", "critical"], { description });

const ItemExplanation = Type.Object(
  {
    importance: Type.Array(ScoreTerm, {
      description: "Terms whose points, added in order, equal the importance score",
    }),
    credibility: Type.Array(ScoreTerm, {
      description: "Terms whose points, added in order, equal the credibility score",
    }),
    level: Type.Object(
      {
        classified: ThreatName("Level derived from the words of the title"),
        applied: ThreatName("Served level"),
        reason: Type.Optional(Type.String({ description: "Rule and words of the title that decided the level" })),
        liftedBy: Type.Optional(Type.Array(Type.String(), { description: "Shared names that lifted the level" })),
      },
      { description: "Threat level of the item" },
    ),
    entities: Type.Object(
      {
        names: Type.Array(Type.String(), { description: "Names that the title shares with other titles" }),
        publisherCount: Type.Integer({ description: "Number of publishers that use all of these names" }),
      },
      { description: "Names shared with other publishers" },
    ),
    families: Type.Array(Type.String(), { description: "Publisher families counted as corroboration" }),
    mentions: Type.Array(
      Type.Object({
        feed: Type.String({ description: "Id of the feed" }),
        title: Type.String({ description: "Headline" }),
        link: Type.String({ description: "Address of the article" }),
        publishedAt: Type.Integer({ format: "int64", description: "Epoch ms" }),
      }),
      { description: "Articles of the story in the feeds, newest first, at most ten" },
    ),
  },
  { title: "ItemExplanation", description: "Explanation of the scores; only with `explain=true`" },
);

const NewsItem = Type.Object(
  {
    source: Type.String({ minLength: 1, description: "Name of the publisher" }),
    title: Type.String({ minLength: 1, description: "Headline" }),
    link: Type.String({ description: "Address of the article, without tracking parameters" }),
    publishedAt: Type.Integer({ format: "int64", description: "Epoch ms" }),
    snippet: Type.Optional(
      Type.String({
        maxLength: 400,
        description: "Beginning of the publisher's summary; absent if there is none, or if it equals the title",
      }),
    ),
    isAlert: Type.Boolean({ description: "True if the level is high or critical" }),
    importanceScore: Type.Number({ description: "0 to 138" }),
    credibilityScore: Type.Number({ description: "0 to 100" }),
    corroborationCount: Type.Number({
      description: "Independent publisher families that report the story, at least 1",
    }),
    storyId: Type.String({ description: "Id of the story, the same for all its items" }),
    storyMeta: Type.Optional(StoryMeta),
    threat: Type.Optional(ThreatClassification),
    location: Type.Optional(GeoCoordinates),
    locationName: Type.Optional(Type.String({ description: "The one place that the title names" })),
    tickers: Type.Optional(
      Type.Array(Type.String({ maxLength: 8 }), { maxItems: 8, description: "Ticker symbols that the title names" }),
    ),
    explain: Type.Optional(ItemExplanation),
  },
  { title: "NewsItem" },
);

/** A served item. */
export type NewsItem = Static<typeof NewsItem>;

const CategoryBucket = Type.Object(
  { items: Type.Array(NewsItem, { description: "Most important first, at most twenty" }) },
  { title: "CategoryBucket", description: "Items of one category." },
);

const count = (description: string) => Type.Integer({ description });

export type DigestCoverage = Static<typeof DigestCoverage>;

export const DigestCoverage = Type.Object(
  {
    attemptedAt: Type.Optional(
      Type.String({ description: "Time of the newest build attempt, ISO 8601; absent before the first" }),
    ),
    state: Type.Enum(["complete", "partial", "stale", "unavailable"], {
      description:
        "`complete`, `partial` (some feeds are missing), `stale` (the newest attempt failed or found no item, no attempt has succeeded for an hour, or the news feeds are stale) or `unavailable`",
    }),
    itemsServed: count("Items of all categories"),
    publisherCount: count("Distinct publishers of the served items"),
    feedTotal: count("Feeds of this variant and language"),
    feedCompleted: count("Feeds that were read, including empty ones"),
    categoryTotal: count("Categories of the variant"),
    categoryCompleted: count("Categories with at least one feed that was read"),
    droppedFeedCap: count("Entries dropped because their feed had too many"),
    droppedUndated: count("Entries without a usable date"),
    droppedFreshness: count("Entries older than four days"),
    droppedCategoryCap: count("Items dropped because their category is full"),
    servedStale: Type.Boolean({ description: "True if `state` is `stale`" }),
    staleAgeSeconds: count(
      "Age of the stale content at the newest attempt; 3600 if that attempt succeeded; 0 if not stale",
    ),
    staleReason: Type.Enum(["", "empty-rebuild", "build-error"], {
      description:
        "`empty-rebuild` if the newest attempt found no item, `build-error` for any other reason; empty if not stale",
    }),
    categoryStates: Type.Record(Type.String(), Type.Enum(["ok", "missing"]), {
      description: "`missing` if no feed of the category was read",
    }),
  },
  { title: "DigestCoverage", description: "Completeness of the newest attempt to build the digest." },
);

export type ListFeedDigestResponse = Static<typeof ListFeedDigestResponse>;

export const ListFeedDigestResponse = Type.Object(
  {
    categories: Type.Record(Type.String(), CategoryBucket, { description: "Items by category" }),
    coverage: DigestCoverage,
    feedStatuses: Type.Record(Type.String(), Type.Enum(["empty", "timeout", "all-undated", "partial-undated"]), {
      description: "Feeds with problems, by id; the dataset's card gives the reasons",
    }),
    generatedAt: Type.Optional(
      Type.String({ description: "Time of the newest successful build, ISO 8601; absent without content" }),
    ),
  },
  { title: "ListFeedDigestResponse" },
);
