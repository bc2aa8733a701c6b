import { countryCell, latitudeCell, longitudeCell, readCsv, textCell } from "../kit/csv-table.js";
import { ownFile } from "../kit/own-file.js";

/** A city with its country and position. */
export interface City {
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  /** Degrees north and east. */
  readonly latitude: number;
  readonly longitude: number;
}

const rows = readCsv(ownFile("data/cities.csv"), {
  country: countryCell,
  name: textCell,
  latitude: latitudeCell,
  longitude: longitudeCell,
});

/** Cities of every inhabited region, sorted by country and name. */
export const cities: readonly City[] = rows.map(({ country, name, latitude, longitude }) => ({
  name,
  countryCode: country,
  latitude,
  longitude,
}));
