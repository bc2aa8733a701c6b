import type { RegisteredOperation } from "./operation.js";

/** `served`: operations answer. `planned`: nothing answers yet. `contract-only`: published as a contract, not routed. */
export type GroupStatus = "served" | "planned" | "contract-only";

/** One service group of the contract. */
interface ServiceGroup {
  readonly name: string;
  /** Path segment of its operations; absent while the group has none. */
  readonly service?: string;
  /** One sentence on the subject, shown by the catalogue and the reference. */
  readonly description: string;
}

/** The 33 service groups of the contract, in its order. */
export const serviceGroups: readonly ServiceGroup[] = [
  {
    name: "Conflicts",
    service: "conflict",
    description: "Armed conflict events, organized violence, and humanitarian conflict summaries by country.",
  },
  { name: "Military", description: "Military activity." },
  { name: "Unrest", description: "Protests and riots." },
  {
    name: "Intelligence",
    service: "intelligence",
    description: "Country briefs written from stored news and data, every claim with its evidence.",
  },
  {
    name: "Displacement",
    service: "displacement",
    description: "Refugees, asylum seekers and internally displaced people by country, with the largest flows.",
  },
  { name: "Cyber", description: "Cyber threats and incidents." },
  { name: "Sanctions", description: "Sanctions lists and changes to them." },
  { name: "Natural Disasters", description: "Natural disasters beyond those of the climate group." },
  { name: "Seismology", description: "Earthquakes." },
  {
    name: "Climate",
    service: "climate",
    description: "Climate anomalies, disasters, greenhouse gases, oceans and ice, air quality, and climate news.",
  },
  { name: "Wildfires", description: "Wildfire detections." },
  { name: "Radiation", description: "Radiation measurements." },
  { name: "Thermal", description: "Thermal anomalies seen from space." },
  {
    name: "Economic",
    service: "economic",
    description: "Economic series: US consumer prices and the US Treasury par yield curve.",
  },
  { name: "Markets", description: "Market prices." },
  { name: "Trade", description: "Trade flows and restrictions." },
  { name: "Supply Chain", description: "Chokepoints, shipping rates and critical minerals." },
  { name: "Consumer Prices", description: "Consumer prices by country and basket." },
  { name: "Predictions", description: "Prediction markets." },
  { name: "Forecasts", description: "Forecasts of events." },
  {
    name: "Aviation",
    service: "aviation",
    description: "Airport delays, flights, carriers, aircraft positions, ticket prices, and aviation news.",
  },
  { name: "Maritime", description: "Vessels and navigational warnings." },
  {
    name: "Infrastructure",
    service: "infrastructure",
    description: "Internet traffic anomalies by country and network.",
  },
  { name: "Resilience", description: "Resilience of countries." },
  { name: "Public Health", description: "Disease outbreaks." },
  { name: "Imagery", description: "Satellite imagery." },
  { name: "Webcams", description: "Public webcams." },
  { name: "News", service: "news", description: "News digests by variant and language, clustered and scored." },
  { name: "Research", description: "Research papers and technology trends." },
  { name: "Positive Events", description: "Positive events." },
  { name: "Giving", description: "Charitable giving." },
  { name: "Batch", service: "batch", description: "Up to 20 reads in one call." },
  { name: "Leads", description: "Contact requests." },
];

/** Company monitoring: published as a contract beside the groups, and not routed. */
const companyMonitoring = {
  name: "Company Monitoring",
  service: "company-monitoring",
  description: "Companies that an account monitors, and the events with a material impact on them.",
  rpcs: [
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
  ],
} as const;

/** One callable of the service as the catalogue lists it. */
export interface CatalogueOperation {
  readonly path: string;
  readonly method: "GET" | "POST";
  readonly summary: string;
  readonly status: "served";
}

export interface CatalogueGroup extends ServiceGroup {
  readonly status: GroupStatus;
  readonly operations: readonly (CatalogueOperation | { readonly path: string; readonly status: "contract-only" })[];
}

export interface Catalogue {
  /** The 33 service groups. */
  readonly groups: readonly CatalogueGroup[];
  readonly companyMonitoring: CatalogueGroup;
}

/** A POST as far as the catalogue tells of it. */
interface CataloguedAction {
  readonly path: string;
  readonly summary: string;
}

/** Every service group with the registered operations and actions that answer in it. */
export function catalogue(operations: readonly RegisteredOperation[], actions: readonly CataloguedAction[]): Catalogue {
  const served = [
    ...operations.map(
      ({ path, operation: { summary } }) => ({ path, method: "GET", summary, status: "served" }) as const,
    ),
    ...actions.map(({ path, summary }) => ({ path, method: "POST", summary, status: "served" }) as const),
  ];
  const servedIn = (service: string | undefined): readonly CatalogueOperation[] =>
    service === undefined ? [] : served.filter(({ path }) => path.startsWith(`/api/${service}/`));
  const groups = serviceGroups.map((group): CatalogueGroup => {
    const own = servedIn(group.service);
    return { ...group, status: own.length > 0 ? "served" : "planned", operations: own };
  });
  const { rpcs, ...about } = companyMonitoring;
  const routed = servedIn(about.service);
  const unrouted = rpcs
    .map((rpc) => `/api/${about.service}/v1/${rpc}`)
    .filter((path) => !routed.some((operation) => operation.path === path))
    .map((path) => ({ path, status: "contract-only" }) as const);
  return {
    groups,
    companyMonitoring: {
      ...about,
      status: unrouted.length > 0 ? "contract-only" : "served",
      operations: [...routed, ...unrouted],
    },
  };
}
