import { HOUR_MS } from "../../kit/clock.js";
import {
  type AnswerCheck,
  allRowsOf,
  between,
  Copied,
  copied,
  type DatasetCheck,
  type Expected,
  oncePerGeneration,
  oneOf,
  rowsOf,
  type Stored,
} from "../check.js";

/** Maximum difference between the time at which a build read the clock and the stored time of the build. */
const BUILD_MS_MAX = HOUR_MS / 6;

interface Term {
  readonly name: string;
  readonly input: number;
  readonly weight: number;
  readonly points: number;
}

interface Item {
  readonly source: string;
  readonly title: string;
  readonly link: string;
  readonly publishedAt: number;
  readonly importanceScore: number;
  readonly feed: string;
  readonly language: string;
  readonly storyId: string;
  readonly threat?: object;
  readonly explain: {
    readonly importance: readonly Term[];
    readonly credibility: readonly Term[];
    readonly level: { readonly classified: string; readonly applied: string };
    readonly entities: { readonly publisherCount: number };
    readonly families: readonly string[];
  };
}

interface Story {
  readonly kind: "story";
  readonly id: string;
  readonly firstSeenAt: number;
  readonly mentionCount: number;
  readonly publishers: readonly string[];
  readonly peakCount: number;
  readonly mentions: readonly (readonly [hash: string, publishedAt: number])[];
}

interface Category {
  readonly kind: "category";
  readonly category: string;
  readonly items: readonly Item[];
}

interface Coverage {
  readonly kind: "coverage";
  readonly coverage: {
    readonly state: string;
    readonly categoryStates: Readonly<Record<string, string>>;
    readonly foldedCount: number;
  };
  readonly feedStatuses: object;
}

type DigestRow = Story | Category | Coverage;

/** Recomputes a term of a score. The points of a term are its input times its weight. */
function term(name: string, input: Expected, stored: Term | undefined, weightPercent: number): Expected {
  return { name, input, weight: weightPercent / 100, points: ((stored?.input ?? Number.NaN) * weightPercent) / 100 };
}

function sumOf(terms: readonly Term[]): number {
  let sum = 0;
  for (const { points } of terms) sum += points;
  return sum;
}

function inputOf(terms: readonly Term[], name: string): Term | undefined {
  return terms.find((own) => own.name === name);
}

/** The term that rounds the sum of the preceding terms to a whole number. */
function rounding(before: readonly Term[]): Expected {
  const difference = Math.round(sumOf(before)) - sumOf(before);
  return { name: "rounding", input: difference, weight: 1, points: difference };
}

const severityPoints: Readonly<Record<string, number>> = { critical: 100, high: 75, medium: 50, low: 25, info: 0 };
const tierPoints = [100, 75, 50, 25];
const riskPoints = [100, 50, 35, 12];
const HIGH_RISK = 12;

/** Returns the recency of an item: 100 at the time of publication, falling linearly to 0 one day later. */
function recency({ publishedAt }: Item, now: number): number {
  return Math.min(100, Math.max(0, 100 - (100 * (now - publishedAt)) / (24 * HOUR_MS)));
}

function importanceOf(item: Item, builtAt: number): readonly Expected[] {
  const { importance: terms, credibility, entities, families, level } = item.explain;
  const shares = terms.slice(0, 4);
  const sources = Math.max(1, families.length, entities.publisherCount);
  // The publisher's tier is not stored. The input of the term `tier` must be the same in the importance score and the
  // credibility score.
  const tier = oneOf(tierPoints.filter((points) => points === inputOf(credibility, "tier")?.input));
  const age = between(recency(item, builtAt) - 0.01, recency(item, builtAt - BUILD_MS_MAX) + 0.01);
  return [
    term("severity", severityPoints[level.applied], terms[0], 55),
    term("tier", tier, terms[1], 20),
    term("corroboration", 20 * Math.min(5, sources), terms[2], 15),
    term("recency", age, terms[3], 10),
    rounding(shares),
    term("diplomacy", oneOf([0, 1]), terms[5], 1_800),
    term("entities", Math.min(5, entities.publisherCount), terms[6], 400),
  ];
}

function credibilityOf({ explain }: Item): readonly Expected[] {
  const { credibility: terms, families } = explain;
  const risk = inputOf(terms, "risk")?.input;
  const sum = Math.round(sumOf(terms.slice(0, 3)));
  const cap = { name: "cap", input: 40 - sum, weight: 1, points: 40 - sum };
  return [
    term("tier", oneOf(tierPoints), terms[0], 30),
    term("risk", oneOf(riskPoints), terms[1], 50),
    term("corroboration", 20 * Math.min(5, Math.max(1, families.length)), terms[2], 20),
    rounding(terms.slice(0, 3)),
    ...(risk === HIGH_RISK && sum > 40 ? [cap] : []),
  ];
}

function phaseOf(story: Story, now: number): string {
  const ageMs = now - story.firstSeenAt;
  const current = story.mentions.filter(([, at]) => now - at <= 24 * HOUR_MS).length;
  if (story.mentionCount === 1) return "STORY_PHASE_BREAKING";
  if (story.mentionCount <= 5 && ageMs <= 2 * HOUR_MS) return "STORY_PHASE_DEVELOPING";
  return 2 * current < story.peakCount ? "STORY_PHASE_FADING" : "STORY_PHASE_SUSTAINED";
}

