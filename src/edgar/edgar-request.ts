import type { Licence, StepRequest } from "../contract/source.js";

/** The licence of everything that EDGAR disseminates. */
export const edgarLicence: Licence = {
  name: "US government work",
  url: "https://www.sec.gov/privacy#dissemination",
  attribution: "U.S. Securities and Exchange Commission, EDGAR",
  open: true,
};

/**
 * Minimum time between two requests. The SEC admits ten requests a second from one address, counted over all hosts of
 * the SEC. It refuses each further request with an HTML page and status 403 or 503. Builds and calls use separate
 * clients, so they divide the ten requests between them: two a second for builds and 7.7 for calls.
 * https://www.sec.gov/os/accessing-edgar-data
 */
const spacingsMs = { build: 500, call: 130 };

/** Creates a request to a host of the SEC, with the spacing of builds or of calls. */
export function edgarRequest(
  by: keyof typeof spacingsMs,
  request: Omit<StepRequest, "spacingMs" | "spacedWith" | "needsContact">,
): StepRequest {
  return { ...request, spacingMs: spacingsMs[by], spacedWith: "sec.gov", needsContact: true };
}
