import { onFirstUse } from "../../../kit/on-first-use.js";
import { type Word, wordsOf } from "../../../kit/words.js";
import { classOfTitle } from "../admission/category.js";
import type { EventCategory } from "../admission/event-class.js";
import {
  type CompanyIndex,
  companyIndex,
  type IndexedCompany,
  type NameEntry,
  type SearchedCompany,
  type TickerEntry,
} from "./company-index.js";
import {
  attributionOf,
  isAboutBusiness,
  isAboutForeignBusiness,
  isAboutOtherField,
  isForeign,
  isListedWith,
  isNamedWith,
  isProductOf,
  isWrittenAs,
} from "./mention.js";
import { nameForms } from "./name-forms.js";
import { withoutPublisher } from "./publisher-tail.js";
import type { Mention, ReadTitle } from "./read-title.js";
import { titleCapitals } from "./title-capitals.js";
import { mayBeListedAt, type TitleTicker, tickersAfterWords, titleTickers, withoutTickers } from "./title-tickers.js";

/** A company that a text may be about. */
export interface CompanyMatch {
  readonly companyKey: string;
  /** Confidence that the text is about the company, from 0 to 1. */
  readonly attribution: number;
  /** Such as `name in title` or `CIK 320193`. */
  readonly matchedBy: string;
}

/**
 * Kind of a searched text: the title of an article, running text, or the title of a filing with the filer's number in
 * brackets.
 */
export type MatchedText = "title" | "text" | "filing";

export interface CompanyMatcher {
  /** Finds the companies in a text, each once, most certain first. The time is linear in the length of the text. */
  match(text: string, kind: MatchedText): readonly CompanyMatch[];
}

/** Maximum number of words that are searched; longer texts are truncated. */
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
/** Events that also happen to towns, schools and authorities, and are therefore weaker evidence of a company. */
const commonEvents: ReadonlySet<EventCategory> = new Set(["accident", "labour", "management", "regulatory"]);
const LEI = /^[A-Z0-9]{18}\d{2}$/;

/** The facts about a text that are the same for every portfolio. */
interface ReadText {
  readonly kind: MatchedText;
  readonly words: readonly Word[];
  /** The text without its tickers, prepared for the search for names. */
  readonly title: ReadTitle;
  readonly ciks: readonly string[];
  readonly leis: readonly string[];
  readonly tickers: readonly TitleTicker[];
}

/** Returns a matcher for the companies of one portfolio. */
export function companyMatcher(companies: readonly SearchedCompany[]): CompanyMatcher {
  return matcherOf([companyIndex(companies)]);
}

/** Returns a matcher for the companies of several portfolios; each portfolio is treated as if it were the only one. */
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
    title: readTitle(subject, kind, hasTickers),
    ciks: kind === "filing" ? ciksIn(words) : [],
    leis: words.flatMap(({ written }) => (LEI.test(written) ? [written] : [])),
    tickers: hasTickers ? titleTickers(subject) : [],
  };
}

/** Returns the companies of a portfolio in a text, each with its most certain match. */
function matchesIn(index: CompanyIndex, read: ReadText): readonly CompanyMatch[] {
  const strongest = new Map<string, CompanyMatch>();
  const add = ({ company: { key } }: IndexedCompany, attribution: number, matchedBy: string): void => {
    if (attribution > (strongest.get(key)?.attribution ?? 0))
      strongest.set(key, { companyKey: key, attribution, matchedBy });
  };
  for (const cik of read.ciks) for (const of of index.ciks.get(cik) ?? []) add(of, ATTRIBUTION.filer, `CIK ${cik}`);
  for (const lei of read.leis) for (const of of index.leis.get(lei) ?? []) add(of, ATTRIBUTION.lei, `LEI ${lei}`);
  for (const titleTicker of read.tickers) {
    const { ticker } = titleTicker;
    for (const entry of index.tickers.get(ticker) ?? []) {
      if (isTickerOf(entry, titleTicker, read)) add(entry.of, ATTRIBUTION.ticker, `ticker ${ticker}`);
    }
  }
  const named = read.ciks.length > 0 ? filersIn(index, read.words, read.ciks) : namedIn(index, read);
  for (const { of, attribution, matchedBy } of [...hostsIn(index, read), ...named]) {
    add(of, read.kind === "text" ? Math.min(attribution, ATTRIBUTION.inText) : attribution, matchedBy);
  }
  return [...strongest.values()];
}