const threatLevels: Readonly<Record<string, string>> = {
  info: "THREAT_LEVEL_UNSPECIFIED",
  low: "THREAT_LEVEL_LOW",
  medium: "THREAT_LEVEL_MEDIUM",
  high: "THREAT_LEVEL_HIGH",
  critical: "THREAT_LEVEL_CRITICAL",
};

function servedItem(item: Item, stories: ReadonlyMap<string, Story>, builtAt: number): Expected {
  const { feed: _feed, language: _language, explain, threat, ...row } = item;
  const { families, level } = explain;
  const story = stories.get(item.storyId);
  return {
    ...copied(row),
    importanceScore: sumOf(explain.importance),
    credibilityScore: sumOf(explain.credibility),
    corroborationCount: Math.max(1, families.length),
    isAlert: level.applied === "critical" || level.applied === "high",
    threat: threat && {
      ...copied(threat),
      level: threatLevels[level.applied],
      source: level.applied === level.classified ? "keyword" : "entities",
    },
    storyMeta: story && {
      firstSeen: story.firstSeenAt,
      mentionCount: story.mentionCount,
      sourceCount: story.publishers.length,
      phase: oneOf([builtAt, builtAt - BUILD_MS_MAX].map((now) => phaseOf(story, now))),
    },
    explain: { ...copied(explain), importance: importanceOf(item, builtAt), credibility: credibilityOf(item) },
  };
}

function ofKind<T extends DigestRow>(rows: readonly DigestRow[], kind: T["kind"]): readonly T[] {
  return rows.filter((row): row is T => row.kind === kind);
}

/** Sorts items: the most important first, then the newest, then by link and feed. */
function inOrder(items: readonly Item[]): readonly Item[] {
  return [...items].sort((a, b) => {
    const byLink = a.link < b.link ? -1 : 1;
    const byFeed = a.feed < b.feed ? -1 : 1;
    return (
      b.importanceScore - a.importanceScore || b.publishedAt - a.publishedAt || (a.link === b.link ? byFeed : byLink)
    );
  });
}

function coverageOf({ coverage }: Coverage, categories: readonly Category[], stored: Stored): Expected {
  const items = categories.flatMap((category) => category.items);
  const { foldedCount: _folded, ...counts } = coverage;
  const completed = Object.values(coverage.categoryStates).filter((state) => state === "ok").length;
  const complete = completed === categories.length ? ["complete", "partial"] : ["partial"];
  return {
    ...copied(counts),
    attemptedAt: new Date(stored.builtAt).toISOString(),
    state: items.length === 0 ? "unavailable" : oneOf(complete),
    itemsServed: items.length,
    publisherCount: new Set(items.map(({ source }) => source)).size,
    categoryTotal: categories.length,
    categoryCompleted: completed,
    servedStale: false,
    staleAgeSeconds: 0,
  };
}

export const digestAnswers: AnswerCheck = {
  operation: "news/list-feed-digest",
  what: "stories, scores with their terms, and counts of items and categories",
  queries({ dataset }) {
    const [, variant = "", lang = ""] = /^digest-(.+)-([^-]+)$/.exec(dataset) ?? [];
    return [`variant=${variant}&lang=${lang}&explain=true`];
  },
  recompute({ from, query }) {
    const stored = from(`digest-${query.get("variant")}-${query.get("lang")}`);
    const rows = rowsOf<DigestRow>(stored, "feeds");
    const stories = new Map(ofKind<Story>(rows, "story").map((story) => [story.id, story]));
    const categories = ofKind<Category>(rows, "category");
    const [coverage] = ofKind<Coverage>(rows, "coverage");
    const bucket = ({ category, items }: Category): readonly [string, Expected] => [
      category,
      { items: inOrder(items).map((item) => servedItem(item, stories, stored.builtAt)) },
    ];
    return {
      categories: Object.fromEntries(categories.map(bucket)),
      coverage: coverage && coverageOf(coverage, categories, stored),
      feedStatuses: new Copied(coverage?.feedStatuses),
      generatedAt: new Date(stored.builtAt).toISOString(),
    };
  },
};

interface Entry {
  readonly kind: string;
  readonly feed: string;
  readonly link: string;
  readonly title: string;
  readonly publishedAt?: number;
}

/** The entries of all feeds, by feed and address; if an entry is repeated, the first one is used. */
const entriesIn = oncePerGeneration((feeds): ReadonlyMap<string, Entry> => {
  const entries = new Map<string, Entry>();
  for (const row of allRowsOf<Entry>(feeds)) {
    const key = `${row.feed}\n${row.link}`;
    if (row.kind === "entry" && !entries.has(key)) entries.set(key, row);
  }
  return entries;
});

/** Every item of a digest must have the title and date of its entry in the feeds that the digest was built from. */
export const digestItems: DatasetCheck = {
  dataset: "digest-<variant>-<language>",
  what: "items and their dates, against the entries of the feeds",
  ingredients: ["news-feeds"],
  recompute(own, ingredient) {
    const feeds = ingredient("news-feeds");
    const entries = feeds && entriesIn(feeds);
    const expectedItem = ({ feed, link }: Item): Expected => {
      const entry = entries?.get(`${feed}\n${link}`);
      return { title: entry?.title, publishedAt: entry?.publishedAt };
    };
    return {
      feeds: rowsOf<DigestRow>(own, "feeds").map((row) =>
        row.kind === "category" ? { items: row.items.map(expectedItem) } : {},
      ),
    };
  },
};
