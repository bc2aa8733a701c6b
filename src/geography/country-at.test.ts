import { describe, expect, test } from "vitest";
import { countryAt } from "./country-at.js";

type Row = readonly [place: string, latitude: number, longitude: number, code: string | undefined];

const rows: Readonly<Record<string, readonly Row[]>> = {
  "islands, exclaves and enclaves": [
    ["Hawaii", 19.6, -155.5, "US"],
    ["Tenerife", 28.3, -16.6, "ES"],
    ["Kaliningrad", 54.7, 20.5, "RU"],
    ["Cabinda", -5.1, 12.4, "AO"],
    ["Sicily", 37.5, 14.2, "IT"],
    ["Tasmania", -42, 146.6, "AU"],
    ["Svalbard", 78.9, 16, "NO"],
    ["Nauru", -0.53, 166.93, "NR"],
    ["San Marino, inside Italy", 43.94, 12.45, "SM"],
    ["Northern Cyprus", 35.33, 33.4, "CY"],
  ],
  "lakes belong to the countries around them, but the Caspian does not": [
    ["Superior", 47.7, -88, "US"],
    ["Winnipeg", 52.5, -97.8, "CA"],
    ["Baikal", 53.5, 108, "RU"],
    ["Volta", 7.2, 0, "GH"],
    ["Caspian", 42, 50.5, undefined],
  ],
  "either side of a border": [
    ["El Paso", 31.85, -106.4, "US"],
    ["Ciudad Juárez", 31.6, -106.4, "MX"],
    ["north of the 49th parallel", 49.1, -105, "CA"],
    ["south of the 49th parallel", 48.9, -105, "US"],
    ["Kinshasa", -4.4, 15.4, "CD"],
    ["Brazzaville", -4.1, 15.2, "CG"],
    ["Gaza", 31.42, 34.38, "PS"],
    ["the glacier that no country's code covers", 35.4, 77.2, undefined],
  ],
  "both sides of the date line": [
    ["Chukotka, on the date line", 68, 180, "RU"],
    ["Chukotka, on the date line, written as -180", 68, -180, "RU"],
    ["Wrangel, west", 71.2, 179.5, "RU"],
    ["Wrangel, east", 71.1, -179, "RU"],
    ["Taveuni", -16.87, 179.95, "FJ"],
    ["the sea beside Fiji", -18, -179.5, undefined],
  ],
  "around the poles": [
    ["the South Pole", -90, 0, "AQ"],
    ["the South Pole, at another longitude", -90, 180, "AQ"],
    ["Vostok", -78.46, 106.84, "AQ"],
    ["Antarctica on the date line", -86, 180, "AQ"],
    ["Antarctica on the date line, from the east", -86, -180, "AQ"],
    ["the Southern Ocean", -60, 20, undefined],
    ["the North Pole", 90, 0, undefined],
    ["Greenland's north", 83, -33, "GL"],
  ],
  "longitudes beyond 180 degrees": [
    ["Vladivostok, once round", 43.2, 132 - 360, "RU"],
    ["Vladivostok, twice round", 43.2, 132 + 720, "RU"],
    ["Lima, to the east", -12.05, 282.96, "PE"],
  ],
  "invalid positions": [
    ["latitude beyond a pole", -90.1, 0, undefined],
    ["latitude not a number", Number.NaN, 10, undefined],
    ["longitude not a number", 10, Number.NaN, undefined],
    ["latitude infinite", Number.NEGATIVE_INFINITY, 0, undefined],
  ],
};

describe.each(Object.entries(rows))("%s", (_, positions) => {
  test.each(positions)("%s (%d, %d) has the code %s", (_place, latitude, longitude, code) => {
    expect(countryAt({ latitude, longitude })).toBe(code);
  });
});

describe("the nearest land", () => {
  test.each([
    ["the North Pole is 710 km from Greenland", 90, 0, 725, "GL"],
    ["the North Pole has no land within 690 km", 90, 0, 690, undefined],
    ["the North Pole is equally near to Greenland at any longitude", 90, 150, 725, "GL"],
    ["the ice shelf off Antarctica, on the date line", -80, 180, 700, "AQ"],
    ["Russia from Alaska's side of the date line", 69.5, -179, 100, "RU"],
    ["the Caspian's nearer shore", 43, 48.3, 200, "RU"],
    ["the Strait of Dover, English side", 51.09, 1.4, 10, "GB"],
    ["the Strait of Dover, French side", 50.97, 1.7, 15, "FR"],
    ["Hong Kong's harbour", 22.29, 114.17, 30, "HK"],
    ["Iceland from 150 km south", 62.05, -19, 165, "IS"],
    ["no land within 130 km of a place 150 km south of Iceland", 62.05, -19, 130, undefined],
    ["the South Pacific, with no land within 300 km", -50, -120, 300, undefined],
  ] as const)("%s: the land nearest to (%d, %d) within %d km is %s", (_, latitude, longitude, nearKm, code) => {
    expect(countryAt({ latitude, longitude }, nearKm)).toBe(code);
  });

  test("the nearest land does not override the land that contains the position", () => {
    expect(countryAt({ latitude: 31.6, longitude: -106.4 }, 500)).toBe("MX");
  });

  test.each([0, -5, Number.NaN])("the nearest land is undefined for a distance of %d km", (nearKm) => {
    expect(countryAt({ latitude: 51.03, longitude: 1.55 }, nearKm)).toBeUndefined();
  });
});
