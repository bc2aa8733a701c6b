import type { Licence, StepRequest } from "../contract/source.js";

/** The licence of everything that EDGAR disseminates. */
export const edgarLicence: Licence = {
  name: "US government work",
  url: "https://www.sec.gov/privacy#dissemination",
  attribution: "U.S. Securities and Exchange Commission, EDGAR",
  open: true,
};

/**
 * The SEC admits ten requests a second from one address, over all its hosts, and refuses the excess with an HTML page
 * of status 403 or 503. https://www.sec.gov/os/accessing-edgar-data
 */
const SPACING_MS = 110;

/** A request to a host of the SEC, within its limit. */
export function edgarRequest(request: Omit<StepRequest, "spacingMs" | "spacedWith">): StepRequest {
  return { ...request, spacingMs: SPACING_MS, spacedWith: "sec.gov" };
}
