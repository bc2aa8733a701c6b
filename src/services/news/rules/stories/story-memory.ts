import { createHash } from "node:crypto";
import type { RememberedStory } from "../../digest-records.js";
import { clusterTitles } from "./story-clusters.js";
import { bareTitle } from "./story-title.js";

/** An entry of a feed, with only the members that stories use. A link may occur at most once per language. */
export interface Mention {
  readonly title: string;
  readonly link: string;
  readonly language: string;
  readonly publisher: string;
  /** Epoch ms. */
  readonly publishedAt: number;
}

export interface KnownStories {
  /** The story of each mention, by index. */
  readonly storyOf: readonly RememberedStory[];
  /**
   * The stories of the last seven days, ordered by first mention, including at most `DEPARTED_MAX` stories that are no
   * longer in the feeds.
   */
  readonly memory: readonly RememberedStory[];
}

const HOUR_MS = 3_600_000;
const REMEMBERED_MS = 7 * 24 * HOUR_MS;
/** Age up to which mentions are remembered. The digest drops older entries, so their links cannot return. */
const MENTIONS_MS = 96 * HOUR_MS;
const CURRENT_MS = 24 * HOUR_MS;
/**
 * Maximum number of remembered stories that are no longer in the feeds. If there are more, stories with one mention are
 * forgotten before stories with several. Within each of these two groups, the oldest are forgotten first.
 */
const DEPARTED_MAX = 10_000;
/**
 * Lengths of link hashes and of story ids, in bytes. With a hundred thousand links, one build in fifty thousand has a
 * collision.
 */
const [LINK_BYTES, ID_BYTES] = [6, 6];

/**
 * Groups the mentions into stories. A story of an earlier build is recognised by a link that is still in the feeds, or
 * else by the title of its newest mention. A story keeps its id until it is forgotten. If two stories merge, the older
 * id is kept. If a story splits, the id stays with the part that has the largest number of the story's mentions.
 */
export function knownStories(
  mentions: readonly Mention[],
  memory: readonly RememberedStory[],
  now: number,
): KnownStories {
  const remembered = memory.filter(({ lastSeenAt }) => lastSeenAt >= now - REMEMBERED_MS);
  const digests = mentions.map(({ language, link }) => digest(`${language} ${link}`));
  const hashes = digests.map((bytes) => bytes.toString("base64url", 0, LINK_BYTES));
  const present = new Set(hashes);
  const [alive, departed] = [[], []] as [RememberedStory[], RememberedStory[]];
  for (const story of remembered) (story.mentions.some(([hash]) => present.has(hash)) ? alive : departed).push(story);

  const clusters = clusterTitles([
    ...mentions,
    ...departed.map((story) => ({
      title: withoutPublishers(story),
      language: story.language,
      publisher: "",
      publishedAt: story.lastSeenAt,
    })),
  ]);
  const groups = new Map<number, number[]>();
  for (const [place] of mentions.entries()) {
    const cluster = clusters[place] ?? 0;
    const group = groups.get(cluster);
    if (group === undefined) groups.set(cluster, [place]);
    else group.push(place);
  }

  const clusterOfHash = new Map(hashes.map((hash, place) => [hash, clusters[place] ?? 0]));
  const earlier = new Map<number, RememberedStory[]>();
  const gone: RememberedStory[] = [];
  const claim = (story: RememberedStory, cluster: number | undefined): void => {
    if (cluster === undefined || !groups.has(cluster)) gone.push(story);
    else earlier.set(cluster, [...(earlier.get(cluster) ?? []), story]);
  };
  for (const story of alive) claim(story, mainCluster(story, clusterOfHash));
  for (const [place, story] of departed.entries()) claim(story, clusters[mentions.length + place]);

  const usedIds = new Set(remembered.map(({ id }) => id));
  const storyOf: RememberedStory[] = [];
  const currentStories: RememberedStory[] = [];
  for (const [cluster, places] of groups) {
    const elders = (earlier.get(cluster) ?? []).sort(byAge);
    const own = elders.map((story) => withoutOthers(story, cluster, clusterOfHash));
    const current = places.flatMap((place) => {
      const [mention, hash, bytes] = [mentions[place], hashes[place], digests[place]];
      return mention === undefined || hash === undefined || bytes === undefined ? [] : [{ ...mention, hash, bytes }];
    });
    const story = continued(own, current, usedIds, now);
    currentStories.push(story);
    for (const place of places) storyOf[place] = story;
  }
  return { storyOf, memory: [...currentStories, ...stillRemembered(gone)].sort(byAge) };
}

