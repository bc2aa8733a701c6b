import { dayOf, gmlFile, positiveOrUndefined } from "./gml-file.js";

/** Mean of a day or month; ppm for CO2, ppb for the other gases. */
export interface GasMean {
  /** UTC midnight of the day, or of the first of the month. */
  readonly at: number;
  readonly value: number;
}

const observedAt = ({ at }: GasMean): number => at;

const mean = (at: number, value: number | undefined): GasMean | undefined =>
  value === undefined ? undefined : { at, value };

const [YEAR, MONTH, DAY] = [0, 1, 2];
/** Sentinel for a missing value in a series in which other negative values are valid. */
const MISSING_GROWTH = -9.99;

/** Daily means at the Mauna Loa station, from the fifth column. The fourth column is the decimal date. */
export const co2Daily = gmlFile({
  id: "noaa-co2-daily",
  title: "Mauna Loa CO2, daily means",
  path: "co2/co2_daily_mlo.txt",
  columns: 5,
  record: (cells) =>
    mean(dayOf(cells[YEAR] ?? 0, cells[MONTH] ?? 0, cells[DAY] ?? 0), positiveOrUndefined(cells[4] ?? 0)),
  observedAt,
});

const monthOf = (cells: readonly number[]): number => dayOf(cells[YEAR] ?? 0, cells[MONTH] ?? 0, 1);

/** Monthly means at the station, not de-seasonalised, from the fourth column. */
export const co2Monthly = gmlFile({
  id: "noaa-co2-monthly",
  title: "Mauna Loa CO2, monthly means",
  path: "co2/co2_mm_mlo.txt",
  columns: 8,
  record: (cells) => mean(monthOf(cells), positiveOrUndefined(cells[3] ?? 0)),
  observedAt,
});

export const methaneMonthly = gmlFile({
  id: "noaa-ch4-monthly",
  title: "Global CH4, monthly means",
  path: "ch4/ch4_mm_gl.txt",
  columns: 7,
  record: (cells) => mean(monthOf(cells), positiveOrUndefined(cells[3] ?? 0)),
  observedAt,
});

export const nitrousOxideMonthly = gmlFile({
  id: "noaa-n2o-monthly",
  title: "Global N2O, monthly means",
  path: "n2o/n2o_mm_gl.txt",
  columns: 7,
  record: (cells) => mean(monthOf(cells), positiveOrUndefined(cells[3] ?? 0)),
  observedAt,
});

/** CO2 of a calendar year: the global mean, or the growth at the station if there is no global mean. */
export interface AnnualCo2 {
  /** UTC midnight of 1 January. */
  readonly at: number;
  readonly globalMeanPpm?: number;
  readonly stationGrowthPpm?: number;
}

const yearOf = (cells: readonly number[]): number => dayOf(cells[YEAR] ?? 0, 1, 1);

/** Global annual means, from the second column. */
export const co2Annual = gmlFile<AnnualCo2>({
  id: "noaa-co2-annual",
  title: "Global CO2, annual means",
  path: "co2/co2_annmean_gl.txt",
  columns: 3,
  record(cells) {
    const globalMeanPpm = positiveOrUndefined(cells[1] ?? 0);
    return globalMeanPpm === undefined ? undefined : { at: yearOf(cells), globalMeanPpm };
  },
  observedAt: ({ at }) => at,
});

/** Growth at the station from January to January, possibly negative; requested if the global means cannot be read. */
export const co2Growth = gmlFile<AnnualCo2>({
  id: "noaa-co2-growth",
  title: "Mauna Loa CO2, annual growth",
  path: "co2/co2_gr_mlo.txt",
  columns: 3,
  record(cells) {
    const stationGrowthPpm = cells[1] ?? MISSING_GROWTH;
    return stationGrowthPpm <= MISSING_GROWTH ? undefined : { at: yearOf(cells), stationGrowthPpm };
  },
  observedAt: ({ at }) => at,
});
