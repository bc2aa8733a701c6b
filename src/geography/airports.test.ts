import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { airportByIata, airportByIcao, airports, localDay } from "./airports.js";
import { alpha2, countryByName } from "./countries.js";

const reference = resolve(import.meta.dirname, "../../../shared/reference/airports/openflights-airports.dat");
const referenceAbsent = !existsSync(reference);

/** ICAO codes in the reference file that are out of date, by IATA code. */
const olderCodes: Readonly<Record<string, string>> = { DAC: "VGZR" };

const KM_MAX = 10;
const EARTH_KM = 6_371;

function kilometresBetween(
  a: { latitude: number; longitude: number },
  b: { latitude: number; longitude: number },
): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const north = radians(b.latitude - a.latitude);
  const east = radians(b.longitude - a.longitude) * Math.cos(radians((a.latitude + b.latitude) / 2));
  return EARTH_KM * Math.hypot(north, east);
}

test("each region has at least as many airports as the contract requires", () => {
  const counted = (region: string): number => airports.filter((airport) => airport.region === region).length;
  expect(airports.length).toBeGreaterThanOrEqual(115);
  expect(counted("AMERICAS")).toBeGreaterThanOrEqual(22);
  expect(counted("EUROPE")).toBeGreaterThanOrEqual(21);
  expect(counted("APAC")).toBeGreaterThanOrEqual(25);
  expect(counted("MENA")).toBeGreaterThanOrEqual(36);
  expect(counted("AFRICA")).toBeGreaterThanOrEqual(11);
  expect(airports.filter(({ countryCode }) => countryCode === "US")).toHaveLength(30);
});

test("no two airports share a code, a name or coordinates", () => {
  for (const key of ["iata", "icao", "name"] as const) {
    expect(new Set(airports.map((airport) => airport[key])).size).toBe(airports.length);
  }
  expect(new Set(airports.map(({ latitude, longitude }) => `${latitude},${longitude}`)).size).toBe(airports.length);
});

test.each(airports.map((airport) => [airport.iata, airport] as const))("%s is well formed", (iata, airport) => {
  expect(iata).toMatch(/^[A-Z]{3}$/);
  expect(airport.icao).toMatch(/^[A-Z]{4}$/);
  expect(alpha2(airport.countryCode)).toBe(airport.countryCode);
  expect(airport.country.length).toBeGreaterThan(2);
  expect(Math.abs(airport.latitude)).toBeLessThan(90);
  expect(Math.abs(airport.longitude)).toBeLessThanOrEqual(180);
  expect(localDay(airport, Date.UTC(2026, 10, 21, 12))).toMatch(/^2026-11-2[12]$/);
});

test("an airport is found by its IATA or ICAO code, in upper or lower case", () => {
  expect(airportByIata("lhr")?.icao).toBe("EGLL");
  expect(airportByIcao(" egll ")?.iata).toBe("LHR");
  expect([airportByIata("ZZZ"), airportByIcao("LHR"), airportByIata("")]).toEqual([undefined, undefined, undefined]);
});

test("localDay is the calendar day at the airport", () => {
  const at = Date.UTC(2026, 10, 21, 23, 30);
  expect(["LHR", "IST", "HNL", "AKL"].map((code) => localDay(airportByIata(code) ?? { timeZone: "UTC" }, at))).toEqual([
    "2026-11-21",
    "2026-11-22",
    "2026-11-21",
    "2026-11-22",
  ]);
});

const title = referenceAbsent
  ? "the reference file (skipped: ../shared/reference/airports is not here)"
  : "the reference file";

describe.skipIf(referenceAbsent)(title, () => {
  const rows: readonly (readonly string[])[] = referenceAbsent
    ? []
    : parse(readFileSync(reference, "utf8"), { escape: "\\", relax_quotes: true });
  const referenceRows = new Map(
    rows.map(([, , , country = "", iata = "", icao = "", latitude, longitude, , , , zone = ""]) => [
      iata,
      { country, icao, latitude: Number(latitude), longitude: Number(longitude), zone },
    ]),
  );
  const hourAt = (timeZone: string, at: number): string =>
    new Intl.DateTimeFormat("en-GB", { timeZone, day: "numeric", hour: "numeric" }).format(at);

  test.each(airports.map((airport) => [airport.iata, airport] as const))("%s matches the file", (iata, airport) => {
    const row = referenceRows.get(iata);
    expect(row).toBeDefined();
    if (!row) return;
    expect(olderCodes[iata] ?? airport.icao).toBe(row.icao);
    expect(kilometresBetween(airport, row)).toBeLessThan(KM_MAX);
    expect(countryByName(row.country)).toBe(airport.countryCode);
    // Kazakhstan is left out: it changed its time zone in 2024, and not every machine's time zone data has that change.
    if (row.zone === "\\N" || airport.countryCode === "KZ") return;
    for (const at of [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)]) {
      expect(hourAt(airport.timeZone, at)).toBe(hourAt(row.zone, at));
    }
  });
});
