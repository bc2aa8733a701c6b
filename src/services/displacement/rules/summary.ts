import type { GeoCoordinates } from "../../../contract/coordinates.js";
import { countryCentre } from "../../../geography/countries.js";
import type { CountryDisplacement, DisplacementFlow, GlobalDisplacementTotals, PopulationRow } from "../records.js";

/** A year of displacement. Its lists have the order in which they are served. */
export interface DisplacementYear {
  readonly year: number;
  readonly globalTotals: GlobalDisplacementTotals;
  /** Sorted by the larger of `totalDisplaced` and `hostTotal`, largest number first. */
  readonly countries: readonly CountryDisplacement[];
  /** Sorted by number of refugees, most first. Flows with an unknown country of origin or asylum are omitted. */
  readonly flows: readonly DisplacementFlow[];
}

/** The source's placeholder for no country. */
const NOWHERE = "-";

/** Sums one year's rows into totals, countries and flows; undefined if there are no rows. */
export function displacementYear(rows: readonly PopulationRow[]): DisplacementYear | undefined {
  const [first] = rows;
  if (!first) return undefined;
  return { year: first.year, globalTotals: totalsOf(rows), countries: countriesOf(rows), flows: flowsOf(rows) };
}

function totalsOf(rows: readonly PopulationRow[]): GlobalDisplacementTotals {
  const sum = (countOf: (row: PopulationRow) => number): number => rows.reduce((total, row) => total + countOf(row), 0);
  const counts = {
    refugees: sum(({ refugees }) => refugees),
    asylumSeekers: sum(({ asylumSeekers }) => asylumSeekers),
    idps: sum(({ idps }) => idps),
    stateless: sum(({ stateless }) => stateless),
  };
  return { ...counts, total: counts.refugees + counts.asylumSeekers + counts.idps + counts.stateless };
}

function countriesOf(rows: readonly PopulationRow[]): readonly CountryDisplacement[] {
  const byCode = new Map<string, CountryDisplacement>();
  const entry = (code: string, name: string): CountryDisplacement => {
    const country = byCode.get(code) ?? nobody(code, name);
    byCode.set(code, country);
    return country;
  };
  for (const row of rows) {
    if (row.originCode !== NOWHERE) addOrigin(entry(row.originCode, row.originName), row);
    if (row.asylumCode !== NOWHERE) addHost(entry(row.asylumCode, row.asylumName), row);
  }
  const size = ({ totalDisplaced, hostTotal }: CountryDisplacement): number => Math.max(totalDisplaced, hostTotal);
  return [...byCode.values()].sort((a, b) => size(b) - size(a) || compare(a.code, b.code));
}

function nobody(code: string, name: string): CountryDisplacement {
  const location = countryCentre(code);
  return {
    code,
    name,
    refugees: 0,
    asylumSeekers: 0,
    idps: 0,
    stateless: 0,
    totalDisplaced: 0,
    hostRefugees: 0,
    hostAsylumSeekers: 0,
    hostTotal: 0,
    hostStateless: 0,
    ...(location && { location }),
  };
}

function addOrigin(country: CountryDisplacement, row: PopulationRow): void {
  country.refugees += row.refugees;
  country.asylumSeekers += row.asylumSeekers;
  country.idps += row.idps;
  country.stateless += row.stateless;
  country.totalDisplaced += row.refugees + row.asylumSeekers + row.idps + row.stateless;
}

function addHost(country: CountryDisplacement, row: PopulationRow): void {
  country.hostRefugees += row.refugees;
  country.hostAsylumSeekers += row.asylumSeekers;
  country.hostTotal += row.refugees + row.asylumSeekers;
  country.hostStateless += row.stateless;
}

function flowsOf(rows: readonly PopulationRow[]): readonly DisplacementFlow[] {
  const centres = new Map<string, GeoCoordinates | undefined>();
  const centreOf = (code: string): GeoCoordinates | undefined => {
    if (!centres.has(code)) centres.set(code, countryCentre(code));
    return centres.get(code);
  };
  return rows
    .filter(({ refugees, originCode, asylumCode }) => refugees > 0 && originCode !== NOWHERE && asylumCode !== NOWHERE)
    .map(({ originCode, originName, asylumCode, asylumName, refugees }) => {
      const [originLocation, asylumLocation] = [centreOf(originCode), centreOf(asylumCode)];
      return {
        originCode,
        originName,
        asylumCode,
        asylumName,
        refugees,
        ...(originLocation && { originLocation }),
        ...(asylumLocation && { asylumLocation }),
      };
    })
    .sort(
      (a, b) => b.refugees - a.refugees || compare(a.originCode, b.originCode) || compare(a.asylumCode, b.asylumCode),
    );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
