import type { StepRequest } from "../contract/source.js";
import { edgarRequest } from "./edgar-request.js";

const SUBMISSIONS_BYTES_MAX = 16 * 1024 * 1024;

/** A Central Index Key as the SEC writes it in addresses: ten digits. */
export function tenDigitCik(cik: number | string): string {
  return String(cik).padStart(10, "0");
}

/**
 * Creates the on-demand request for the SEC's record of a filer. The record has the filer's names, tickers and latest
 * 1,000 filings.
 */
export function submissionsRequest(cik: string): StepRequest {
  return edgarRequest("call", {
    key: cik,
    url: `https://data.sec.gov/submissions/CIK${cik}.json`,
    bytesMax: SUBMISSIONS_BYTES_MAX,
  });
}
