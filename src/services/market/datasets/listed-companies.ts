import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import { DAY_MS } from "../../../kit/clock.js";
import { visitSteps } from "../../../kit/list-steps.js";
import type { ClockPace, Steps } from "../../../kit/loop-turns.js";
import { normalName } from "../../../kit/normal-name.js";
import type { ListedCompany } from "../records.js";
import { contentAges } from "../rules/content-ages.js";
import { secCompanyTickers } from "../sources/sec-company-tickers.js";

const COMPANIES_MIN = 5_000;

const parts = {
  companies: part<ListedCompany, object>({
    sources: [secCompanyTickers],
    identity: ["cik", "ticker"],
    plan: () => ({}),
  }),
};

export interface ListedCompaniesView {
  /**
   * Finds the company with this ticker, ignoring case. The share class may follow a dot or a hyphen (`BRK.B`, `BRK-B`).
   */
  withTicker(ticker: string): ListedCompany | undefined;
  /** Finds the rows of a company, one for each of its tickers. */
  withCik(cik: string): readonly ListedCompany[];
  /** Finds the rows of all companies with this name. Case, accents and punctuation are ignored. */
  named(name: string): readonly ListedCompany[];
}

const tickerKey = (ticker: string): string => ticker.toUpperCase().replaceAll(".", "-");

function* viewSteps({ companies }: RecordsOf<typeof parts>, pace: ClockPace): Steps<ListedCompaniesView> {
  const byTicker = new Map<string, ListedCompany>();
  const byCik = new Map<string, ListedCompany[]>();
  const byName = new Map<string, ListedCompany[]>();
  const add = (lists: Map<string, ListedCompany[]>, key: string, company: ListedCompany): void => {
    const list = lists.get(key);
    if (list) list.push(company);
    else lists.set(key, [company]);
  };
  yield* visitSteps(companies, pace, (company) => {
    const key = tickerKey(company.ticker);
    // The list begins with the largest company, so a shared ticker identifies the largest one.
    if (!byTicker.has(key)) byTicker.set(key, company);
    add(byCik, company.cik, company);
    add(byName, normalName(company.name), company);
  });
  return {
    withTicker: (ticker) => byTicker.get(tickerKey(ticker)),
    withCik: (cik) => byCik.get(cik) ?? [],
    named: (name) => byName.get(normalName(name)) ?? [],
  };
}

/** The companies that file with the SEC and have a ticker. */
export const listedCompanies = dataset({
  name: "listed-companies",
  title: "Companies listed in the United States",
  description: "Tickers, names and Central Index Keys of the companies that file with the SEC and have a ticker.",
  cadenceMs: DAY_MS,
  staleAfterMs: 4 * DAY_MS,
  partAges: contentAges.listedCompanies.parts,
  gaps: [
    "The SEC answers 403 to clients that send no contact address. Set VIGIL_CONTACT.",
    "The SEC does not guarantee that the list is complete or current.",
    "A ticker that several companies share identifies the largest of them, which is the first in the list.",
  ],
  parts,
  gateRule: "at least 5,000 tickers",
  gate: ({ companies }) =>
    companies.length < COMPANIES_MIN ? `${companies.length} tickers; expected at least ${COMPANIES_MIN}` : undefined,
  view: viewSteps,
  newestAt: () => null,
});
