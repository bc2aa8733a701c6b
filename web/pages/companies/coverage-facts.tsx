import type { CompanyCoverage, ProviderCoverage } from "../../../src/sdk/index.js";
import { useNow } from "../../clock.js";
import { agoText, enumText, instantText } from "../../format.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { COVERAGES, reasonText } from "./company-texts.js";
import { CoverageBadge } from "./coverage-badge.js";

/** The scan coverage of a company, and the period in which an absence of findings can be trusted. */
export function CoverageFacts({ coverage }: { readonly coverage: CompanyCoverage }) {
  const now = useNow();
  const { state, observation, trustedSince, trustedUntil, assessmentReady, changedAt, providers } = coverage;
  return (
    <>
      <dl class="facts">
        <dt>Coverage</dt>
        <dd>
          <CoverageBadge state={state} /> <span class="quiet">{COVERAGES[state].meaning}.</span>
        </dd>
        <dt>Absence trusted until</dt>
        <dd>
          {trustedUntil === undefined ? (
            "not trusted yet"
          ) : (
            <>
              <strong>{instantText(trustedUntil)} UTC</strong>, {agoText(trustedUntil, now)}
              {trustedSince === undefined ? "" : `; without a gap since ${instantText(trustedSince)} UTC`}
            </>
          )}
        </dd>
        <dt>Observed</dt>
        <dd>
          {enumText(observation, "COMPANY_OBSERVATION_STATE_")}
          {assessmentReady ? "" : "; findings await assessment"}
        </dd>
        <dt>Changed</dt>
        <dd>
          {instantText(changedAt)} UTC, {agoText(changedAt, now)}
        </dd>
      </dl>
      {providers.length > 0 && (
        <DataTable
          caption="Latest scan by each provider"
          columns={columns}
          rows={providers}
          idOf={({ provider }) => provider}
        />
      )}
    </>
  );
}

const looks: Readonly<Record<ProviderCoverage["state"], string>> = {
  PROVIDER_COVERAGE_STATE_COMPLETE: "ok",
  PROVIDER_COVERAGE_STATE_PARTIAL: "partial",
  PROVIDER_COVERAGE_STATE_FAILED: "unreadable",
};

const columns: readonly Column<ProviderCoverage>[] = [
  { id: "provider", name: "Provider", cell: ({ provider }) => enumText(provider, "MONITORING_PROVIDER_") },
  {
    id: "state",
    name: "Newest scan",
    cell: ({ state }) => (
      <span class={`state ${looks[state]}`}>
        <span class="mark" aria-hidden="true" />
        {enumText(state, "PROVIDER_COVERAGE_STATE_")}
      </span>
    ),
  },
  { id: "fresh", name: "Recent", cell: ({ fresh }) => (fresh ? "yes" : "no") },
  { id: "reason", name: "Reason", cell: ({ reasonCode }) => reasonText(reasonCode) },
  {
    id: "from",
    name: "Covers from (UTC)",
    isTight: true,
    cell: ({ returnedWindowStart: time }) => (time ? instantText(time) : "–"),
  },
  {
    id: "to",
    name: "to (UTC)",
    isTight: true,
    cell: ({ returnedWindowEnd: time }) => (time ? instantText(time) : "–"),
  },
];
