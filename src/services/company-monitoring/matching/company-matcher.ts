import { type Word, wordsOf } from "../../../kit/words.js";
import {
  type CompanyIndex,
  companyIndex,
  type IndexedCompany,
  type NameEntry,
  type SearchedCompany,
} from "./company-index.js";
import { attributionOf, isAboutBusiness, isForeign, isWrittenAs, type ReadTitle } from "./mention.js";
import { nameForms } from "./name-forms.js";
import { withoutPublisher } from "./publisher-tail.js";
import { titleCapitals } from "./title-capitals.js";
import { type TitleTicker, titleTickers, withoutTickers } from "./title-tickers.js";

/** A company that a text may concern. */
export interface CompanyMatch {
  readonly companyKey: string;
  /** Confidence that the text concerns the company, 0 to 1. */
  readonly attribution: number;
  /** Such as `name in title` or `CIK 320193`. */
  readonly matchedBy: string;
}

/** A title of an article, its text, or a title of a filing with its filer's number in brackets. */
export type MatchedText = "title" | "text" | "filing";

export interface CompanyMatcher {
  /** The companies in a text, each once, the surest first. Linear in the text. */
  match(text: string, kind: MatchedText): readonly CompanyMatch[];
}

/** Longer texts are truncated to this length. */
const WORDS_MAX = 600;
const ATTRIBUTION = {
  filer: 1,
  lei: 1,
  filerName: 0.95,
  ticker: 0.97,
  host: 0.95,
  namesake: 0.6,
  besideCompany: 0.9,
  inText: 0.85,
} as const;
const LEI = /^[A-Z0-9]{18}\d{2}$/;

/** A text with everything that does not depend on the companies. */
interface ReadText {
  readonly kind: MatchedText;
  readonly words: readonly Word[];
  /** Its words without tickers. */
  readonly title: ReadTitle;
  readonly ciks: readonly string[];
  readonly leis: readonly string[];
  readonly tickers: readonly TitleTicker[];
}

/** Finds the companies of one portfolio. */
export function companyMatcher(companies: readonly SearchedCompany[]): CompanyMatcher {
  return matcherOf([companyIndex(companies)]);
}

/** Finds the companies of several portfolios, each as if it were the only one. */
export function matcherOf(portfolios: readonly CompanyIndex[]): CompanyMatcher {
  const hasTickers = portfolios.some(({ tickers }) => tickers.size > 0);
  return {
    match(text, kind) {
      const read = readText(text, kind, hasTickers);
      return portfolios
        .flatMap((index) => matchesIn(index, read))
        .sort((a, b) => b.attribution - a.attribution || (a.companyKey < b.companyKey ? -1 : 1));
    },
  };
}

function readText(text: string, kind: MatchedText, hasTickers: boolean): ReadText {
  const subject = kind === "title" ? withoutPublisher(text) : text;
  const words = wordsOf(subject, WORDS_MAX);
  return {
    kind,
    words,
    title: readTitle(wordsOf(withoutTickers(subject), WORDS_MAX), kind),
    ciks: kind === "filing" ? ciksIn(words) : [],
    leis: words.flatMap(({ written }) => (LEI.test(written) ? [written] : [])),
    tickers: hasTickers ? titleTickers(subject) : [],
  };
}

/** The companies of a portfolio in a text, each by its surest sign. */
function matchesIn(index: CompanyIndex, read: ReadText): readonly CompanyMatch[] {
  const found = new Map<string, CompanyMatch>();
  const add = ({ company: { key } }: IndexedCompany, attribution: number, matchedBy: string): void => {
    if (attribution > (found.get(key)?.attribution ?? 0)) found.set(key, { companyKey: key, attribution, matchedBy });
  };
  for (const cik of read.ciks) for (const of of index.ciks.get(cik) ?? []) add(of, ATTRIBUTION.filer, `CIK ${cik}`);
  for (const lei of read.leis) for (const of of index.leis.get(lei) ?? []) add(of, ATTRIBUTION.lei, `LEI ${lei}`);
  for (const { ticker, exchange } of read.tickers) {
    for (const entry of index.tickers.get(ticker) ?? []) {
      const isSame = exchange === undefined || entry.exchange === undefined || exchange === entry.exchange;
      if (isSame) add(entry.of, ATTRIBUTION.ticker, `ticker ${ticker}`);
    }
  }
  const named = read.ciks.length > 0 ? filersIn(index, read.words) : namedIn(index, read);
  for (const { of, attribution, matchedBy } of [...hostsIn(index, read.words), ...named]) {
    add(of, read.kind === "text" ? Math.min(attribution, ATTRIBUTION.inText) : attribution, matchedBy);
  }
  return [...found.values()];
}

