import { wordsOf } from "../../../kit/words.js";

const TICKERS_MAX = 8;

/** "NASDAQ: AAPL": a ticker after its exchange. */
const withExchange =
  /\b(NASDAQ|NYSE|NYSE American|NYSE Arca|AMEX|OTC|OTCMKTS|OTCQB|OTCQX|TSX|TSXV|TSX-V|CSE|LSE|LON|AIM|ASX|NZX|NSE|BSE|HKEX|SEHK|HKG|SGX|TYO|TSE|KRX|TWSE|ETR|FRA|XETRA|EPA|Euronext|BIT|BME|SIX|STO|JSE):\s?([A-Z0-9][A-Z0-9.-]{0,9})(?![A-Za-z0-9])/g;
/** "$AAPL", but neither "$5M" nor "US$AB". */
const withDollar = /(?<![\p{L}\p{N}$])\$([A-Z]{1,6}(?:\.[A-Z]{1,2})?)(?![\p{L}\p{N}])/gu;
/**
 * "(AAPL)" and, in `beforeStock`, "AAPL stock". At least three letters, because shorter tickers are too often
 * abbreviations.
 */
const inBrackets = /\(([A-Z]{3,5})(?:\.[A-Z]{1,2})?\)/g;
const beforeStock = /(?<![\p{L}\p{N}])([A-Z]{3,5}) (?:stock|shares|Stock|Shares)(?![\p{L}\p{N}])/gu;

/** "F.N" and "AAPL.O", as Reuters writes them. */
const withSuffix = /(?<![\p{L}\p{N}.])([A-Z]{1,5})\.(N|O|OQ|L|TO|AX|HK|T|PA|DE)(?![\p{L}\p{N}.])/gu;
const exchangeBySuffix: Readonly<Record<string, string>> = {
  N: "NYSE",
  O: "NASDAQ",
  OQ: "NASDAQ",
  L: "LSE",
  TO: "TSX",
  AX: "ASX",
  HK: "HKEX",
  T: "TYO",
  PA: "EPA",
  DE: "ETR",
};

/**
 * The country of each exchange that lists companies of one country. Other exchanges, such as the American ones and
 * Euronext, are left out.
 */
const countryOfExchange: ReadonlyMap<string, string> = new Map(
  Object.entries({
    CA: "TSX TSXV TSX-V CSE",
    GB: "LSE LON AIM",
    AU: "ASX",
    NZ: "NZX",
    IN: "NSE BSE",
    HK: "HKEX SEHK HKG",
    SG: "SGX",
    JP: "TYO TSE",
    KR: "KRX",
    TW: "TWSE",
    DE: "ETR FRA XETRA",
    FR: "EPA",
    IT: "BIT",
    ES: "BME",
    CH: "SIX",
    SE: "STO",
    ZA: "JSE",
  }).flatMap(([country, exchanges]) => exchanges.split(" ").map((exchange) => [exchange, country] as const)),
);

/** A ticker as spelled in a title. */
export interface TitleTicker {
  readonly ticker: string;
  /** Undefined for a ticker such as $AAPL. */
  readonly exchange: string | undefined;
  /** The ticker may be an abbreviation of something else, such as (WHO). */
  readonly isDoubtful: boolean;
}

/**
 * Tests whether a company domiciled in a country may be listed on an exchange. Used if the company's own exchange is
 * unknown.
 */
export function mayBeListedAt(exchange: string, domicileCountry: string): boolean {
  const country = countryOfExchange.get(exchange);
  return country === undefined || domicileCountry === "" || country === domicileCountry;
}

/** Returns the tickers marked as such in a title, at most eight. */
export function titleTickers(title: string): readonly TitleTicker[] {
  const plain = [withDollar, inBrackets, beforeStock].flatMap((expression) =>
    [...title.matchAll(expression)].map(([, ticker = ""]) => ({
      ticker,
      exchange: undefined,
      isDoubtful: expression === inBrackets,
    })),
  );
  const full = [...title.matchAll(withExchange)].map(([, exchange = "", ticker = ""]) => ({
    ticker,
    exchange: exchange.toUpperCase(),
    isDoubtful: false,
  }));
  const suffixed = [...title.matchAll(withSuffix)].map(([, ticker = "", suffix = ""]) => ({
    ticker,
    exchange: exchangeBySuffix[suffix],
    isDoubtful: false,
  }));
  return [...full, ...suffixed, ...plain].slice(0, TICKERS_MAX);
}

/**
 * Replaces each ticker that follows an exchange or a `$`, together with that exchange or `$`, with a space, so that the
 * ticker is not read as a name.
 */
export function withoutTickers(title: string): string {
  return title.replace(withExchange, " ").replace(withDollar, " ");
}

/** Returns the tickers with an exchange, by the number of words before them, as in "Carrier (NYSE: T)". */
export function tickersAfterWords(title: string, wordsMax: number): ReadonlyMap<number, string> {
  return new Map(
    [...title.matchAll(withExchange)]
      .slice(0, TICKERS_MAX)
      .map(({ index, 2: ticker = "" }) => [wordsOf(withoutTickers(title.slice(0, index)), wordsMax).length, ticker]),
  );
}
