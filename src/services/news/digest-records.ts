/** One entry of a feed as it is kept between builds: plain text, canonical link. */
export interface FeedEntry {
  readonly kind: "entry";
  /** Id of the feed in the catalogue. */
  readonly feed: string;
  readonly title: string;
  /** Canonical address, http(s) only. */
  readonly link: string;
  /** Epoch ms; undefined where the feed gives no date that can be read, or one more than an hour ahead. */
  readonly publishedAt?: number;
  /** At most 400 characters. */
  readonly snippet: string;
}

/** How the newest reading of a feed went; its entries may still be those of an earlier one. */
export interface FeedReading {
  readonly kind: "feed";
  readonly feed: string;
  /** `timeout`: not read within the build's time, begun or not; `failed`: refused, broken, too slow or no feed at all. */
  readonly state: "ok" | "empty" | "timeout" | "failed";
  /** Why it failed or timed out, in words. */
  readonly error?: string;
  /** When its entries were read, epoch ms; undefined when never, or too long ago to stand in for a reading that failed. */
  readonly readAt?: number;
  /** Distinct articles that it held then, kept or not. */
  readonly entries: number;
  /** Of these, those without a date that can be read. */
  readonly undated: number;
}

/** How much is expected of a publisher: 1 wire services and governments, 2 major outlets, 3 specialists, 4 all others. */
export type FeedTier = 1 | 2 | 3 | 4;

/** How likely a publisher is to mislead, by a reviewed list; `unknown` where nobody has looked. */
export type FeedRisk = "low" | "medium" | "high" | "unknown";

/** What the rules need to know of a feed; a row of the catalogue is one. */
export interface FeedFacts {
  readonly id: string;
  /** Name that is served as the source of its items. */
  readonly publisher: string;
  /** Publishers of one owner or one newsroom share a family: they do not confirm each other. */
  readonly family: string;
  readonly tier: FeedTier;
  readonly risk: FeedRisk;
  /** ISO 639-1; what its titles are written in. */
  readonly language: string;
}

export type ThreatLevel = "info" | "low" | "medium" | "high" | "critical";

/** What a title speaks of, as its classifier says. */
export interface TitleClass {
  readonly level: ThreatLevel;
  /** `general` with level `info` where nothing was recognised. */
  readonly category: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** The rule and the words that made it so, for people. */
  readonly reason: string;
}

/** A story as it is kept between two builds. Stored, hence plain JSON. */
export interface RememberedStory {
  readonly kind: "story";
  /** Opaque; the same for as long as the story is remembered. */
  readonly id: string;
  readonly language: string;
  /** Title of its newest mention, by which the story is known again once no mention is in the feeds any more. */
  readonly title: string;
  /** Earliest publication among its mentions; epoch ms. */
  readonly firstSeenAt: number;
  /** Newest publication among its mentions; epoch ms. */
  readonly lastSeenAt: number;
  /** Distinct links ever. */
  readonly mentionCount: number;
  /** Distinct publishers ever, sorted. */
  readonly publishers: readonly string[];
  /** Most mentions that were ever published within one day, as of some build. */
  readonly peakCount: number;
  /** Mentions that a feed may still hold, so that none counts twice: short hash of the link, publication (epoch ms). */
  readonly mentions: readonly (readonly [hash: string, publishedAt: number])[];
}

/** One summand of a score. */
export interface ScoreTerm {
  readonly name: string;
  /** What went in: points of 0 to 100, a count, or 1 for what holds. */
  readonly input: number;
  /** Points for each unit of input. */
  readonly weight: number;
  /** What it adds; input times weight, except for `rounding` and `cap`, which add what is missing. */
  readonly points: number;
}

/** Why an item has its scores. The points of each list, added in their order, are the score to the last digit. */
export interface ItemExplanation {
  readonly importance: readonly ScoreTerm[];
  readonly credibility: readonly ScoreTerm[];
  /** What the title was recognised as, and what raised it. */
  readonly level: {
    readonly classified: ThreatLevel;
    readonly applied: ThreatLevel;
    /** The rule and the words of the title that it was classified by; digests of earlier versions hold none. */
    readonly reason?: string;
    /** Names in whose company the story was lifted. */
    readonly liftedBy?: readonly string[];
  };
  /** Names in the title that the most publishers share, and how many do. */
  readonly entities: { readonly names: readonly string[]; readonly publisherCount: number };
  /** Families that the corroboration counts, sorted. */
  readonly families: readonly string[];
  /** Mentions of the story in the feeds, newest first, the served one included; at most ten. */
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

/** An item of the digest: the served fields, the story it stands for, and why it has its scores. Stored. */
export interface DigestItem {
  readonly source: string;
  readonly title: string;
  readonly link: string;
  readonly publishedAt: number;
  /** Absent where the publisher writes no summary. */
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
  /** Left out where the classifier recognised nothing. */
  readonly threat?: {
    readonly level: `THREAT_LEVEL_${"UNSPECIFIED" | "LOW" | "MEDIUM" | "HIGH" | "CRITICAL"}`;
    readonly category: string;
    readonly confidence: number;
    /** `keyword`: as the title was classified; `entities`: lifted by how many write of the same names. */
    readonly source: "keyword" | "entities";
  };
  readonly location?: { readonly latitude: number; readonly longitude: number };
  readonly locationName?: string;
  readonly tickers?: readonly string[];
  /** Feed that it was read from. */
  readonly feed: string;
  readonly language: string;
  readonly storyId: string;
  readonly explain: ItemExplanation;
}

export interface DigestCategory {
  readonly category: string;
  /** By importance, then newest first; at most twenty, each of another story. */
  readonly items: readonly DigestItem[];
}

/** Why a feed is missing, or some of its items are; a feed without trouble has no status. */
export type FeedStatus = "empty" | "timeout" | "all-undated" | "partial-undated";

/** What a build has read, kept and left out; a feed placed in several categories counts once. */
export interface DigestCounts {
  /** `stale` is not for a build to say: it is a matter of serving an older one. */
  readonly state: "complete" | "partial" | "unavailable";
  readonly itemsServed: number;
  /** Distinct publishers among the served items. */
  readonly publisherCount: number;
  readonly feedTotal: number;
  /** Feeds whose newest reading succeeded, be it empty. */
  readonly feedCompleted: number;
  readonly categoryTotal: number;
  /** Categories with at least one completed feed. */
  readonly categoryCompleted: number;
  readonly droppedUndated: number;
  readonly droppedFreshness: number;
  readonly droppedFeedCap: number;
  readonly droppedCategoryCap: number;
  /** Items that another one of the same story and category stands for. */
  readonly foldedCount: number;
  readonly categoryStates: Readonly<Record<string, "ok" | "missing">>;
}