/**
 * Tests whether a ticker in a title belongs to a company. If the title states an exchange, it must be the company's
 * own. If the company's own exchange is unknown, `mayBeListedAt` decides. A ticker that may be an abbreviation belongs
 * to the company only if the title is about business or also names the company.
 */
function isTickerOf(entry: TickerEntry, { ticker, exchange, isDoubtful }: TitleTicker, { title }: ReadText): boolean {
  const isNamed = title.words.some(({ folded, written }) => written !== ticker && entry.of.words.has(folded));
  if (isDoubtful && !title.isBusiness && !isNamed) return false;
  if (exchange === undefined) return true;
  if (entry.exchange === undefined) return mayBeListedAt(exchange, entry.of.company.domicileCountry);
  return exchange === entry.exchange;
}

/** Returns the CIKs in a text (ten-digit numbers in brackets), without leading zeros. */
function ciksIn(words: readonly Word[]): readonly string[] {
  return words
    .filter(({ written, before }) => before.endsWith("(") && /^\d{10}$/.test(written))
    .map(({ written }) => written.replace(/^0+/, ""));
}

/**
 * Returns the companies that have the filer's full name and no CIK. A company that has this name but another CIK is
 * only a namesake, so it is not returned. If a company in the index has the filer's CIK, returns no company, because
 * that company is found by its CIK.
 */
function filersIn({ names, ciks }: CompanyIndex, words: readonly Word[], numbers: readonly string[]): readonly Found[] {
  if (numbers.some((number) => ciks.has(number))) return [];
  const end = words.findIndex(({ written, before }) => before.endsWith("(") && /^\d{10}$/.test(written));
  const start = words.findIndex(({ before }) => before === " - ");
  if (start < 0 || end <= start) return [];
  const name = words
    .slice(start, end)
    .map(({ written, before }, at) => (at === 0 ? written : before + written))
    .join("");
  const entriesOfName = nameForms(name).flatMap((form) => {
    const entries = form.isShort ? undefined : names.longestAt(form.words, 0);
    return entries?.length === form.words.length ? entries.values.flat() : [];
  });
  return entriesOfName
    .filter(({ of, form }) => !of.hasCik && !form.isShort)
    .map(({ of }) => ({ of, attribution: ATTRIBUTION.filerName, matchedBy: "name of the filer" }));
}

interface Found {
  readonly of: IndexedCompany;
  readonly attribution: number;
  readonly matchedBy: string;
}

function hostsIn({ hosts }: CompanyIndex, { words, kind }: ReadText): readonly Found[] {
  if (!words.some(({ before }) => before === ".")) return [];
  return words.flatMap((_, at) => {
    const entries = hosts.longestAt(words, at)?.values.flat() ?? [];
    const written = entries.filter((entry) =>
      entry.words.every((own, index) => index === 0 || words[at + index]?.before === own.before),
    );
    return written.map(({ of }) => ({ of, attribution: ATTRIBUTION.host, matchedBy: `domain in ${kind}` }));
  });
}

/**
 * Finds the names in a text from left to right. At each position the longest name is taken, even if it turns out to
 * have another meaning there.
 */
