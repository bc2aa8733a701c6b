import { countryCell, latitudeCell, longitudeCell, readCsv } from "../kit/csv-table.js";

const rows = readCsv(new URL("../data/country-centres.csv", import.meta.url), {
  country: countryCell,
  latitude: latitudeCell,
  longitude: longitudeCell,
});

/** Latitude and longitude of the centre of the largest piece of each country, by ISO 3166-1 alpha-2 code. */
export const countryCentres: Readonly<Record<string, readonly [latitude: number, longitude: number]>> =
  Object.fromEntries(rows.map(({ country, latitude, longitude }) => [country, [latitude, longitude]]));
