import type { Licence, StepRequest } from "../contract/source.js";

/** The licence of everything that EDGAR disseminates. */
export const edgarLicence: Licence = {
  name: "US government work",
  url: "https://www.sec.gov/privacy#dissemination",
  attribution: "U.S. Securities and Exchange Commission, EDGAR",
  open: true,
};

/**
 * Least time between two requests. The SEC admits ten requests a second from one address, over all its hosts, and
 * refuses the excess with an HTML page of status 403 or 503. Builds and calls have a client each, so their spacings share
 * the ten: two a second for builds, 7.7 for calls. https://www.sec.gov/os/accessing-edgar-data
 */
const spacingsMs = { build: 500, call: 130 };

/** A request to a host of the SEC, within its limit, that a build or a call makes. */
export function edgarRequest(
  by: keyof typeof spacingsMs,
  request: Omit<StepRequest, "spacingMs" | "spacedWith">,
): StepRequest {
  return { ...request, spacingMs: spacingsMs[by], spacedWith: "sec.gov" };
}
