import { day, plain } from "../phrases.js";
import type { EvidenceDraft } from "./draft.js";

/** What a brief needs to know of a headline. */
export interface Headline {
  readonly title: string;
  /** Publisher. */
  readonly source: string;
  readonly link: string;
  /** Epoch ms. */
  readonly publishedAt: number;
}

/** Alpha-2 codes of the countries that a title names. */
export type CountriesIn = (title: string) => readonly string[];

const CONSIDERED_MAX = 15;
const CITED_MAX = 6;
const TITLE_CHARACTERS_MAX = 160;
const SOURCE_CHARACTERS_MAX = 80;

/** The headlines that name the country, the first of them in the given order; each title once. */
export function headlineEvidence(
  code: string,
  headlines: readonly Headline[],
  countriesIn: CountriesIn,
): readonly EvidenceDraft[] {
  const considered = headlines.filter(({ title }) => countriesIn(title).includes(code)).slice(0, CONSIDERED_MAX);
  const byTitle = new Map<string, EvidenceDraft>();
  for (const headline of considered) {
    const draft = draftOf(headline);
    const key = draft.value.toLowerCase();
    if (draft.value !== "" && isWebAddress(headline.link) && !byTitle.has(key)) byTitle.set(key, draft);
  }
  return [...byTitle.values()].slice(0, CITED_MAX);
}

function draftOf({ title, source, link, publishedAt }: Headline): EvidenceDraft {
  const [words, publisher] = [plain(title, TITLE_CHARACTERS_MAX), plain(source, SOURCE_CHARACTERS_MAX)];
  return {
    kind: "headline",
    label: publisher,
    value: words,
    factText: `"${words}" (${publisher}, ${day(publishedAt)}).`,
    at: publishedAt,
    age: "headline",
    url: link,
  };
}

function isWebAddress(link: string): boolean {
  return /^https?:\/\//i.test(link) && URL.canParse(link);
}
