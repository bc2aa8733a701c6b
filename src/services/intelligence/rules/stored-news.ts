import type { Snapshot } from "../../../contract/snapshot.js";
import { countriesIn } from "../../../geography/country-mentions.js";
import type { NewsOf } from "./country-drafts.js";
import type { News } from "./evidence/country-evidence.js";
import type { Headline } from "./evidence/headlines.js";
import { usable } from "./evidence/snapshots.js";

/** The fields of a digest item that briefs use. */
interface DigestItem extends Headline {
  readonly importanceScore: number;
  readonly storyId: string;
}

export interface HeadlineDigest {
  readonly categories: Readonly<Record<string, { readonly items: readonly DigestItem[] }>>;
}

/** Selects one headline of each story in a digest, most important first. */
export function headlinesOf(digest: Snapshot<HeadlineDigest>): readonly Headline[] {
  const view = usable(digest)?.view;
  const items = Object.values(view?.categories ?? {}).flatMap((category) => category.items);
  const inOrder = items.toSorted(
    (a, b) => b.importanceScore - a.importanceScore || b.publishedAt - a.publishedAt || (a.link < b.link ? -1 : 1),
  );
  const byStory = new Map(inOrder.toReversed().map((item) => [item.storyId, item]));
  return inOrder.filter((item) => byStory.get(item.storyId) === item);
}

const none: News = { headlines: [], countriesIn: () => [] };
const byView = new WeakMap<object, News>();

/** Returns the headlines of the stored English digest. Each digest is read once for all countries. */
export const storedNews: NewsOf = (_subject, { digest }) => {
  const view = usable(digest)?.view;
  if (!view) return none;
  const news = byView.get(view) ?? newsIn(headlinesOf(digest));
  byView.set(view, news);
  return news;
};

function newsIn(headlines: readonly Headline[]): News {
  const codesByTitle = new Map<string, readonly string[]>();
  return {
    headlines,
    countriesIn(title) {
      const codes = codesByTitle.get(title) ?? countriesIn(title, "en");
      codesByTitle.set(title, codes);
      return codes;
    },
  };
}
