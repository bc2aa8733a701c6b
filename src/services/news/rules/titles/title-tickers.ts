const TICKERS_MAX = 8;

/** Exchanges that publishers write before a ticker, as in "(NASDAQ: AAPL)". */
const exchanges =
  "NASDAQ|NYSE|NYSE ?American|NYSE ?Arca|AMEX|OTC|OTCMKTS|OTCQB|OTCQX|CBOE|TSX|TSX-?V|CSE|LSE|AIM|ASX|NZX|NSE|BSE|" +
  "HKEX|SEHK|HKG|SGX|TYO|TSE|KRX|KOSPI|SSE|SZSE|TWSE|ETR|FRA|XETRA|EPA|Euronext|BIT|BME|SIX|STO|OMX|JSE|B3|BMV|TASE";

const withExchange = new RegExp(`[([](?:${exchanges})\\s?:\\s?([A-Z0-9][A-Z0-9.-]{0,7})[)\\]]`, "gi");
/** Tickers such as "$AAPL", but neither "$5M" nor "US$AB". */
const withDollar = /(?<![\p{L}\p{N}$])\$([A-Z]{1,6}(?:\.[A-Z]{1,2})?)(?![\p{L}\p{N}])/gu;

/** Finds explicit tickers in title order, each once, at most eight. */
export function tickersIn(title: string): readonly string[] {
  const tickers = [...title.matchAll(withExchange), ...title.matchAll(withDollar)]
    .sort((a, b) => a.index - b.index)
    .map(([, ticker = ""]) => ticker.toUpperCase());
  return [...new Set(tickers)].slice(0, TICKERS_MAX);
}
