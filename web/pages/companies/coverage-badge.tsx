import type { MonitoredCompany } from "../../../src/sdk/index.js";
import { COVERAGES, coverageName } from "./company-texts.js";

/** The coverage state of a company, as colour, shape and word. */
export function CoverageBadge({ state }: { readonly state: MonitoredCompany["coverage"] }) {
  const { look, meaning } = COVERAGES[state];
  return (
    <span class={`state ${look}`} title={meaning}>
      <span class="mark" aria-hidden="true" />
      {coverageName(state)}
    </span>
  );
}
