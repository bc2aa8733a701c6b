/** Where a service group stands: all, some or none of its contract is answered, or it is published without a runtime. */
export type GroupStatus = "served" | "partly-served" | "planned" | "contract-only";

interface Group {
  readonly name: string;
  /** The path segment of its operations, where the contract shows any. */
  readonly service?: string;
  readonly operations?: readonly string[];
  readonly isContractOnly?: boolean;
}

const aviation = [
  "get-airport-ops-summary",
  "get-carrier-ops",
  "get-flight-status",
  "get-video-live-stream-info",
  "list-airport-delays",
  "list-airport-flights",
  "list-aviation-news",
  "search-flight-prices",
  "search-provider-dates",
  "search-provider-flights",
  "track-aircraft",
];
const climate = [
  "get-co2-monitoring",
  "get-ocean-ice-data",
  "list-air-quality-data",
  "list-climate-anomalies",
  "list-climate-disasters",
  "list-climate-news",
];
const companyMonitoring = [
  "create-monitored-company",
  "get-company-coverage",
  "get-company-material-event",
  "get-company-monitoring-status",
  "import-monitored-company-batch",
  "list-company-event-changes",
  "list-company-event-impacts",
  "list-monitored-companies",
  "set-monitored-company-state",
  "update-monitored-company",
];

/** The 33 service groups of the catalogue in its order, then company monitoring, which is published as a contract. */
const groups: readonly Group[] = [
  {
    name: "Conflicts",
    service: "conflict",
    operations: ["get-humanitarian-summary", "list-alpha-events", "list-beta-events"],
  },
  { name: "Military" },
  { name: "Unrest" },
  { name: "Intelligence", service: "intelligence", operations: ["get-country-intel-brief"] },
  { name: "Displacement", service: "displacement", operations: ["get-displacement-summary"] },
  { name: "Cyber" },
  { name: "Sanctions" },
  { name: "Natural Disasters" },
  { name: "Seismology" },
  { name: "Climate", service: "climate", operations: climate },
  { name: "Wildfires" },
  { name: "Radiation" },
  { name: "Thermal" },
  {
    name: "Economic",
    service: "economic",
    operations: ["get-us-cpi-monthly", "get-us-treasury-par-yield-curve"],
  },
  { name: "Markets" },
  { name: "Trade" },
  { name: "Supply Chain" },
  { name: "Consumer Prices" },
  { name: "Predictions" },
  { name: "Forecasts" },
  { name: "Aviation", service: "aviation", operations: aviation },
  { name: "Maritime" },
  { name: "Infrastructure", service: "infrastructure", operations: ["list-internet-traffic-anomalies"] },
  { name: "Resilience" },
  { name: "Public Health" },
  { name: "Imagery" },
  { name: "Webcams" },
  { name: "News", service: "news", operations: ["list-feed-digest"] },
  { name: "Research" },
  { name: "Positive Events" },
  { name: "Giving" },
  { name: "Batch", service: "batch", operations: ["execute"] },
  { name: "Leads" },
  { name: "Company Monitoring", service: "company-monitoring", operations: companyMonitoring, isContractOnly: true },
];

export interface CatalogueGroup {
  readonly name: string;
  readonly status: GroupStatus;
  readonly operations: readonly { readonly path: string; readonly status: "served" | "planned" | "contract-only" }[];
}

/** Every service group with what is answered in it, given the paths that are. */
export function catalogue(served: ReadonlySet<string>): readonly CatalogueGroup[] {
  return groups.map((group) => {
    const unserved = group.isContractOnly ? "contract-only" : "planned";
    const operations = (group.operations ?? []).map((rpc) => {
      const path = `/api/${group.service}/v1/${rpc}`;
      return { path, status: served.has(path) ? "served" : unserved } as const;
    });
    return { name: group.name, status: statusOf(operations, unserved), operations };
  });
}

function statusOf(operations: CatalogueGroup["operations"], unserved: "planned" | "contract-only"): GroupStatus {
  const count = operations.filter(({ status }) => status === "served").length;
  if (count === 0) return unserved;
  return count === operations.length ? "served" : "partly-served";
}
