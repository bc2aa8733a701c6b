import { Type } from "typebox";
import { Value } from "typebox/value";
import { SourceFailure, source, step } from "../../../contract/source.js";
import { edgarLicence, edgarRequest } from "../../../edgar/edgar-request.js";
import { tenDigitCik } from "../../../edgar/submissions.js";
import type { ListedCompany } from "../records.js";

const Rows = Type.Record(Type.String(), Type.Unknown());

/** The companies with a ticker, the largest first. A company has a row for each of its tickers. */
export const secCompanyTickers = source({
  id: "sec-company-tickers",
  title: "SEC EDGAR, tickers and Central Index Keys",
  home: "https://www.sec.gov/search-filings/edgar-search-assistance/accessing-edgar-data",
  seen: "recorded",
  licence: edgarLicence,
  steps: {
    list: step({
      request: () => edgarRequest("build", { key: "list", url: "https://www.sec.gov/files/company_tickers.json" }),
      format: { kind: "json" },
      row: Type.Object({
        cik_str: Type.Integer({ minimum: 1, maximum: 9_999_999_999 }),
        ticker: Type.String({ pattern: "^[A-Za-z0-9.-]{1,16}$" }),
        title: Type.String({ minLength: 1, maxLength: 200 }),
      }),
      rows(document) {
        if (Array.isArray(document) || !Value.Check(Rows, document)) {
          throw new SourceFailure("changed", "expected an object that maps each place in the list to a company");
        }
        return Object.values(document);
      },
      record: ({ cik_str, ticker, title }): ListedCompany => ({
        cik: tenDigitCik(cik_str),
        ticker: ticker.toUpperCase(),
        name: title.trim(),
      }),
    }),
  },
  observedAt: () => undefined,
});
