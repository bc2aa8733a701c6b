/** The subject of an event. */
export type Subject =
  | "disaster"
  | "conflict"
  | "politics"
  | "diplomacy"
  | "economy"
  | "markets"
  | "institutions"
  | "commodities"
  | "freight"
  | "energy"
  | "health"
  | "ai"
  | "technology"
  | "security"
  | "business"
  | "layoffs"
  | "crypto"
  | "science"
  | "bright";

export interface NewsKind {
  readonly name: string;
  readonly subject: Subject;
  /** Relative frequency. */
  readonly weight: number;
  /** Range of the whole number, `{n}`, in headlines about the event. */
  readonly count: readonly [number, number];
  /** Range of the decimal number, `{m}`, in headlines about the event. */
  readonly measure: readonly [number, number];
  /** Range of the share of publishers that report an event, among those that cover its subject and region. */
  readonly uptake: readonly [number, number];
  /** Maximum number of further reports, each with a larger `{n}` than the one before; 0 for one-off events. */
  readonly updates: number;
}

/** Stands in for the range of a number that the headlines of a kind do not contain. */
const NONE = [1, 9] as const;

/** By name of the kind: subject, weight, count, measure, uptake, updates. */
const rows: Readonly<Record<string, readonly [Subject, number, Range, Range, Range, number]>> = {
  quake: ["disaster", 5, [4, 900], [5.8, 7.8], [0.4, 0.9], 3],
  tremor: ["disaster", 2, NONE, [3.1, 4.6], [0.05, 0.2], 0],
  flood: ["disaster", 5, [3, 240], NONE, [0.2, 0.6], 3],
  wildfire: ["disaster", 2, [12, 400], NONE, [0.2, 0.5], 2],
  cyclone: ["disaster", 2, [120, 260], NONE, [0.3, 0.7], 2],
  strike: ["conflict", 5, [3, 60], NONE, [0.3, 0.8], 2],
  missiles: ["conflict", 1, [5, 80], NONE, [0.7, 0.95], 3],
  coup: ["conflict", 1, NONE, NONE, [0.7, 0.95], 2],
  clashes: ["conflict", 4, [3, 50], NONE, [0.2, 0.5], 1],
  bombing: ["conflict", 2, [5, 70], NONE, [0.4, 0.8], 2],
  ceasefire: ["conflict", 2, [4, 90], NONE, [0.3, 0.6], 0],
  election: ["politics", 6, NONE, [51, 66], [0.3, 0.7], 1],
  protest: ["politics", 6, [12, 600], NONE, [0.2, 0.6], 2],
  cabinet: ["politics", 4, NONE, NONE, [0.1, 0.4], 0],
  law: ["politics", 4, [3, 90], NONE, [0.05, 0.3], 0],
  talks: ["diplomacy", 6, NONE, NONE, [0.2, 0.6], 1],
  sanctions: ["diplomacy", 3, [4, 120], NONE, [0.2, 0.5], 0],
  envoy: ["diplomacy", 3, NONE, NONE, [0.1, 0.4], 0],
  rates: ["economy", 5, NONE, [2.25, 19.75], [0.3, 0.7], 0],
  inflation: ["economy", 3, NONE, [2.1, 28], [0.2, 0.5], 0],
  growth: ["economy", 3, NONE, [0.2, 6.4], [0.1, 0.4], 0],
  stocks: ["markets", 5, NONE, [1.6, 7.4], [0.3, 0.6], 1],
  currency: ["markets", 3, NONE, [1.1, 9.8], [0.3, 0.6], 1],
  bonds: ["markets", 2, NONE, [2.2, 14], [0.2, 0.5], 0],
  funds: ["institutions", 2, [2, 60], NONE, [0.4, 0.7], 0],
  regulator: ["institutions", 2, [3, 40], NONE, [0.4, 0.7], 0],
  oil: ["commodities", 3, NONE, [2.1, 18], [0.4, 0.8], 1],
  gold: ["commodities", 2, NONE, [1.5, 22], [0.4, 0.7], 0],
  copper: ["commodities", 2, [200, 4_000], NONE, [0.4, 0.8], 1],
  lithium: ["commodities", 2, NONE, [1.5, 19], [0.4, 0.7], 0],
  freight: ["freight", 3, [12, 90], NONE, [0.5, 0.8], 1],
  blackout: ["energy", 3, [2, 40], NONE, [0.3, 0.7], 1],
  solar: ["energy", 2, [80, 900], NONE, [0.3, 0.6], 0],
  outbreak: ["health", 4, [40, 2_000], NONE, [0.2, 0.6], 3],
  vaccine: ["health", 2, [4, 60], NONE, [0.2, 0.5], 0],
  ai: ["ai", 4, NONE, NONE, [0.3, 0.7], 0],
  model: ["ai", 3, [7, 400], NONE, [0.4, 0.8], 0],
  chips: ["technology", 3, [2, 7], NONE, [0.4, 0.8], 0],
  outage: ["technology", 3, [2, 14], NONE, [0.4, 0.8], 1],
  toolkit: ["technology", 3, NONE, [2.1, 9.8], [0.4, 0.7], 0],
  breach: ["security", 3, [20, 900], NONE, [0.4, 0.8], 1],
  layoffs: ["layoffs", 3, [120, 9_000], NONE, [0.4, 0.8], 0],
  funding: ["business", 4, [8, 400], NONE, [0.4, 0.8], 0],
  listing: ["business", 3, [80, 4_000], NONE, [0.4, 0.7], 0],
  crypto: ["crypto", 3, [3, 30], NONE, [0.5, 0.8], 0],
  telescope: ["science", 3, [11, 900], NONE, [0.4, 0.8], 0],
  fossil: ["science", 3, [3, 400], NONE, [0.4, 0.8], 0],
  species: ["bright", 4, [12, 90], NONE, [0.4, 0.8], 0],
  forest: ["bright", 4, [10, 400], NONE, [0.4, 0.8], 0],
  clinic: ["bright", 3, [20, 300], NONE, [0.4, 0.7], 0],
};

