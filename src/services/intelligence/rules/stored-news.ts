import { countriesIn } from "../../../geography/country-mentions.js";
import type { EvidenceDraft, Subject } from "./evidence/draft.js";
import { type CountriesIn, type Headline, headlineEvidence } from "./evidence/headlines.js";
import { type EvidenceIngredients, usable } from "./evidence/ingredients.js";

/** The fields of a digest item that briefs use. */
interface DigestItem extends Headline {
  readonly importanceScore: number;
  readonly storyId: string;
}

export interface HeadlineDigest {
  readonly categories: Readonly<Record<string, { readonly items: readonly DigestItem[] }>>;
}

/** Selects the most important headline of each story in a digest. Returns the headlines in order of importance. */
export function headlinesOf({ categories }: HeadlineDigest): readonly Headline[] {
  const items = Object.values(categories).flatMap((category) => category.items);
  const inOrder = items.toSorted(
    (a, b) => b.importanceScore - a.importanceScore || b.publishedAt - a.publishedAt || (a.link < b.link ? -1 : 1),
  );
  const byStory = new Map(inOrder.toReversed().map((item) => [item.storyId, item]));
  return inOrder.filter((item) => byStory.get(item.storyId) === item);
}

interface News {
  readonly headlines: readonly Headline[];
  readonly countriesIn: CountriesIn;
}

const byView = new WeakMap<object, News>();

/**
 * Returns the headlines of the English digest that name the country, as evidence. The headlines of a digest are
 * extracted once for all countries.
 */
export function newsEvidence({ code }: Subject, { digest }: EvidenceIngredients): readonly EvidenceDraft[] {
  const view = usable(digest)?.view;
  if (!view) return [];
  const news = byView.get(view) ?? newsIn(headlinesOf(view));
  byView.set(view, news);
  return headlineEvidence(code, news.headlines, news.countriesIn);
}

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
