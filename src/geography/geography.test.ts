import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { cities } from "./cities.js";
import { alpha2, alpha2OfNumber, countryByName, countryCentre, countryName } from "./countries.js";
import { countryAt } from "./country-at.js";
import { countryCentres } from "./country-centres.js";

describe("codes and names", () => {
  test.each([
    ["FR", "FR"],
    ["fra", "FR"],
    [" tcd ", "TD"],
    ["XKX", "XK"],
    ["XK", "XK"],
    ["XXA", undefined],
    ["UNK", undefined],
    ["TIB", undefined],
    ["-", undefined],
    ["", undefined],
    ["FRANCE", undefined],
  ])("the alpha-2 code of %j is %s", (code, expected) => {
    expect(alpha2(code)).toBe(expected);
  });

  test("alpha2OfNumber reads numeric codes", () => {
    expect([alpha2OfNumber("250"), alpha2OfNumber("4"), alpha2OfNumber("999")]).toEqual(["FR", "AF", undefined]);
  });

  test.each([
    ["RU", "Russia"],
    ["USA", "United States"],
    ["TUR", "Türkiye"],
    ["TD", "Chad"],
    ["ZZ", undefined],
  ])("%s is called %s", (code, name) => {
    expect(countryName(code)).toBe(name);
  });

  test.each([
    ["France", "FR"],
    ["RUSSIA", "RU"],
    ["Russian Federation", "RU"],
    ["Viet Nam", "VN"],
    ["Vietnam", "VN"],
    ["United States of America", "US"],
    ["Democratic Republic of the Congo", "CD"],
    ["Congo", "CG"],
    ["Iran (Islamic Republic of)", "IR"],
    ["Syrian Arab Republic", "SY"],
    ["Côte d'Ivoire", "CI"],
    ["Ivory Coast", "CI"],
    ["Türkiye", "TR"],
    ["Turkey", "TR"],
    ["Kosovo", "XK"],
    ["Atlantis", undefined],
    ["", undefined],
  ])("the code of the country with the name %j is %s", (name, code) => {
    expect(countryByName(name)).toBe(code);
  });
});

describe("the country at a position", () => {
  test.each([
    ["Paris", 48.86, 2.35, "FR"],
    ["Chad", 15, 18, "TD"],
    ["Lesotho, inside South Africa", -29.5, 28.2, "LS"],
    ["Vladivostok", 43.2, 132, "RU"],
    ["Chukotka, beyond the date line", 66, -175, "RU"],
    ["Fiji", -17.8, 178, "FJ"],
    ["Pristina", 42.66, 21.17, "XK"],
    ["Hargeisa", 9.56, 44.06, "SO"],
    ["a longitude beyond 180 degrees", -29.5, 388.2, "LS"],
    ["open sea", 30, -40, undefined],
    ["latitude not a number", Number.NaN, 0, undefined],
    ["beyond the pole", 91, 0, undefined],
    ["longitude infinite", 0, Number.POSITIVE_INFINITY, undefined],
  ])("%s: the country at (%d, %d) is %s", (_, latitude, longitude, code) => {
    expect(countryAt({ latitude, longitude })).toBe(code);
  });

  test.each([
    ["off Havana", 23.4, -82.4, 50, "CU"],
    ["off Havana, but beyond the given distance", 23.9, -82.4, 50, undefined],
    ["off Acapulco", 16, -99.9, 150, "MX"],
    ["east of Fiji, across the date line", -17, -178.5, 200, "FJ"],
    ["mid-Atlantic", 30, -40, 500, undefined],
  ])("%s: the country at (%d, %d), or else the nearest within %d km, is %s", (_, latitude, longitude, nearKm, code) => {
    expect(countryAt({ latitude, longitude }, nearKm)).toBe(code);
  });
});

