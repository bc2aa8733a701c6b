import type { Snapshot } from "../../contract/snapshot.js";
import { countriesIn } from "../../geography/country-mentions.js";
import type { NewsOf } from "./country-drafts.js";
import type { Headline } from "./evidence/headlines.js";
import { usable } from "./evidence/snapshots.js";

/** What is known here of a digest. */
export interface HeadlineDigest {
  readonly categories: Readonly<
    Record<string, { readonly items: readonly (Headline & { readonly importanceScore: number })[] }>
  >;
}

/** Each headline of a digest once, the most important first. */
export function headlinesOf(digest: Snapshot<HeadlineDigest>): readonly Headline[] {
  const view = usable(digest)?.view;
  const items = Object.values(view?.categories ?? {}).flatMap((category) => category.items);
  const byLink = new Map(items.map((item) => [item.link, item]));
  return [...byLink.values()].sort(
    (a, b) => b.importanceScore - a.importanceScore || b.publishedAt - a.publishedAt || (a.link < b.link ? -1 : 1),
  );
}

/** The headlines of the stored English digest, by the countries that they name. */
export const storedNews: NewsOf = (_subject, { digest }) => ({
  headlines: headlinesOf(digest),
  countriesIn: (title) => countriesIn(title, "en"),
});
