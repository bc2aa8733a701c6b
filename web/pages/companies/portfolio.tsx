import { useMemo, useState } from "preact/hooks";
import type {
  GetCompanyCoverageResponse,
  ListMonitoredCompaniesResponse,
  MonitoredCompany,
} from "../../../src/sdk/index.js";
import { useNow } from "../../clock.js";
import { agoText, countryName, enumText, instantText } from "../../format.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { useEach } from "../../reads/each.js";
import type { Read } from "../../reads/read.js";
import { coverageName, domicileCode } from "./company-texts.js";
import { CoverageBadge } from "./coverage-badge.js";

interface PortfolioProps {
  readonly read: Read<ListMonitoredCompaniesResponse>;
  readonly shown: string;
  readonly onShown: (shown: string) => void;
  readonly chosen: string;
  readonly onChoice: (companyId: string) => void;
}

const COVERAGE_EVERY_MS = 60_000;

type Coverages = ReadonlyMap<string, GetCompanyCoverageResponse>;

/**
 * The key of a company's coverage details. If the coverage in the list changes, the key changes, so that the page reads
 * the details again.
 */
const keyOf = ({ companyId, coverage, updatedAt }: MonitoredCompany): string => `${companyId} ${coverage} ${updatedAt}`;

/** The companies of the account with their coverage. */
export function Portfolio({ read, shown, onShown, chosen, onChoice }: PortfolioProps) {
  const now = useNow();
  const companies = read.kind === "ready" ? read.answer.data.companies : [];
  const isRemoved = shown === "removed";
  const [drawn, setDrawn] = useState<ReadonlySet<string>>(NONE_DRAWN);
  const wanted = isRemoved
    ? []
    : companies.flatMap((company) => {
        const { companyId } = company;
        return drawn.has(companyId) ? [[keyOf(company), { companyId }] as const] : [];
      });
  const coverages = useEach("get-company-coverage", wanted, COVERAGE_EVERY_MS);
  const isWhole = companies.length === wanted.length;
  const columns = useMemo(() => columnsOf(coverages, isWhole, now), [coverages, isWhole, now]);
  const tools = (
    <span class="field">
      <label for="companies-shown">Show</label>
      <select id="companies-shown" value={shown} onChange={({ currentTarget }) => onShown(currentTarget.value)}>
        <option value="monitored">monitored</option>
        <option value="removed">removed</option>
      </select>
    </span>
  );
  const empty = {
    when: ({ companies: rows }: ListMonitoredCompaniesResponse) => rows.length === 0,
    text: isRemoved
      ? "No company has been removed."
      : "No company is monitored. Add one or import a CSV file; the first scan begins within half a minute.",
  };
  return (
    <ReadFrame read={read} title="Portfolio" empty={empty} tools={tools}>
      {({ companies: rows }) => (
        <DataTable
          caption="Portfolio"
          columns={columns}
          rows={rows}
          idOf={({ companyId }) => companyId}
          chosen={chosen}
          onChoice={({ companyId }) => onChoice(companyId)}
          onDrawn={setDrawn}
        />
      )}
    </ReadFrame>
  );
}

const NONE_DRAWN: ReadonlySet<string> = new Set();

/**
 * The table can be sorted by `trustedUntil` only if all rows are drawn, because this time is read only for drawn rows.
 */
function columnsOf(coverages: Coverages, isWhole: boolean, now: number): readonly Column<MonitoredCompany>[] {
  const until = (company: MonitoredCompany): string | undefined => coverages.get(keyOf(company))?.coverage.trustedUntil;
  return [
    { id: "name", name: "Company", cell: ({ name }) => name, sort: ({ name }) => name },
    {
      id: "domicile",
      name: "Domicile",
      cell: ({ domicileCountry }) => countryName(domicileCode(domicileCountry)) || "not known",
      sort: ({ domicileCountry }) => countryName(domicileCode(domicileCountry)),
    },
    {
      id: "lifecycle",
      name: "State",
      cell: ({ lifecycle }) => enumText(lifecycle, "MONITORED_COMPANY_LIFECYCLE_"),
      sort: ({ lifecycle }) => lifecycle,
    },
    {
      id: "coverage",
      name: "Coverage",
      cell: ({ coverage }) => <CoverageBadge state={coverage} />,
      sort: ({ coverage }) => coverageName(coverage),
    },
    {
      id: "observation",
      name: "Observed",
      cell: ({ observation }) => enumText(observation, "COMPANY_OBSERVATION_STATE_"),
      sort: ({ observation }) => observation,
    },
    {
      id: "trusted",
      name: "Absence trusted until (UTC)",
      isTight: true,
      cell: (company) => {
        const time = until(company);
        if (time === undefined) return <span class="quiet">{coverages.has(keyOf(company)) ? "not yet" : "–"}</span>;
        return <span title={agoText(time, now)}>{instantText(time)}</span>;
      },
      ...(isWhole && { sort: (company: MonitoredCompany) => until(company) ?? "" }),
    },
    {
      id: "updated",
      name: "Changed (UTC)",
      isTight: true,
      cell: ({ updatedAt }) => <span title={agoText(updatedAt, now)}>{instantText(updatedAt)}</span>,
      sort: ({ updatedAt }) => updatedAt,
    },
  ];
}
