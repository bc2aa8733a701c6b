/** An identifier of a company, normalised for the search in texts. */
export type CompanyIdentifier =
  | { readonly kind: "cik"; readonly value: string }
  | { readonly kind: "lei"; readonly value: string }
  | { readonly kind: "ticker"; readonly value: string; readonly exchange: string | undefined };

const CIK = /^cik[\s:#-]*0*(\d{1,10})$/i;
const LEI = /^(?:lei[\s:#-]*)?([a-z0-9]{18}\d{2})$/i;
const TICKER = /^([a-z]{2,9})[\s:#-]+([a-z0-9][a-z0-9.-]{0,9})$/i;
/** Prefixes that mark a ticker without naming an exchange. */
const ANY_EXCHANGE: ReadonlySet<string> = new Set(["TICKER", "SYMBOL"]);

/** Reads `CIK:0000320193`, `LEI:…`, `TICKER:AAPL` or `NASDAQ: AAPL`; undefined for another identifier. */
export function companyIdentifier(text: string): CompanyIdentifier | undefined {
  const cik = CIK.exec(text)?.[1];
  if (cik !== undefined) return { kind: "cik", value: cik };
  const lei = LEI.exec(text)?.[1];
  if (lei !== undefined) return { kind: "lei", value: lei.toUpperCase() };
  const [, prefix, ticker] = TICKER.exec(text) ?? [];
  if (prefix === undefined || ticker === undefined) return undefined;
  const exchange = prefix.toUpperCase();
  return { kind: "ticker", value: ticker.toUpperCase(), exchange: ANY_EXCHANGE.has(exchange) ? undefined : exchange };
}
