/** An identifier in the form in which texts are searched for it. */
export type CompanyIdentifier =
  | { readonly kind: "cik"; readonly value: string }
  | { readonly kind: "lei"; readonly value: string }
  | { readonly kind: "ticker"; readonly value: string };

const CIK = /^cik[\s:#-]*0*(\d{1,10})$/i;
const LEI = /^(?:lei[\s:#-]*)?([a-z0-9]{18}\d{2})$/i;
const TICKER =
  /^(?:ticker|symbol|nasdaq|nyse|nyse american|amex|lse|lon|tsx|asx|hkex|tyo|xetra|euronext)[\s:#-]+([a-z0-9][a-z0-9.-]{0,9})$/i;

/** Reads `CIK:0000320193`, `LEI:…`, `TICKER:AAPL` or `NASDAQ: AAPL`; undefined for another identifier. */
export function companyIdentifier(text: string): CompanyIdentifier | undefined {
  const cik = CIK.exec(text)?.[1];
  if (cik !== undefined) return { kind: "cik", value: cik };
  const ticker = TICKER.exec(text)?.[1];
  if (ticker !== undefined) return { kind: "ticker", value: ticker.toUpperCase() };
  const lei = LEI.exec(text)?.[1];
  return lei === undefined ? undefined : { kind: "lei", value: lei.toUpperCase() };
}