function namedIn({ names }: CompanyIndex, { title, kind }: ReadText): readonly Found[] {
  const mentioned: NamedCompany[] = [];
  const { words } = title;
  for (let at = 0; at < words.length; ) {
    const isHere = ({ form }: NameEntry): boolean => isWrittenAs(form, title, at);
    const entriesAt = names.longestAt(words, at, (entries) => entries.some(isHere));
    if (entriesAt === undefined) {
      at += 1;
      continue;
    }
    const entries = entriesAt.values.flat().filter(isHere);
    const mentions = entries.map((entry) => mentionOf(entry, { title, kind, at, length: entriesAt.length }));
    const isShared = new Set(mentions.map(({ of }) => of)).size > 1;
    for (const mention of mentions) {
      if (mention.attribution === 0) continue;
      mentioned.push(
        isShared ? { ...mention, isShared, attribution: Math.min(mention.attribution, ATTRIBUTION.namesake) } : mention,
      );
    }
    at += entriesAt.length;
  }
  return mentioned.map((mention) => withNeighbour(title, mention, mentioned));
}

interface MentionPlace {
  readonly title: ReadTitle;
  readonly kind: MatchedText;
  readonly at: number;
  readonly length: number;
}

function mentionOf(
  { of, form, label, isShortened }: NameEntry,
  { title, kind, at, length }: MentionPlace,
): NamedCompany {
  const mention: Mention = { at, length, form, isShortened, companyWords: of.words };
  const ticker = title.tickers.get(at + length);
  const isNamesake = ticker !== undefined && of.tickers.size > 0 && !of.tickers.has(ticker);
  const attribution = isNamesake ? 0 : attributionOf(title, mention);
  return { of, mention, attribution, matchedBy: `${label} in ${kind}`, isShared: false };
}

/**
 * Adjusts the confidence of a name if the title also names another company. A doubtful name is attributed to its
 * company if the other company is certain, or if the title lists the name with another doubtful name: "Visa and
 * Mastercard". A name between another company's name and a number is a product: "Nvidia's RTX 5090".
 */
function withNeighbour(title: ReadTitle, named: NamedCompany, mentioned: readonly NamedCompany[]): NamedCompany {
  const { of, mention, attribution, isShared } = named;
  const others = mentioned.filter((other) => other.of !== of && other.attribution >= ATTRIBUTION.besideCompany);
  if (others.some((other) => isProductOf(title, mention, other.mention))) {
    return { ...named, attribution: ATTRIBUTION.namesake };
  }
  if (attribution >= ATTRIBUTION.besideCompany || isShared) return named;
  const doubtful = mentioned.filter(
    (other) => other.of !== of && !other.isShared && mention.form.ambiguity !== "shared",
  );
  const isBeside =
    others.some((other) => isNamedWith(title, mention, other.mention)) ||
    doubtful.some((other) => isListedWith(title, mention, other.mention));
  return isBeside ? { ...named, attribution: ATTRIBUTION.besideCompany } : named;
}

interface NamedCompany extends Found {
  readonly mention: Mention;
  /** True if several companies have this name. */
  readonly isShared: boolean;
}

function readTitle(subject: string, kind: MatchedText, hasTickers: boolean): ReadTitle {
  const words = wordsOf(withoutTickers(subject), WORDS_MAX);
  return {
    words,
    // Filings write every filer in capitals, so capitals have no meaning there.
    capitals: kind === "filing" ? "none" : titleCapitals(words),
    isBusiness: kind === "filing" || isAboutBusiness(words),
    isOtherField: kind !== "filing" && isAboutOtherField(words),
    isForeign: isForeign(words),
    eventEvidence: kind === "title" ? onFirstUse(() => eventEvidence(subject, words)) : () => 1,
    tickers: hasTickers ? tickersAfterWords(subject, WORDS_MAX) : new Map(),
  };
}

/**
 * Returns the evidence that a title's event adds to a name. In languages other than English, a single business word
 * counts as an event.
 */
function eventEvidence(subject: string, words: readonly Word[]): number {
  if (isAboutForeignBusiness(words)) return 1;
  const { category } = classOfTitle({ title: subject });
  if (category === "none") return 0;
  return commonEvents.has(category) ? 0.5 : 1;
}