describe("cities", () => {
  test("there are at least 220 cities, without duplicates, sorted by country and name", () => {
    expect(cities.length).toBeGreaterThanOrEqual(220);
    const keys = cities.map(({ countryCode, name }) => `${countryCode} ${name}`);
    expect(new Set(keys).size).toBe(keys.length);
    const inOrder = cities.toSorted(
      (a, b) => a.countryCode.localeCompare(b.countryCode, "en") || a.name.localeCompare(b.name, "en"),
    );
    expect(cities.map(({ countryCode, name }) => `${countryCode} ${name}`)).toEqual(
      inOrder.map(({ countryCode, name }) => `${countryCode} ${name}`),
    );
  });

  test("each city has a valid country code, and coordinates of its own with at most two decimals", () => {
    for (const { countryCode, latitude, longitude } of cities) {
      expect(alpha2(countryCode)).toBe(countryCode);
      expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
      expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
      expect([latitude, longitude]).toEqual([latitude, longitude].map((degrees) => Number(degrees.toFixed(2))));
    }
    expect(new Set(cities.map(({ latitude, longitude }) => `${latitude} ${longitude}`)).size).toBe(cities.length);
  });

  test.each(cities.map((city) => [`${city.name}, ${city.countryCode}`, city] as const))(
    "%s lies in its country or within 30 km of it",
    (_, city) => {
      expect(countryAt(city, 30)).toBe(city.countryCode);
    },
  );

  const airports = resolve(import.meta.dirname, "../../../shared/reference/airports/openflights-airports.dat");

  test.skipIf(!existsSync(airports))("each city except Pristina has an airport in its country within 120 km", () => {
    const listedAirports = readFileSync(airports, "utf8")
      .split("\n")
      .map((line) => line.match(/("(?:[^"\\]|\\.)*"|[^,]+)/g) ?? [])
      .map((cells) => ({
        code: countryByName((cells[3] ?? "").replaceAll('"', "")),
        latitude: Number(cells[6]),
        longitude: Number(cells[7]),
      }));
    const far = cities.filter(({ latitude, longitude, countryCode }) => {
      const shrink = Math.cos((latitude * Math.PI) / 180);
      return !listedAirports.some(
        (airport) =>
          airport.code === countryCode &&
          Math.hypot(airport.latitude - latitude, (airport.longitude - longitude) * shrink) * 111 < 120,
      );
    });
    // Pristina is left out, because the list has no airport under the name of Kosovo.
    expect(far.map(({ name }) => name).filter((name) => name !== "Pristina")).toEqual([]);
  });
});

/** Places that are smaller than the detail of the map, or on land that the map assigns to another country. */
const SMALL = ["GI", "MC", "SJ", "SM", "TK", "VA"];
const OVERSEAS = ["BQ", "GF", "GP", "MQ", "RE", "YT"];

test.each(["countries", "country-centres"])("%s.csv equals the output of its script", (name) => {
  const script = resolve(import.meta.dirname, `../../scripts/${name}.mjs`);
  expect(() => execFileSync("node", [script, "--check"])).not.toThrow();
});

describe("centres", () => {
  test("centres lie in or near their country, except for small countries and overseas territories", () => {
    const outside = Object.entries(countryCentres).filter(([code, [latitude, longitude]]) => {
      const nearest = countryAt({ latitude, longitude }, 100);
      return nearest !== undefined && nearest !== code;
    });
    expect(outside.map(([code]) => code).sort()).toEqual([...SMALL, ...OVERSEAS].sort());
  });

  test.each([
    ["FRA", 46.6, 2.5],
    ["us", 40, -99],
    ["RU", 62, 96],
  ])("the centre of %s is within six degrees of the expected position", (code, latitude, longitude) => {
    const centre = countryCentre(code);
    expect(Math.abs((centre?.latitude ?? 0) - latitude)).toBeLessThan(6);
    expect(Math.abs((centre?.longitude ?? 0) - longitude)).toBeLessThan(6);
  });

  test.each(["-", "XXA", "UNK", ""])("%j has no centre", (code) => {
    expect(countryCentre(code)).toBeUndefined();
  });
});
