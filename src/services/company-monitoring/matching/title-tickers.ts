const TICKERS_MAX = 8;

/** Exchanges that publishers write before a ticker, as in "(NASDAQ: AAPL)". */
const withExchange =
  /\b(?:NASDAQ|NYSE|NYSE American|NYSE Arca|AMEX|OTC|OTCMKTS|OTCQB|OTCQX|TSX|TSXV|TSX-V|CSE|LSE|LON|AIM|ASX|NZX|NSE|BSE|HKEX|SEHK|HKG|SGX|TYO|TSE|KRX|TWSE|ETR|FRA|XETRA|EPA|Euronext|BIT|BME|SIX|STO|JSE):\s?([A-Z0-9][A-Z0-9.-]{0,9})(?![A-Za-z0-9])/g;
/** "$AAPL", but neither "$5M" nor "US$AB". */
const withDollar = /(?<![\p{L}\p{N}$])\$([A-Z]{1,6}(?:\.[A-Z]{1,2})?)(?![\p{L}\p{N}])/gu;
/** "(AAPL)" after a name, and "AAPL stock". Shorter ones are too often abbreviations. */
const inBrackets = /\(([A-Z]{3,5})(?:\.[A-Z]{1,2})?\)/g;
const beforeStock = /(?<![\p{L}\p{N}])([A-Z]{3,5}) (?:stock|shares|Stock|Shares)(?![\p{L}\p{N}])/gu;

/** The tickers that a title writes as such, at most eight. */
export function titleTickers(title: string): readonly string[] {
  const tickers = [withExchange, withDollar, inBrackets, beforeStock].flatMap((expression) =>
    [...title.matchAll(expression)].map(([, ticker = ""]) => ticker),
  );
  return [...new Set(tickers)].slice(0, TICKERS_MAX);
}
