import { countryCell, latitudeCell, longitudeCell, readCsv } from "../kit/csv-table.js";
import { ownFile } from "../kit/own-file.js";

const rows = readCsv(ownFile("data/country-centres.csv"), {
  country: countryCell,
  latitude: latitudeCell,
  longitude: longitudeCell,
});

/**
 * For each country, by ISO 3166-1 alpha-2 code, the latitude and longitude of the centre of its largest piece of land.
 */
export const countryCentres: Readonly<Record<string, readonly [latitude: number, longitude: number]>> =
  Object.fromEntries(rows.map(({ country, latitude, longitude }) => [country, [latitude, longitude]]));