/** Returns the title without its publisher's name, which could be read as a place: "… - Japan Today". */
function withoutPublishers({ title, publishers }: RememberedStory): string {
  return publishers.reduce((text, publisher) => bareTitle(text, publisher), title);
}

type HashedMention = Mention & { readonly hash: string; readonly bytes: Buffer };

function continued(
  own: readonly RememberedStory[],
  current: readonly HashedMention[],
  usedIds: Set<string>,
  now: number,
): RememberedStory {
  const inTime = [...current].sort((a, b) => a.publishedAt - b.publishedAt || (a.link < b.link ? -1 : 1));
  const [first, last] = [inTime[0], inTime.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a story without mentions");
  const mentions = new Map(own.flatMap((story) => story.mentions));
  const added = current.filter(({ hash }) => !mentions.has(hash));
  for (const { hash, publishedAt } of current) mentions.set(hash, publishedAt);
  const kept = [...mentions].filter(([, publishedAt]) => publishedAt >= now - MENTIONS_MS);
  const publishers = [...own.flatMap((story) => story.publishers), ...current.map(({ publisher }) => publisher)];
  return {
    kind: "story",
    id: own[0]?.id ?? newId(first, usedIds),
    language: first.language,
    title: last.title,
    firstSeenAt: Math.min(first.publishedAt, ...own.map(({ firstSeenAt }) => firstSeenAt)),
    lastSeenAt: Math.max(last.publishedAt, ...own.map(({ lastSeenAt }) => lastSeenAt)),
    mentionCount: own.reduce((sum, story) => sum + story.mentionCount, 0) + added.length,
    publishers: [...new Set(publishers)].sort(),
    peakCount: Math.max(currentCount(kept, now), ...own.map(({ peakCount }) => peakCount)),
    mentions: kept.sort(([a], [b]) => (a < b ? -1 : 1)),
  };
}

/** Counts the mentions that were published in the last day. */
export function currentCount(mentions: RememberedStory["mentions"], now: number): number {
  return mentions.filter(([, publishedAt]) => publishedAt >= now - CURRENT_MS).length;
}

/** Compares stories, oldest first. */
function byAge(a: RememberedStory, b: RememberedStory): number {
  return a.firstSeenAt - b.firstSeenAt || (a.id < b.id ? -1 : 1);
}

/** Returns the cluster that has the most mentions of a story. On a tie, the first cluster wins. */
function mainCluster({ mentions }: RememberedStory, clusterOfHash: ReadonlyMap<string, number>): number | undefined {
  const counts = new Map<number, number>();
  for (const [hash] of mentions) {
    const cluster = clusterOfHash.get(hash);
    if (cluster !== undefined) counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
  }
  return [...counts].sort(([a, aCount], [b, bCount]) => bCount - aCount || a - b)[0]?.[0];
}

/** Removes mentions that are now part of another story. */
function withoutOthers(
  story: RememberedStory,
  cluster: number,
  clusterOfHash: ReadonlyMap<string, number>,
): RememberedStory {
  const mentions = story.mentions.filter(([hash]) => (clusterOfHash.get(hash) ?? cluster) === cluster);
  return { ...story, mentions, mentionCount: story.mentionCount - (story.mentions.length - mentions.length) };
}

function stillRemembered(gone: readonly RememberedStory[]): readonly RememberedStory[] {
  if (gone.length <= DEPARTED_MAX) return gone;
  const isLone = ({ mentionCount }: RememberedStory): number => (mentionCount > 1 ? 0 : 1);
  return [...gone]
    .sort((a, b) => isLone(a) - isLone(b) || b.lastSeenAt - a.lastSeenAt || byAge(a, b))
    .slice(0, DEPARTED_MAX);
}

/**
 * Makes the id of a story from its first mention. The first attempt needs no new hash: it takes the bytes after the
 * link hash in the mention's digest.
 */
function newId({ language, link, bytes }: HashedMention, usedIds: Set<string>): string {
  for (let attempt = 0; ; attempt += 1) {
    const own = attempt === 0 ? bytes : digest(`${language} ${link} ${attempt}`);
    const id = own.toString("hex", LINK_BYTES, LINK_BYTES + ID_BYTES);
    if (usedIds.has(id)) continue;
    usedIds.add(id);
    return id;
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
