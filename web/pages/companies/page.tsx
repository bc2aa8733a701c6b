import { useEffect, useMemo, useState } from "preact/hooks";
import { useAt, useParam } from "../../location.js";
import { useChangeLog } from "../../reads/change-log.js";
import { useRead } from "../../reads/read.js";
import { ChangeLogView } from "./change-log-view.js";
import { CompanyView } from "./company-view.js";
import { FeedLink } from "./feed-link.js";
import { ImpactList } from "./impact-list.js";
import { NewCompanies } from "./new-companies.js";
import { Portfolio } from "./portfolio.js";
import "./companies.css";

/** The page repeats its reads this often, because a scan round updates the state of coverage every half minute. */
const EVERY_MS = 30_000;
const PAGE_SIZE = 100;
const LIFECYCLES = {
  monitored: ["MONITORED_COMPANY_LIFECYCLE_ACTIVE", "MONITORED_COMPANY_LIFECYCLE_PAUSED"],
  removed: ["MONITORED_COMPANY_LIFECYCLE_REMOVED"],
} as const;

export default function Companies() {
  const at = useAt();
  const [shown, setShown] = useParam("shown", "monitored");
  const [companyId, setCompany] = useParam("company");
  const log = useChangeLog("stream-company-event-changes", {});
  const options = { hasPast: false, isLive: false, everyMs: EVERY_MS, allPages: true };
  const lifecycle = shown === "removed" ? LIFECYCLES.removed : LIFECYCLES.monitored;
  const portfolio = useRead("list-monitored-companies", { lifecycle, pageSize: PAGE_SIZE }, options);
  const status = useRead("get-company-monitoring-status", {}, { hasPast: false, isLive: false, everyMs: EVERY_MS });
  const [writes, setWrites] = useState(0);
  const version = log.version + writes;
  useEffect(() => {
    if (version === 0) return;
    portfolio.again();
    status.again();
  }, [version, portfolio.again, status.again]);
  const companies = portfolio.kind === "ready" ? portfolio.answer.data.companies : NONE;
  const names = useMemo(() => new Map(companies.map(({ companyId: id, name }) => [id, name])), [companies]);
  const company = companies.find(({ companyId: id }) => id === companyId);
  const changed = (): void => setWrites((last) => last + 1);
  return (
    <>
      <header class="page-head">
        <h1>Companies</h1>
        {status.kind === "ready" && (
          <p class="quiet">
            {status.answer.data.companyCount} of {status.answer.data.companyLimit} companies monitored
          </p>
        )}
        <span class="spacer" />
        <FeedLink />
      </header>
      {at !== undefined && (
        <p class="notice">
          The portfolio has no history: this page always shows its current state. To see the revisions of an impact,
          select the impact.
        </p>
      )}
      <NewCompanies portfolio={companies} onChange={changed} />
      <Portfolio read={portfolio} shown={shown} onShown={setShown} chosen={companyId} onChoice={setCompany} />
      {company && (
        <CompanyView
          key={company.companyId}
          company={company}
          version={version}
          onChange={changed}
          onClose={() => setCompany("")}
        />
      )}
      <ImpactList names={names} companyId={company?.companyId} log={log} />
      <ChangeLogView names={names} companyId={company?.companyId} log={log} />
    </>
  );
}

const NONE = [] as const;
