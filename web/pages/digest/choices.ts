import type { ParamsOf } from "../../../src/sdk/index.js";

export type Language = NonNullable<ParamsOf<"list-feed-digest">["lang"]>;

// Fails to compile if the API has a language that this list lacks.
const languages: Readonly<Record<Language, true>> = {
  ar: true,
  bg: true,
  cs: true,
  de: true,
  el: true,
  en: true,
  es: true,
  fa: true,
  fr: true,
  hi: true,
  hr: true,
  hu: true,
  id: true,
  it: true,
  ja: true,
  ko: true,
  nl: true,
  pl: true,
  pt: true,
  ro: true,
  ru: true,
  sv: true,
  th: true,
  tr: true,
  uk: true,
  vi: true,
  zh: true,
};

/** The languages in which there is a digest. */
export const LANGUAGES = Object.keys(languages) as readonly Language[];

/** The kinds of digest. */
export const VARIANTS = [
  { id: "full", name: "All news" },
  { id: "tech", name: "Technology" },
  { id: "finance", name: "Finance" },
  { id: "commodity", name: "Commodities" },
  { id: "happy", name: "Good news" },
] as const;

export function languageOf(text: string): Language {
  return LANGUAGES.find((language) => language === text) ?? "en";
}

const names = new Intl.DisplayNames("en", { type: "language" });

export function languageName(language: string): string {
  return names.of(language) ?? language;
}

const CATEGORY_NAMES: Readonly<Record<string, string>> = {
  ai: "AI",
  asia: "Asia and Oceania",
  europe: "Europe",
  "fin-regulation": "Regulation",
  gccNews: "Gulf states",
  gov: "Governments",
  ipo: "IPOs",
  latam: "Latin America",
  middleeast: "Middle East",
  politics: "World affairs",
  producthunt: "Product Hunt",
  thinktanks: "Think tanks",
  us: "United States and Canada",
  vcblogs: "Venture capital",
};

/** The name of a category, by id. */
export function categoryName(id: string): string {
  const label = CATEGORY_NAMES[id];
  if (label !== undefined) return label;
  const words = id
    .replaceAll("-", " ")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
