import { ClockPace, type Steps } from "../../../kit/loop-turns.js";
import { type PhraseTable, phraseTable } from "../../../kit/phrases.js";
import { type Word, wordsOf } from "../../../kit/words.js";
import { companyIdentifier } from "./company-identifiers.js";
import { keyOf, type NameForm, nameForms, termsOf } from "./name-forms.js";

/** A company with all names and identifiers that texts may use for it. */
export interface SearchedCompany {
  readonly key: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** Host names in lower case. */
  readonly domains: readonly string[];
  /** Such as `CIK:0000320193`, `LEI:…` and `TICKER:AAPL`. */
  readonly identifiers: readonly string[];
  /** ISO 3166-1 alpha-2; empty if unknown. */
  readonly domicileCountry: string;
}

export interface IndexedCompany {
  readonly company: SearchedCompany;
  /** Folded words of its names. */
  readonly words: ReadonlySet<string>;
  readonly hasCik: boolean;
  readonly tickers: ReadonlySet<string>;
}

export interface NameEntry {
  readonly of: IndexedCompany;
  readonly form: NameForm;
  readonly label: "name" | "alias";
  /** True if the form is a single word of a company name that has several words. */
  readonly isShortened: boolean;
}

interface HostEntry {
  readonly of: IndexedCompany;
  readonly words: readonly Word[];
}

export interface TickerEntry {
  readonly of: IndexedCompany;
  readonly exchange: string | undefined;
}

/** The names, host names and identifiers of the companies of one portfolio. */
export interface CompanyIndex {
  readonly companyCount: number;
  readonly names: PhraseTable<NameEntry[]>;
  readonly hosts: PhraseTable<HostEntry[]>;
  readonly ciks: ReadonlyMap<string, readonly IndexedCompany[]>;
  readonly leis: ReadonlyMap<string, readonly IndexedCompany[]>;
  readonly tickers: ReadonlyMap<string, readonly TickerEntry[]>;
}

/** Maximum number of words in a host name. */
const HOST_WORDS_MAX = 128;

/** Builds the index of a portfolio in slices. The cost is linear in the number of names. */
export function* companyIndexSteps(companies: readonly SearchedCompany[], pace: ClockPace): Steps<CompanyIndex> {
  const index = {
    companyCount: companies.length,
    names: phraseTable<NameEntry[]>(),
    hosts: phraseTable<HostEntry[]>(),
    ciks: new Map<string, IndexedCompany[]>(),
    leis: new Map<string, IndexedCompany[]>(),
    tickers: new Map<string, TickerEntry[]>(),
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
      tickers: new Set(identifiers.flatMap(({ kind, value }) => (kind === "ticker" ? [value] : []))),
    };
    const byKey = new Map<string, NameEntry>();
    const ownNames = nameForms(company.name).map(({ words }) => words);
    const isPartOfName = ({ words: [word, second] }: NameForm): boolean =>
      second === undefined &&
      ownNames.every(({ length }) => length > 1) &&
      ownNames.some((words) => words.some(({ folded }) => folded === word?.folded));
    for (const [form, label] of labels) {
      const key = keyOf(form.words);
      if (!byKey.has(key)) byKey.set(key, { of, form, label, isShortened: isPartOfName(form) });
    }
    for (const entry of byKey.values()) put(index.names, termsOf(entry.form.words), entry);
    for (const host of new Set(company.domains)) {
      const words = wordsOf(host, HOST_WORDS_MAX);
      const terms = words.map(({ folded }) => folded);
      if (words.length > 1) put(index.hosts, terms, { of, words });
    }
    for (const identifier of identifiers) {
      const { kind, value } = identifier;
      if (kind === "ticker") append(index.tickers, value, { of, exchange: identifier.exchange });
      else append(kind === "cik" ? index.ciks : index.leis, value, of);
    }
    if (pace.isOver) yield;
  }
  return index;
}

/** Builds the index of a portfolio in one go. */
export function companyIndex(companies: readonly SearchedCompany[]): CompanyIndex {
  const steps = companyIndexSteps(companies, new ClockPace());
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function put<Entry>(table: PhraseTable<Entry[]>, phrase: readonly string[], entry: Entry): void {
  const entries = table.get(phrase);
  if (entries) entries.push(entry);
  else table.set(phrase, [entry]);
}

function append<Entry>(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const entries = map.get(key);
  if (entries) entries.push(entry);
  else map.set(key, [entry]);
}