type Range = readonly [number, number];

export const newsKinds: readonly NewsKind[] = Object.entries(rows).map(
  ([name, [subject, weight, count, measure, uptake, updates]]) => ({
    name,
    subject,
    weight,
    count,
    measure,
    uptake,
    updates,
  }),
);

/** Everyday kinds, which may happen at any time in every country that `happensIn` allows. */
export const everydayKinds: readonly NewsKind[] = newsKinds.filter(({ name }) =>
  ["protest", "cabinet", "law", "envoy", "rates", "inflation", "growth", "flood", "outbreak"].includes(name),
);

/** Countries with armed conflict; the simulated world has none elsewhere. */
export const troubled = "AF BF CD CF CM CO ET IQ LB LY ML MM MZ NE NG PK PS SD SO SS SY TD UA YE".split(" ");

/** True if this kind of event can happen in a country. */
export function happensIn({ name, subject }: NewsKind, country: string): boolean {
  if (subject === "conflict" || name === "talks") return troubled.includes(country);
  const region = newsCountries.get(country);
  if (name === "outbreak" || name === "vaccine") return region !== "europe" && region !== "us";
  return true;
}

/** Subjects of a general newspaper. */
const general: readonly Subject[] = ["politics", "conflict", "disaster", "diplomacy", "economy", "health", "energy"];
const trade: readonly Subject[] = ["technology", "ai", "security", "business"];
const money: readonly Subject[] = ["markets", "economy", "institutions"];
const ground: readonly Subject[] = ["commodities", "freight"];

/** Subjects of each category's publishers. The publishers of all other categories have the general subjects. */
const subjectsByCategory: Readonly<Record<string, readonly Subject[]>> = {
  tech: trade,
  policy: ["ai", "security", "technology"],
  cloud: ["technology"],
  outages: ["technology"],
  ai: ["ai"],
  dev: ["technology", "ai"],
  github: ["technology"],
  hardware: ["technology"],
  security: ["security"],
  startups: ["business", "ai"],
  vcblogs: ["business", "ai"],
  regionalStartups: ["business", "technology"],
  unicorns: ["business"],
  accelerators: ["business"],
  funding: ["business"],
  producthunt: ["business", "ai"],
  layoffs: ["layoffs", "business"],
  ipo: ["business"],
  fintech: ["business", "crypto"],
  crypto: ["crypto"],
  finance: [...money, "business"],
  markets: [...money, "commodities"],
  forex: ["markets"],
  bonds: ["markets"],
  centralbanks: ["economy"],
  economic: ["economy", "markets"],
  derivatives: ["institutions", "markets"],
  "fin-regulation": ["institutions", "crypto"],
  institutional: ["institutions", "markets"],
  analysis: money,
  gccNews: [...money, "energy", "politics"],
  commodities: ground,
  "commodity-news": ground,
  "gold-silver": ["commodities"],
  "mining-news": ["commodities"],
  "mining-companies": ["commodities"],
  "critical-minerals": ["commodities"],
  "base-metals": ["commodities"],
  "supply-chain": ["freight"],
  "commodity-regulation": ["commodities", "institutions"],
  energy: ["energy", "commodities"],
  crisis: ["disaster", "conflict", "health"],
  gov: ["politics", "diplomacy", "economy"],
  thinktanks: ["diplomacy", "conflict", "economy"],
  intel: ["conflict", "security", "diplomacy"],
  positive: ["bright", "science"],
  inspiring: ["bright"],
  community: ["bright"],
  nature: ["bright", "science"],
  science: ["science", "health"],
};

/** Returns the subjects of a feed, which its categories determine. */
export function subjectsOf(categories: readonly string[]): ReadonlySet<Subject> {
  return new Set(categories.flatMap((category) => subjectsByCategory[category] ?? general));
}

/** The larger countries by region, alpha-2. */
const regions: Readonly<Record<string, string>> = {
  us: "US CA",
  latam: "MX GT HN SV NI CR PA CU DO HT JM TT CO VE EC PE BO BR PY UY AR CL GY",
  europe:
    "GB IE FR DE IT ES PT NL BE CH AT PL CZ SK HU RO BG GR HR SI RS BA ME MK AL MD UA BY LT LV EE FI SE NO DK IS RU GE AM AZ CY",
  middleeast: "TR SY LB IL PS JO IQ IR SA YE OM AE QA BH KW EG",
  africa:
    "MA DZ TN LY SD SS ET ER DJ SO KE UG TZ RW BI CD CG GA CM CF TD NE NG BJ TG GH CI BF ML SN GM GN SL LR MR AO ZM ZW MW MZ BW NA ZA LS MG MU",
  asia: "CN JP KR KP MN TW IN PK BD NP LK AF KZ UZ TM KG TJ MM TH LA KH VN MY SG ID PH TL PG AU NZ FJ",
};

/** The countries in which simulated events happen, each with its region. */
export const newsCountries: ReadonlyMap<string, string> = new Map(
  Object.entries(regions).flatMap(([region, codes]) => codes.split(" ").map((code) => [code, region] as const)),
);

/** Returns the regions that a feed's categories name; empty for a global feed. */
export function regionsOf(categories: readonly string[]): ReadonlySet<string> {
  const named = categories.map((category) => (category === "gccNews" ? "middleeast" : category));
  return new Set(named.filter((category) => Object.hasOwn(regions, category)));
}
