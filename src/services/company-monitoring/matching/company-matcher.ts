import { type PhraseTable, phraseTable } from "../../../kit/phrases.js";
import { type Word, wordsOf } from "../../../kit/words.js";
import { companyIdentifier } from "./company-identifiers.js";
import { attributionOf, isAboutBusiness, isForeign, isWrittenAs, type ReadTitle } from "./mention.js";
import { keyOf, type NameForm, nameForms, termsOf } from "./name-forms.js";
import { withoutPublisher } from "./publisher-tail.js";
import { titleCapitals } from "./title-capitals.js";
import { titleTickers, withoutTickers } from "./title-tickers.js";

/** A company with everything that texts may call it. */
export interface SearchedCompany {
  readonly key: string;
  /** Companies of other portfolios make no difference. Undefined for one portfolio of all companies. */
  readonly portfolio?: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** Host names in lower case. */
  readonly domains: readonly string[];
  /** Such as `CIK:0000320193`, `LEI:…` and `TICKER:AAPL`. */
  readonly identifiers: readonly string[];
  /** ISO 3166-1 alpha-2; empty if unknown. */
  readonly domicileCountry: string;
}

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

interface IndexedCompany {
  readonly company: SearchedCompany;
  readonly words: ReadonlySet<string>;
  readonly hasCik: boolean;
}

interface NameEntry {
  readonly of: IndexedCompany;
  readonly form: NameForm;
  readonly label: "name" | "alias";
}

interface HostEntry {
  readonly of: IndexedCompany;
  readonly words: readonly Word[];
}

interface TickerEntry {
  readonly of: IndexedCompany;
  readonly exchange: string | undefined;
}

interface CompanyIndex {
  readonly names: PhraseTable<NameEntry[]>;
  readonly hosts: PhraseTable<HostEntry[]>;
  readonly ciks: Map<string, IndexedCompany[]>;
  readonly leis: Map<string, IndexedCompany[]>;
  readonly tickers: Map<string, TickerEntry[]>;
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

/** Builds an index of companies. Its cost is linear in their names. */
export function companyMatcher(companies: readonly SearchedCompany[]): CompanyMatcher {
  const index = indexOf(companies);
  return {
    match(text, kind) {
      const found = new Map<string, CompanyMatch>();
      const add = ({ company: { key } }: IndexedCompany, attribution: number, matchedBy: string): void => {
        if (attribution > (found.get(key)?.attribution ?? 0))
          found.set(key, { companyKey: key, attribution, matchedBy });
      };
      const subject = kind === "title" ? withoutPublisher(text) : text;
      const words = wordsOf(subject, WORDS_MAX);
      const filers = kind === "filing" ? ciksIn(words) : [];
      for (const cik of filers) for (const of of index.ciks.get(cik) ?? []) add(of, ATTRIBUTION.filer, `CIK ${cik}`);
      for (const { written } of words) {
        if (!LEI.test(written)) continue;
        for (const of of index.leis.get(written) ?? []) add(of, ATTRIBUTION.lei, `LEI ${written}`);
      }
      if (index.tickers.size > 0) {
        for (const { ticker, exchange } of titleTickers(subject)) {
          for (const entry of index.tickers.get(ticker) ?? []) {
            const isSame = exchange === undefined || entry.exchange === undefined || exchange === entry.exchange;
            if (isSame) add(entry.of, ATTRIBUTION.ticker, `ticker ${ticker}`);
          }
        }
      }
      const named =
        filers.length > 0
          ? filersIn(index, words)
          : mentionsIn(index, wordsOf(withoutTickers(subject), WORDS_MAX), kind);
      for (const { of, attribution, matchedBy } of [...hostsIn(index, words), ...named]) {
        add(of, kind === "text" ? Math.min(attribution, ATTRIBUTION.inText) : attribution, matchedBy);
      }
      return [...found.values()].sort(
        (a, b) => b.attribution - a.attribution || (a.companyKey < b.companyKey ? -1 : 1),
      );
    },
  };
}

function indexOf(companies: readonly SearchedCompany[]): CompanyIndex {
  const index: CompanyIndex = {
    names: phraseTable(),
    hosts: phraseTable(),
    ciks: new Map(),
    leis: new Map(),
    tickers: new Map(),
  };
  for (const company of companies) {
    const labels = new Map<NameForm, NameEntry["label"]>();
    for (const form of nameForms(company.name)) labels.set(form, "name");
    for (const form of company.aliases.flatMap(nameForms)) labels.set(form, "alias");
    const identifiers = company.identifiers.flatMap((text) => companyIdentifier(text) ?? []);
    const of: IndexedCompany = {
      company,
      words: new Set([...labels.keys()].flatMap(({ words }) => words.map(({ folded }) => folded))),
      hasCik: identifiers.some(({ kind }) => kind === "cik"),
    };
    const byKey = new Map<string, NameEntry>();
    for (const [form, label] of labels) {
      const key = keyOf(form.words);
      if (!byKey.has(key)) byKey.set(key, { of, form, label });
    }
    for (const entry of byKey.values()) put(index.names, termsOf(entry.form.words), entry);
    for (const host of new Set(company.domains)) {
      const words = wordsOf(host, WORDS_MAX);
      const terms = words.map(({ folded }) => folded);
      if (words.length > 1) put(index.hosts, terms, { of, words });
    }
    for (const identifier of identifiers) {
      const { kind, value } = identifier;
      if (kind === "ticker") {
        index.tickers.set(value, [...(index.tickers.get(value) ?? []), { of, exchange: identifier.exchange }]);
      } else {
        const map = kind === "cik" ? index.ciks : index.leis;
        map.set(value, [...(map.get(value) ?? []), of]);
      }
    }
  }
  return index;
}

function put<Entry>(table: PhraseTable<Entry[]>, phrase: readonly string[], entry: Entry): void {
  const entries = table.get(phrase);
  if (entries) entries.push(entry);
  else table.set(phrase, [entry]);
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
  return words.flatMap((_, at) => {
    const entries = hosts.longestAt(words, at)?.values.flat() ?? [];
    const written = entries.filter((entry) =>
      entry.words.every((own, index) => index === 0 || words[at + index]?.before === own.before),
    );
    return written.map(({ of }) => ({ of, attribution: ATTRIBUTION.host, matchedBy: "domain in title" }));
  });
}

/**
 * Finds the names in a text, separately for each portfolio, because the companies of other accounts must not affect the
 * result.
 */
function mentionsIn({ names }: CompanyIndex, words: readonly Word[], kind: MatchedText): readonly Found[] {
  const portfolios = new Set<string | undefined>();
  for (const at of words.keys()) {
    names.longestAt(words, at, (entries) => {
      for (const { of } of entries) portfolios.add(of.company.portfolio);
      return false;
    });
  }
  if (portfolios.size === 0) return [];
  const title = readTitle(words, kind);
  return [...portfolios].flatMap((portfolio) => namedIn(names, title, { portfolio, kind }));
}

interface NamedScope {
  readonly portfolio: string | undefined;
  readonly kind: MatchedText;
}

/** Finds the names of a portfolio from left to right. The longest name at a place wins, whatever it means. */
function namedIn(names: CompanyIndex["names"], title: ReadTitle, { portfolio, kind }: NamedScope): readonly Found[] {
  const found: NamedCompany[] = [];
  const { words } = title;
  for (let at = 0; at < words.length; ) {
    const isHere = ({ of, form }: NameEntry): boolean =>
      of.company.portfolio === portfolio && isWrittenAs(form, title, at);
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
