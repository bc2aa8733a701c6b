import type { ListFeedDigestResponse, NewsItem } from "../../../src/sdk/index.js";
import { type RowChange, rowChanges } from "../../reads/row-changes.js";

type Categories = ListFeedDigestResponse["categories"];

/** The section with the most important stories of all categories. */
export const TOP = "top";
const TOP_STORIES = 30;

/** A story in the category in which it is shown. */
export interface Story {
  readonly category: string;
  readonly item: NewsItem;
}

/** The changes of a story since an earlier instant, with its current numbers. */
export interface StoryMark {
  readonly change: RowChange | "new since";
  readonly details: string;
}

/**
 * The stories of a category in order. The category `top` has the most important stories of all categories, each once.
 */
export function storiesIn(categories: Categories, category: string): readonly Story[] {
  if (category !== TOP) return (categories[category]?.items ?? []).map((item) => ({ category, item }));
  const all = Object.entries(categories).flatMap(([name, { items }]) =>
    items.map((item): Story => ({ category: name, item })),
  );
  const best = new Map<string, Story>();
  for (const story of all.sort(mostImportantFirst)) {
    if (!best.has(story.item.storyId)) best.set(story.item.storyId, story);
  }
  return [...best.values()].slice(0, TOP_STORIES);
}

function mostImportantFirst({ item: a }: Story, { item: b }: Story): number {
  return b.importanceScore - a.importanceScore || b.publishedAt - a.publishedAt;
}

/** The level of a story in one word. */
export function levelOf({ threat }: NewsItem): string {
  return (threat?.level ?? "THREAT_LEVEL_UNSPECIFIED").replace("THREAT_LEVEL_", "").toLowerCase();
}

/** The facts of a story that the page shows; changes to other facts are not marked. */
interface StoryFacts {
  readonly id: string;
  readonly title: string;
  readonly importance: number;
  readonly credibility: number;
  readonly families: number;
  readonly level: string;
}

const factsOf = ({ item }: Story): StoryFacts => ({
  id: item.storyId,
  title: item.title,
  importance: item.importanceScore,
  credibility: item.credibilityScore,
  families: item.corroborationCount,
  level: levelOf(item),
});

/** The marks of stories shown at an earlier instant, by story id, and the stories added since. */
export function storyChanges(
  then: readonly Story[],
  now: readonly Story[],
): { readonly marks: ReadonlyMap<string, StoryMark>; readonly added: readonly Story[] } {
  const factsNow = now.map(factsOf);
  const { marks, added } = rowChanges(then.map(factsOf), factsNow, ({ id }) => id);
  const addedIds = new Set(added.map(({ id }) => id));
  const detailed = [...marks].map(([id, change]): [string, StoryMark] => {
    const before = then.map(factsOf).find((facts) => facts.id === id);
    const after = factsNow.find((facts) => facts.id === id);
    return [id, { change, details: before && after ? difference(before, after) : "" }];
  });
  return { marks: new Map(detailed), added: now.filter(({ item }) => addedIds.has(item.storyId)) };
}

function difference(before: StoryFacts, after: StoryFacts): string {
  const texts = [
    before.importance !== after.importance && `importance now ${after.importance}`,
    before.credibility !== after.credibility && `credibility now ${after.credibility}`,
    before.families !== after.families && `publishers now ${after.families}`,
    before.level !== after.level && `level now ${after.level}`,
    before.title !== after.title && `headline now “${after.title}”`,
  ];
  return texts.filter((text) => text !== false).join(", ");
}

/** The parameter that identifies a story in its category, as in `politics:8a7f27a42719`. */
export function storyParam({ category, item }: Story): string {
  return `${category}:${item.storyId}`;
}

/**
 * The JMESPath expression that selects one story from a digest read with `explain`; undefined if the parameter is
 * malformed.
 */
export function storyExpression(param: string): string | undefined {
  const [, category, id] = /^([\w-]{1,40}):([\w-]{1,64})$/.exec(param) ?? [];
  return category === undefined ? undefined : `categories."${category}".items[?storyId=='${id}'] | [0]`;
}
