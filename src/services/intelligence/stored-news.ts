import type { Snapshot } from "../../contract/snapshot.js";
import { countriesIn } from "../../geography/country-mentions.js";
import type { NewsOf } from "./country-drafts.js";
import type { Headline } from "./evidence/headlines.js";
import { usable } from "./evidence/snapshots.js";

/** What is known here of an item of a digest. */
interface DigestItem extends Headline {
  readonly importanceScore: number;
  readonly storyId: string;
}

export interface HeadlineDigest {
  readonly categories: Readonly<Record<string, { readonly items: readonly DigestItem[] }>>;
}

/** One headline of each story in a digest, the most important first. */
export function headlinesOf(digest: Snapshot<HeadlineDigest>): readonly Headline[] {
  const view = usable(digest)?.view;
  const items = Object.values(view?.categories ?? {}).flatMap((category) => category.items);
  const inOrder = items.toSorted(
    (a, b) => b.importanceScore - a.importanceScore || b.publishedAt - a.publishedAt || (a.link < b.link ? -1 : 1),
  );
  const byStory = new Map(inOrder.toReversed().map((item) => [item.storyId, item]));
  return inOrder.filter((item) => byStory.get(item.storyId) === item);
}

/** The headlines of the stored English digest, by the countries that they name. */
export const storedNews: NewsOf = (_subject, { digest }) => ({
  headlines: headlinesOf(digest),
  countriesIn: (title) => countriesIn(title, "en"),
});
