/** One entry of a feed, kept between builds, with plain text and a canonical link. */
export interface FeedEntry {
  readonly kind: "entry";
  /** Id of the feed in the catalogue. */
  readonly feed: string;
  readonly title: string;
  /** Canonical address, http(s) only. */
  readonly link: string;
  /**
   * Epoch ms. Undefined if the feed's date is missing or unreadable. The time may be in the future; `publicationOf`
   * ignores a time more than an hour ahead.
   */
  readonly publishedAt?: number;
  /** True if `publishedAt` was more than an hour in the future when the feed was read; otherwise absent. */
  readonly isAhead?: boolean;
  /**
   * At most 400 characters. Empty unless the entry is one of the newest five dated entries of its feed and has a
   * summary that differs from its title.
   */
  readonly snippet: string;
  /** The whole summary. Present only for feeds whose texts are all stored, and only if the entry has a summary. */
  readonly summary?: string;
  /** Address of the entry's picture. Present only for feeds whose texts are all stored. */
  readonly image?: string;
}

/** The state of a feed after its newest reading. The stored entries of the feed may come from an earlier reading. */
export interface FeedReading {
  readonly kind: "feed";
  readonly feed: string;
  /**
   * `timeout`: the request was sent, but the run ended before the answer. `failed`: refused, broken, too slow or not a
   * feed.
   */
  readonly state: "ok" | "empty" | "timeout" | "failed";
  /** Reason of a failure or timeout. */
  readonly error?: string;
  /**
   * Start of the period in which the feed has been empty or unreadable, epoch ms. A new period starts when an empty
   * feed fails, and when a failing feed is read but empty. Absent in state `ok`.
   */
  readonly since?: number;
  /**
   * Time of the newest successful reading, epoch ms. Present only while the feed cannot be read, and only if it was
   * read before.
   */
  readonly readAt?: number;
}

/**
 * The outcome of one planned request to a feed. `unasked`: the run ended before the request was sent. The feed's state
 * is derived from the outcome, which is never stored.
 */
export interface FeedAnswer {
  readonly kind: "answer";
  readonly feed: string;
  readonly state: FeedReading["state"] | "unchanged" | "unasked";
  readonly error?: string;
}

/** A record that a run reads or stores. */
export type FeedRecord = FeedEntry | FeedReading | FeedAnswer;

/** The tier of a publisher, from 1 (publishes first-hand) to 4; the catalogue assigns it by kind of publisher. */
export type FeedTier = 1 | 2 | 3 | 4;

/** The risk that a publisher is misleading, from a reviewed list. `unknown`: not reviewed. */
export type FeedRisk = "low" | "medium" | "high" | "unknown";

/** The facts about a feed that the rules use. */
export interface FeedFacts {
  readonly id: string;
  /** Name served as the source of its items. */
  readonly publisher: string;
  /** Publishers with the same owner or newsroom share a family and do not corroborate each other. */
  readonly family: string;
  readonly tier: FeedTier;
  readonly risk: FeedRisk;
  /** Language of its titles, ISO 639-1. */
  readonly language: string;
}

export type ThreatLevel = "info" | "low" | "medium" | "high" | "critical";

/** The classification of a title. */
export interface TitleClass {
  readonly level: ThreatLevel;
  /** `general` with level `info` if the classifier recognised nothing. */
  readonly category: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** The deciding rule and words, for people to read. */
  readonly reason: string;
}

/**
 * A story kept between builds. Stored as plain JSON. A mention of a story is an entry about it; all entries with the
 * same link from feeds of the same language are one mention.
 */
export interface RememberedStory {
  readonly kind: "story";
  /** Opaque. Stable while the story is remembered. */
  readonly id: string;
  readonly language: string;
  /** Title of the newest mention. The title identifies the story after all its mentions have left the feeds. */
  readonly title: string;
  /** Earliest publication among its mentions; epoch ms. */
  readonly firstSeenAt: number;
  /** Newest publication among its mentions; epoch ms. */
  readonly lastSeenAt: number;
  /** Number of distinct links that the story has had so far. */
  readonly mentionCount: number;
  /** All publishers that the story has had so far, sorted. */
  readonly publishers: readonly string[];
  /** Largest number of mentions within one day in any build. */
  readonly peakCount: number;
  /**
   * Mentions that feeds may still list. They are kept so that no mention is counted twice. A mention is a link's hash
   * and its publication time (epoch ms).
   */
  readonly mentions: readonly (readonly [hash: string, publishedAt: number])[];
}

