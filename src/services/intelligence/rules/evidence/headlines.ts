import { day, plain } from "../phrases.js";
import type { EvidenceDraft } from "./draft.js";

/** The properties of a headline that briefs use. */
export interface Headline {
  readonly title: string;
  /** Publisher. */
  readonly source: string;
  readonly link: string;
  /** Epoch ms. */
  readonly publishedAt: number;
}

/** A function that returns the alpha-2 codes of the countries in a title. */
export type CountriesIn = (title: string) => readonly string[];

const TITLE_CHARACTERS_MAX = 160;
const SOURCE_CHARACTERS_MAX = 80;

/** Selects the headlines that name the country, whatever their age, and keeps their order. */
export function headlineEvidence(
  code: string,
  headlines: readonly Headline[],
  countriesIn: CountriesIn,
): readonly EvidenceDraft[] {
  return headlines
    .filter(({ title, link }) => isWebAddress(link) && countriesIn(title).includes(code))
    .map(draftOf)
    .filter(({ value }) => value !== "");
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
