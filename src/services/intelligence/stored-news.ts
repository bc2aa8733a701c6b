import type { Snapshot } from "../../contract/snapshot.js";
import type { NewsOf } from "./country-drafts.js";
import { mentionsOf } from "./country-mentions.js";
import type { Headline } from "./evidence/headlines.js";
import { usable } from "./evidence/snapshots.js";

/** What a digest has to be for its headlines to be known here. */
export interface HeadlineDigest {
  readonly categories: Readonly<
    Record<string, { readonly items: readonly (Headline & { readonly importanceScore: number })[] }>
  >;
}

/** Each headline of a digest once, the most important first. */
export function headlinesOf(digest: Snapshot<HeadlineDigest> | undefined): readonly Headline[] {
  const view = digest && usable(digest)?.view;
  const items = Object.values(view?.categories ?? {}).flatMap((category) => category.items);
  const byLink = new Map(items.map((item) => [item.link, item]));
  return [...byLink.values()].sort(
    (a, b) => b.importanceScore - a.importanceScore || b.publishedAt - a.publishedAt || (a.link < b.link ? -1 : 1),
  );
}

/** The headlines of the stored digest, where the brief reads one under the name `digest`. */
export const storedNews: NewsOf = ({ code }, snapshots) => ({
  headlines: headlinesOf((snapshots as { readonly digest?: Snapshot<HeadlineDigest> }).digest),
  countriesIn: mentionsOf(code),
});