/** One summand of a score. */
export interface ScoreTerm {
  readonly name: string;
  /** Points from 0 to 100, a count, or 1 or 0 for a condition. For `rounding` and `cap`, the same as `points`. */
  readonly input: number;
  /** Points for each unit of input. */
  readonly weight: number;
  /**
   * Contribution to the score: input times weight. The terms `rounding` and `cap` contribute the difference that
   * rounding or the cap makes to the sum.
   */
  readonly points: number;
}

/** The explanation of an item's scores. The points of each list, added in order, equal the score exactly. */
export interface ItemExplanation {
  readonly importance: readonly ScoreTerm[];
  readonly credibility: readonly ScoreTerm[];
  /** `classified` is the level derived from the title. `applied` is the served level, which may be higher. */
  readonly level: {
    readonly classified: ThreatLevel;
    readonly applied: ThreatLevel;
    /** The rule and the words of the title that decided the level. Absent in digests from earlier versions of Vigil. */
    readonly reason?: string;
    /** Shared names that lifted the level. */
    readonly liftedBy?: readonly string[];
  };
  /**
   * `names` are the two names in the title that the largest number of publishers use together; `publisherCount` is the
   * number of these publishers.
   */
  readonly entities: { readonly names: readonly string[]; readonly publisherCount: number };
  /** Families counted as corroboration, sorted. */
  readonly families: readonly string[];
  /** Mentions of the story in the feeds, including the served one, newest first; at most ten. */
  readonly mentions: readonly {
    readonly feed: string;
    readonly title: string;
    readonly link: string;
    readonly publishedAt: number;
  }[];
}

export type StoryPhase =
  | "STORY_PHASE_BREAKING"
  | "STORY_PHASE_DEVELOPING"
  | "STORY_PHASE_SUSTAINED"
  | "STORY_PHASE_FADING";

/** A stored item of the digest: the served fields, the story it represents and the explanation of its scores. */
export interface DigestItem {
  readonly source: string;
  readonly title: string;
  readonly link: string;
  readonly publishedAt: number;
  /** Absent if the publisher provides no summary, or one that equals the title. */
  readonly snippet?: string;
  readonly isAlert: boolean;
  readonly importanceScore: number;
  readonly credibilityScore: number;
  readonly corroborationCount: number;
  readonly storyMeta?: {
    readonly firstSeen: number;
    readonly mentionCount: number;
    readonly sourceCount: number;
    readonly phase: StoryPhase;
  };
  /** Absent if the served level is `info` and the category `general`, as when the classifier recognised nothing. */
  readonly threat?: {
    readonly level: `THREAT_LEVEL_${"UNSPECIFIED" | "LOW" | "MEDIUM" | "HIGH" | "CRITICAL"}`;
    readonly category: string;
    readonly confidence: number;
    /**
     * `keyword`: the level is derived from the title. `entities`: it was raised because several publishers use the same
     * names.
     */
    readonly source: "keyword" | "entities";
  };
  readonly location?: { readonly latitude: number; readonly longitude: number };
  readonly locationName?: string;
  readonly tickers?: readonly string[];
  /** Feed that contained the item. */
  readonly feed: string;
  readonly language: string;
  readonly storyId: string;
  readonly explain: ItemExplanation;
}

export interface DigestCategory {
  readonly category: string;
  /** Most important first, then newest first; at most twenty, one per story. */
  readonly items: readonly DigestItem[];
}

/**
 * The problem of a feed. It may mean that entries of the feed are missing. A feed that cannot be read has a status even
 * while its earlier entries are served. A feed without problems has no status.
 */
export type FeedStatus = "empty" | "timeout" | "all-undated" | "partial-undated";

/**
 * Numbers of feeds, categories and items that a build read, kept and dropped. A feed in several categories is counted
 * once.
 */
export interface DigestCounts {
  /** The stored state. An answer that serves an older build has the state `stale` instead. */
  readonly state: "complete" | "partial" | "unavailable";
  readonly itemsServed: number;
  /** Distinct publishers of the served items. */
  readonly publisherCount: number;
  readonly feedTotal: number;
  /** Number of feeds whose newest reading succeeded, including empty feeds. */
  readonly feedCompleted: number;
  readonly categoryTotal: number;
  /** Number of categories with at least one completed feed. */
  readonly categoryCompleted: number;
  readonly droppedUndated: number;
  readonly droppedFreshness: number;
  readonly droppedFeedCap: number;
  readonly droppedCategoryCap: number;
  /** Number of items that are not served because another item of the same story represents them in their category. */
  readonly foldedCount: number;
  readonly categoryStates: Readonly<Record<string, "ok" | "missing">>;
}
