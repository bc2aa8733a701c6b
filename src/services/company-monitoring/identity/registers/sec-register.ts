import type { ViewOf } from "../../../../contract/dataset.js";
import type { Observation } from "../../../../contract/on-demand.js";
import type { Snapshot } from "../../../../contract/snapshot.js";
import type { listedCompanies } from "../../../market/datasets/listed-companies.js";
import { companyIdentifier } from "../../matching/company-identifiers.js";
import type { ScannedCompany } from "../../scan/provider.js";
import type { SecFiler } from "../../sources/sec-filers.js";
import type { CompanyRegister, RegisterAnswer } from "../register.js";
import type { RegisterRecord } from "../resolve-identity.js";
import { answerOf } from "./answer-of.js";

type ListedView = ViewOf<typeof listedCompanies>;
type Listed = ReturnType<ListedView["withCik"]>[number];

const CIK_DIGITS = 10;

/**
 * The filers of the SEC. A company that declares its SEC number (CIK) is looked up on demand. Any other company is
 * found by ticker or name in the stored list of listed companies. The register applies to companies in the United
 * States, and to companies with an SEC number or a ticker.
 */
export function secRegister(
  listed: Snapshot<ListedView>,
  observe: (query: { readonly cik: string }) => Promise<Observation<readonly SecFiler[]>>,
): CompanyRegister {
  return {
    name: "SEC",
    appliesTo: (company) => company.domicileCountry === "US" || numbersOf(company).length > 0,
    async lookUp(company) {
      const ciks = numbersOf(company).flatMap(({ kind, value }) => (kind === "cik" ? [tenDigits(value)] : []));
      if (ciks.length > 0) return filers(ciks, observe);
      if (!listed.available) {
        return listed.attempt === null ? undefined : { state: "failed", reasonCode: "provider_unavailable" };
      }
      return { state: "read", records: listedRecords(company, listed.view), readAt: listed.checkedAt };
    },
  };
}

function numbersOf({ claims }: ScannedCompany) {
  return claims.flatMap(({ type, value }) => {
    const identifier = type === "COMPANY_CLAIM_TYPE_LEGAL_IDENTIFIER" ? companyIdentifier(value) : undefined;
    return identifier && identifier.kind !== "lei" ? [identifier] : [];
  });
}

/** Reads the filers with these numbers. Fails if one of the filers cannot be read. */
async function filers(
  ciks: readonly string[],
  observe: (query: { readonly cik: string }) => Promise<Observation<readonly SecFiler[]>>,
): Promise<RegisterAnswer> {
  const records: RegisterRecord[] = [];
  let readAt = Number.POSITIVE_INFINITY;
  for (const cik of new Set(ciks)) {
    const answer = answerOf(await observe({ cik }), filerRecord);
    if (answer.state === "failed") return answer;
    records.push(...answer.records);
    readAt = Math.min(readAt, answer.readAt);
  }
  return { state: "read", records, readAt };
}

/**
 * If the company has declared tickers, returns the listed companies with these tickers. Otherwise, returns the listed
 * companies with the company's name.
 */
function listedRecords(company: ScannedCompany, view: ListedView): readonly RegisterRecord[] {
  const tickers = numbersOf(company).flatMap(({ kind, value }) => (kind === "ticker" ? [value] : []));
  const rows =
    tickers.length > 0 ? tickers.flatMap((ticker) => view.withTicker(ticker) ?? []) : view.named(company.name);
  const ciks = new Set(rows.map(({ cik }) => cik));
  return [...ciks].flatMap((cik) => listedRecord(view.withCik(cik)));
}

function listedRecord(rows: readonly Listed[]): readonly RegisterRecord[] {
  const [first] = rows;
  if (!first) return [];
  return [
    {
      register: "SEC",
      recordId: withoutZeros(first.cik),
      legalName: first.name,
      formerNames: [],
      tickers: rows.map(({ ticker }) => ticker.toUpperCase()),
      isActive: true,
    },
  ];
}

function filerRecord({ cik, name, tickers, formerNames }: SecFiler): RegisterRecord {
  return { register: "SEC", recordId: withoutZeros(cik), legalName: name, formerNames, tickers, isActive: true };
}

function tenDigits(cik: string): string {
  return cik.padStart(CIK_DIGITS, "0");
}

function withoutZeros(cik: string): string {
  return String(Number(cik));
}
