import { type Static, Type } from "typebox";
import { GeoCoordinates } from "../../contract/coordinates.js";

const StoryMeta = Type.Object(
  {
    firstSeen: Type.Integer({ format: "int64", description: "Earliest publication of the story, epoch ms" }),
    mentionCount: Type.Integer({ format: "int32", description: "Distinct articles ever seen of it" }),
    phase: Type.Enum(
      [
        "STORY_PHASE_UNSPECIFIED",
        "STORY_PHASE_BREAKING",
        "STORY_PHASE_DEVELOPING",
        "STORY_PHASE_SUSTAINED",
        "STORY_PHASE_FADING",
      ],
      { description: "Phase of the story, from its mentions over time" },
    ),
    sourceCount: Type.Integer({ format: "int32", description: "Distinct publishers ever seen with it" }),
  },
  { title: "StoryMeta", description: "The story over the days; absent where it is not remembered" },
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
      { description: "UNSPECIFIED where the title speaks of no threat" },
    ),
    source: Type.String({ description: "Words of the title, or other publishers" }),
  },
  { title: "ThreatClassification", description: "Subject of the title; absent where none was recognised" },
);

const ScoreTerm = Type.Object(
  {
    name: Type.String({ description: "Name of the term" }),
    input: Type.Number({ description: "What went in: points of 0 to 100, a count, or 1 for what holds" }),
    weight: Type.Number({ description: "Points for each unit of input" }),
    points: Type.Number({ description: "What it adds" }),
  },
  { title: "ScoreTerm", description: "One term of a score." },
);

const ThreatName = (description: string) => Type.Enum(["info", "low", "medium", "high", "critical"], { description });

const ItemExplanation = Type.Object(
  {
    importance: Type.Array(ScoreTerm, { description: "Their points, added in order, are the importance score" }),
    credibility: Type.Array(ScoreTerm, { description: "Their points, added in order, are the credibility score" }),
    level: Type.Object(
      {
        classified: ThreatName("Level that the words of the title give"),
        applied: ThreatName("Level that is served"),
        reason: Type.Optional(Type.String({ description: "Rule and words of the title that decided" })),
        liftedBy: Type.Optional(Type.Array(Type.String(), { description: "Names in whose company it was lifted" })),
      },
      { description: "Threat level of the item" },
    ),
    entities: Type.Object(
      {
        names: Type.Array(Type.String(), { description: "Names that the title shares with other publishers" }),
        publisherCount: Type.Integer({ description: "Publishers that share the names" }),
      },
      { description: "Names shared with other publishers" },
    ),
    families: Type.Array(Type.String(), { description: "Publisher families that the corroboration counts" }),
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
  { title: "ItemExplanation", description: "What the scores are made of; only with `explain=true`" },
);

const NewsItem = Type.Object(
  {
    source: Type.String({ minLength: 1, description: "Name of the publisher" }),
    title: Type.String({ minLength: 1, description: "Headline" }),
    link: Type.String({ description: "Address of the article, without what tells how a reader came" }),
    publishedAt: Type.Integer({ format: "int64", description: "Epoch ms" }),
    snippet: Type.Optional(
      Type.String({
        maxLength: 400,
        description: "Beginning of the publisher's summary; absent without one",
      }),
    ),
    isAlert: Type.Boolean({ description: "The level is high or critical" }),
    importanceScore: Type.Number({ description: "0 to about 138" }),
    credibilityScore: Type.Number({ description: "0 to 100" }),
    corroborationCount: Type.Number({ description: "Independent publisher families that have the story, at least 1" }),
    storyId: Type.String({ description: "The same for every item of a story" }),
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
      Type.String({ description: "Newest attempt to build, ISO 8601; absent before the first" }),
    ),
    state: Type.Enum(["complete", "partial", "stale", "unavailable"], {
      description:
        "`complete`, `partial` (some feeds are missing), `stale` (older content is replayed) or `unavailable`",
    }),
    itemsServed: count("Items of all categories"),
    publisherCount: count("Distinct publishers among them"),
    feedTotal: count("Feeds of this variant and language"),
    feedCompleted: count("Feeds that were read, be they empty"),
    categoryTotal: count("Categories of the variant"),
    categoryCompleted: count("Categories of which at least one feed was read"),
    droppedFeedCap: count("Entries beyond those that one feed may bring"),
    droppedUndated: count("Entries without a date that can be read"),
    droppedFreshness: count("Entries older than four days"),
    droppedCategoryCap: count("Items beyond those that a category may hold"),
    servedStale: Type.Boolean({ description: "The newest attempt gave nothing, and older content is served" }),
    staleAgeSeconds: count("Age of replayed content at the newest attempt, else 0"),
    staleReason: Type.Enum(["", "empty-rebuild", "build-error"], {
      description: "Reason for replaying older content, else empty",
    }),
    categoryStates: Type.Record(Type.String(), Type.Enum(["ok", "missing"]), {
      description: "`missing`: no feed was read",
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
      description: "Feeds with trouble, by id; the dataset's card says why",
    }),
    generatedAt: Type.Optional(
      Type.String({ description: "When the content was made, ISO 8601; absent while there is none" }),
    ),
  },
  { title: "ListFeedDigestResponse" },
);