/** Numbers in brackets with the ten digits of a filer's number, without leading zeros. */
function ciksIn(words: readonly Word[]): readonly string[] {
  return words
    .filter(({ written, before }) => before.endsWith("(") && /^\d{10}$/.test(written))
    .map(({ written }) => written.replace(/^0+/, ""));
}

/** The companies without a number that have the whole name of the filer. A company with another number is a namesake. */
function filersIn({ names }: CompanyIndex, words: readonly Word[]): readonly Found[] {
  const end = words.findIndex(({ written, before }) => before.endsWith("(") && /^\d{10}$/.test(written));
  const start = words.findIndex(({ before }) => before === " - ");
  if (start < 0 || end <= start) return [];
  const filer = nameForms(
    words
      .slice(start, end)
      .map(({ written, before }, at) => (at === 0 ? written : before + written))
      .join(""),
  );
  const found = filer.flatMap(({ words: name }) => {
    const entries = names.longestAt(name, 0);
    return entries?.length === name.length ? entries.values.flat() : [];
  });
  return found
    .filter(({ of }) => !of.hasCik)
    .map(({ of }) => ({ of, attribution: ATTRIBUTION.filerName, matchedBy: "name of the filer" }));
}

interface Found {
  readonly of: IndexedCompany;
  readonly attribution: number;
  readonly matchedBy: string;
}

function hostsIn({ hosts }: CompanyIndex, words: readonly Word[]): readonly Found[] {
  if (!words.some(({ before }) => before === ".")) return [];
  return words.flatMap((_, at) => {
    const entries = hosts.longestAt(words, at)?.values.flat() ?? [];
    const written = entries.filter((entry) =>
      entry.words.every((own, index) => index === 0 || words[at + index]?.before === own.before),
    );
    return written.map(({ of }) => ({ of, attribution: ATTRIBUTION.host, matchedBy: "domain in title" }));
  });
}

/** Finds the names in a text from left to right. The longest name at a place wins, whatever it means. */
function namedIn({ names }: CompanyIndex, { title, kind }: ReadText): readonly Found[] {
  const found: NamedCompany[] = [];
  const { words } = title;
  for (let at = 0; at < words.length; ) {
    const isHere = ({ form }: NameEntry): boolean => isWrittenAs(form, title, at);
    const entriesAt = names.longestAt(words, at, (entries) => entries.some(isHere));
    if (entriesAt === undefined) {
      at += 1;
      continue;
    }
    const entries = entriesAt.values.flat().filter(isHere);
    const mentions = entries.map(({ of, form, label }) => ({
      of,
      attribution: attributionOf(title, { at, length: entriesAt.length, form, companyWords: of.words }),
      matchedBy: `${label} in ${kind}`,
    }));
    const isShared = new Set(mentions.map(({ of }) => of)).size > 1;
    for (const { of, attribution, matchedBy } of mentions) {
      if (attribution === 0) continue;
      found.push({
        of,
        matchedBy,
        isShared,
        attribution: isShared ? Math.min(attribution, ATTRIBUTION.namesake) : attribution,
      });
    }
    at += entriesAt.length;
  }
  return found.map((mention) => inCompany(mention, found));
}

/** A doubtful name next to a certain name of another company also counts as a company: "Visa and Mastercard". */
function inCompany(mention: NamedCompany, found: readonly NamedCompany[]): NamedCompany {
  const { of, attribution, isShared } = mention;
  if (attribution >= ATTRIBUTION.besideCompany || isShared) return mention;
  const isBeside = found.some((other) => other.of !== of && other.attribution >= ATTRIBUTION.besideCompany);
  return isBeside ? { ...mention, attribution: ATTRIBUTION.besideCompany } : mention;
}

interface NamedCompany extends Found {
  /** Several companies have the name. */
  readonly isShared: boolean;
}

function readTitle(words: readonly Word[], kind: MatchedText): ReadTitle {
  // Filings write their filers in capitals.
  const capitals = kind === "filing" ? "none" : titleCapitals(words);
  return { words, capitals, isBusiness: kind === "filing" || isAboutBusiness(words), isForeign: isForeign(words) };
}
