import { registrantOf } from "../../../simulator/models/registrants.js";
import { type SimulatedAnswer, type SimulatedRequest, simulatedUpstream } from "../../../simulator/upstream.js";
import { filingsUntil } from "./models/ownership.js";

/**
 * Simulates EDGAR's record of a filer: its names, its tickers, and its filings. Each field of the filings is an array
 * of its own.
 */
export const upstream = simulatedUpstream({
  name: "sec-submissions",
  routes: [
    {
      host: "data.sec.gov",
      path: "/submissions/*",
      handle: answerSubmissions,
      variants: {
        changed: (json) => json.replace('"filings"', '"filed"').replace('"formerNames"', '"earlierNames"'),
        empty: (json) => json.replaceAll(/"(accessionNumber|filingDate|form|primaryDocument)":\[[^\]]*\]/g, '"$1":[]'),
        badRow: withoutAccession,
      },
    },
  ],
});

function answerSubmissions({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const cik = Number(/\/CIK(\d{10})\.json$/.exec(url.pathname)?.[1]);
  const registrant = registrantOf(cik);
  if (registrant === undefined) {
    return { status: 404, contentType: "application/xml", body: "<Error><Code>NoSuchKey</Code></Error>" };
  }
  const filings = filingsUntil(seed, cik, clock.now());
  const body = JSON.stringify({
    cik: String(cik).padStart(10, "0"),
    entityType: "operating",
    sic: "3711",
    sicDescription: "Simulated Industry",
    ownerOrg: "04 Manufacturing",
    insiderTransactionForOwnerExists: 0,
    insiderTransactionForIssuerExists: 1,
    name: registrant.name,
    tickers: [registrant.ticker],
    exchanges: ["Simulated"],
    ein: null,
    lei: null,
    description: "",
    website: "",
    category: "Large accelerated filer",
    fiscalYearEnd: "1231",
    stateOfIncorporation: "DE",
    formerNames: [
      { name: `FORMERLY ${registrant.name}`, from: "2005-02-17T00:00:00.000Z", to: "2017-01-27T00:00:00.000Z" },
    ],
    filings: {
      recent: {
        accessionNumber: filings.map(({ accession }) => accession),
        filingDate: filings.map(({ filedOn }) => filedOn),
        reportDate: filings.map(({ tradedOn }) => tradedOn),
        form: filings.map(({ form }) => form),
        items: filings.map(({ form }) => (form === "8-K" ? "5.02,9.01" : "")),
        primaryDocument: filings.map(({ form }) => (form === "8-K" ? "report.htm" : "xslF345X05/form4.xml")),
      },
      files: [],
    },
  });
  return { status: 200, contentType: "application/json", body };
}

/** Invalidates the accession number of one report, the middle one of the reports without an amendment. */
function withoutAccession(json: string): string {
  const { filings, ...about } = JSON.parse(json) as {
    readonly filings: { readonly recent: { readonly accessionNumber: string[]; readonly form: readonly string[] } };
  };
  const { accessionNumber, form } = filings.recent;
  const lasting = form.flatMap((type, index) => (type === "4" && form[index - 1] !== "4/A" ? [index] : []));
  const middle = lasting[Math.floor(lasting.length / 2)];
  if (middle !== undefined) accessionNumber[middle] = "unknown";
  return JSON.stringify({ ...about, filings });
}
