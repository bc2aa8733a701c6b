import { type AnswerCheck, copied, type Expected, rounded, rowsOf } from "../check.js";
import { kilometresBetween, type Position } from "./distance.js";

interface Quake {
  readonly id: string;
  readonly magnitude: number;
  readonly depthKm?: number;
  readonly location?: Position;
  readonly occurredAt: number;
}

/** Tests whether two agencies report the same earthquake. */
function isSame(a: Quake, b: Quake): boolean {
  if (!a.location || !b.location) return false;
  const apartMagnitude = Math.abs(Number((a.magnitude - b.magnitude).toFixed(6)));
  if (Math.abs(a.occurredAt - b.occurredAt) > 60_000 || apartMagnitude > 0.1) return false;
  return kilometresBetween(a.location, b.location) <= 10;
}

/**
 * Combines the earthquakes of both agencies. A Canadian report is omitted if it matches exactly one American report,
 * and no other Canadian report matches that American report.
 */
function servedOf(american: readonly Quake[], canadian: readonly Quake[]): readonly Quake[] {
  const own = canadian.filter((report) => {
    const repeated = american.filter((leader) => isSame(leader, report));
    const [leader] = repeated;
    if (!leader || repeated.length !== 1) return true;
    return canadian.filter((other) => isSame(leader, other)).length !== 1;
  });
  return [...american, ...own].sort((a, b) => b.occurredAt - a.occurredAt || a.id.localeCompare(b.id));
}

/** Sites of underground nuclear tests: name, degrees north and east. */
const testSites = [
  ["Lop Nur", 40.81, 89.79],
  ["Punggye-ri", 41.28, 129.09],
  ["Novaya Zemlya", 73.37, 54.78],
  ["Nevada", 37.12, -116.05],
  ["Semipalatinsk", 50.38, 77.78],
  ["Moruroa", -21.83, -138.92],
  ["Fangataufa", -22.25, -138.75],
  ["Reggane", 26.31, -0.06],
  ["In Eker", 24.06, 5.05],
  ["Pokhran", 27.08, 71.75],
  ["Chagai", 28.43, 63.86],
] as const;

function levelOf(score: number | undefined): string | undefined {
  if (score === undefined) return undefined;
  if (score >= 75) return "critical";
  if (score >= 50) return "elevated";
  return score >= 25 ? "moderate" : "low";
}

const unmarked = {
  nearTestSite: undefined,
  testSiteName: undefined,
  concernScore: undefined,
  concernLevel: undefined,
};

/**
 * Recomputes the concern score of an earthquake within 100 km of a test site: 60 points at magnitude 9, 25 at the site
 * itself and 15 at zero depth. Each part falls linearly: to 0 at magnitude 0, at 100 km distance and at 100 km depth.
 * An unknown depth counts as 100 km.
 */
function markOf(quake: Quake, servedScore: number | undefined): { readonly [member: string]: Expected } {
  const { location } = quake;
  if (!location) return unmarked;
  const [nearest] = testSites
    .map(([name, latitude, longitude]) => ({ name, km: kilometresBetween(location, { latitude, longitude }) }))
    .sort((a, b) => a.km - b.km);
  if (!nearest || nearest.km > 100) return unmarked;
  const shallowness = 1 - Math.min(100, Math.max(0, quake.depthKm ?? 100)) / 100;
  const score = (60 * quake.magnitude) / 9 + 25 * (1 - nearest.km / 100) + 15 * shallowness;
  return {
    nearTestSite: true,
    testSiteName: nearest.name,
    concernScore: rounded(Math.min(100, Math.max(0, score)), 1),
    concernLevel: levelOf(servedScore),
  };
}

export const earthquakes: AnswerCheck = {
  operation: "seismology/list-earthquakes",
  what: "number of earthquakes, each counted once; concern near test sites",
  queries: () => ["page_size=500", "page_size=500&min_magnitude=6"],
  recompute({ query, from, served }) {
    const stored = from("earthquakes");
    const [american = [], canadian = []] = ["usgs", "nrcan"].map((part) =>
      rowsOf<Quake>(stored, part).filter(({ magnitude }) => magnitude >= 4.5),
    );
    const least = Number(query.get("min_magnitude") ?? 0);
    const quakes = servedOf(american, canadian).filter(({ magnitude }) => magnitude >= least);
    const { earthquakes: rows } = served as { readonly earthquakes: readonly { readonly concernScore?: number }[] };
    return {
      earthquakes: quakes
        .slice(0, 500)
        .map((quake, index) => ({ ...copied(quake), ...markOf(quake, rows[index]?.concernScore) })),
      pagination: { totalCount: quakes.length },
    };
  },
};
