import type { Licence, StepRequest } from "../contract/source.js";

/** The licence of everything that EDGAR disseminates. */
export const edgarLicence: Licence = {
  name: "US government work",
  url: "https://www.sec.gov/privacy#dissemination",
  attribution: "U.S. Securities and Exchange Commission, EDGAR",
  open: true,
};

/**
 * Minimum time between two requests. Over all its hosts, the SEC admits ten requests a second from one address, and
 * refuses any excess with an HTML page and status 403 or 503. Builds and calls use separate clients, so their spacings
 * divide the ten between them: two a second for builds, 7.7 for calls. https://www.sec.gov/os/accessing-edgar-data
 */
const spacingsMs = { build: 500, call: 130 };

/** Creates a request to a host of the SEC, spaced for builds or for calls. */
export function edgarRequest(
  by: keyof typeof spacingsMs,
  request: Omit<StepRequest, "spacingMs" | "spacedWith" | "needsContact">,
): StepRequest {
  return { ...request, spacingMs: spacingsMs[by], spacedWith: "sec.gov", needsContact: true };
}
