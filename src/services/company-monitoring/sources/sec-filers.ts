import { Type } from "typebox";
import type { OnDemandRead } from "../../../contract/on-demand.js";
import { SourceFailure, source, step } from "../../../contract/source.js";
import { edgarLicence } from "../../../edgar/edgar-request.js";
import { submissionsRequest, tenDigitCik } from "../../../edgar/submissions.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kit/clock.js";

/** A company or person that files with the SEC. */
export interface SecFiler {
  /** Ten digits. */
  readonly cik: string;
  readonly name: string;
  /** In upper case; empty for a filer without listed securities. */
  readonly tickers: readonly string[];
  /** Earlier names, newest first. */
  readonly formerNames: readonly string[];
}

interface FilerPlan {
  readonly cik: string;
}

const NAME_CHARACTERS_MAX = 300;

/** Name, tickers and former names of a filer. If no filer has the CIK, there is no record. */
export const secFilers = source({
  id: "sec-filers",
  title: "SEC EDGAR, names and tickers of a filer",
  home: "https://www.sec.gov/search-filings/edgar-application-programming-interfaces",
  seen: "recorded",
  licence: edgarLicence,
  steps: {
    filer: step({
      request: ({ cik }: FilerPlan) => submissionsRequest(cik),
      format: { kind: "json" },
      row: Type.Object({
        cik: Type.String({ pattern: "^\\d{1,10}$" }),
        name: Type.String({ minLength: 1, maxLength: NAME_CHARACTERS_MAX }),
        tickers: Type.Array(Type.String({ maxLength: 20 })),
        formerNames: Type.Array(Type.Object({ name: Type.String({ maxLength: NAME_CHARACTERS_MAX }) })),
      }),
      rows(document) {
        if (typeof document !== "object" || document === null || !("formerNames" in document)) {
          throw new SourceFailure("changed", "expected the submissions of a filer with formerNames");
        }
        return [document];
      },
      record: ({ cik, name, tickers, formerNames }): SecFiler => ({
        cik: tenDigitCik(cik),
        name,
        tickers: [...new Set(tickers.map((ticker) => ticker.toUpperCase()))],
        formerNames: [...new Set(formerNames.map((former) => former.name.trim()))].filter((former) => former !== ""),
      }),
      rowsMin: 0,
      instead: ({ status }) => (status === 404 ? [] : undefined),
    }),
  },
  observedAt: () => undefined,
});

/** Reads a filer when `identityJob` looks up a company by its CIK. */
export const secFiler: OnDemandRead<FilerPlan, SecFiler> = {
  name: "SEC filer",
  source: secFilers,
  ttlMs: DAY_MS,
  missTtlMs: 6 * HOUR_MS,
  errorTtlMs: MINUTE_MS,
  staleWhileErrorMs: 7 * DAY_MS,
  timeLimitMs: 20 * SECOND_MS,
  asksTwice: true,
  plan: ({ cik }): FilerPlan | undefined => (/^\d{1,10}$/.test(cik) ? { cik: tenDigitCik(cik) } : undefined),
};
