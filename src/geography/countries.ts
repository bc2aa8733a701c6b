import { countryCell, readCsv, textCell, textLike } from "../kit/csv-table.js";
import { ownFile } from "../kit/own-file.js";
import { countryCentres } from "./country-centres.js";

const rows = readCsv(ownFile("data/countries.csv"), {
  country: countryCell,
  alpha3: textLike(/^[A-Z]{3}$/, "an ISO 3166-1 alpha-3 code"),
  number: textLike(/^\d{3}$/, "an ISO 3166-1 numeric code"),
  names: textCell,
});

/** English names by alpha-2 code, the official one first. */
const namesByCode: ReadonlyMap<string, readonly string[]> = new Map(
  rows.map(({ country, names }) => [country, names.split("|")]),
);
const byAlpha3: ReadonlyMap<string, string> = new Map([
  ...rows.map(({ country, alpha3 }) => [alpha3, country] as const),
  // Kosovo has no official code. Publishers use XK and this code.
  ["XKX", "XK"],
]);
const byNumber: ReadonlyMap<string, string> = new Map(rows.map(({ country, number }) => [number, country]));

/** All alpha-2 codes, in alphabetical order. */
export const countryCodes: readonly string[] = [...namesByCode.keys()].sort();

/** Converts an ISO 3166-1 alpha-2 or alpha-3 code, in upper or lower case, to alpha-2. XK and XKX are Kosovo. */
export function alpha2(code: string): string | undefined {
  const upper = code.trim().toUpperCase();
  if (upper.length === 2) return namesByCode.has(upper) ? upper : undefined;
  return byAlpha3.get(upper);
}

/** Alpha-2 code of an ISO 3166-1 numeric code (`"250"`). */
export function alpha2OfNumber(code: string): string | undefined {
  return byNumber.get(code.padStart(3, "0"));
}

/** Short names of countries whose official name is uncommonly long or lacks its accents. */
const shortNames: Readonly<Record<string, string>> = {
  BN: "Brunei",
  BO: "Bolivia",
  CD: "DR Congo",
  CG: "Congo",
  CI: "Côte d'Ivoire",
  CN: "China",
  FK: "Falkland Islands",
  FM: "Micronesia",
  GB: "United Kingdom",
  GM: "Gambia",
  IR: "Iran",
  KP: "North Korea",
  KR: "South Korea",
  LA: "Laos",
  MD: "Moldova",
  MF: "Saint Martin",
  MK: "North Macedonia",
  PS: "Palestine",
  RE: "Réunion",
  RU: "Russia",
  SX: "Sint Maarten",
  SY: "Syria",
  TW: "Taiwan",
  TZ: "Tanzania",
  US: "United States",
  VA: "Holy See",
  VE: "Venezuela",
  VG: "British Virgin Islands",
  VI: "US Virgin Islands",
};

/** English short name of an alpha-2 or alpha-3 code. */
export function countryName(code: string): string | undefined {
  const alpha2Code = alpha2(code);
  return alpha2Code && (shortNames[alpha2Code] ?? namesByCode.get(alpha2Code)?.[0]);
}

/** Names that publishers use and that `countries.csv` lacks. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  BO: ["Plurinational State of Bolivia"],
  CD: ["Congo (Kinshasa)", "Congo-Kinshasa", "DRC"],
  CG: ["Congo (Brazzaville)", "Congo-Brazzaville"],
  CV: ["Cabo Verde"],
  EG: ["Arab Republic of Egypt"],
  GB: ["United Kingdom of Great Britain and Northern Ireland"],
  HK: ["China, Hong Kong Special Administrative Region", "Hong Kong, China", "Hong Kong SAR", "Hong Kong SAR, China"],
  KG: ["Kyrgyz Republic"],
  KP: ["Democratic People's Republic of Korea"],
  LA: ["Lao PDR"],
  MK: ["Macedonia", "FYR Macedonia", "The former Yugoslav Republic of Macedonia"],
  MM: ["Burma", "Myanmar (Burma)"],
  MO: ["China, Macao Special Administrative Region", "Macau", "Macao SAR", "Macao SAR, China"],
  // OFAC writes "Palestinian" as a nationality and as the country of an address.
  PS: [
    "Gaza Strip",
    "Occupied Palestinian Territory",
    "Palestinian",
    "Palestinian Territories",
    "West Bank",
    "West Bank and Gaza",
  ],
  RS: ["Serbia and Kosovo: S/RES/1244 (1999)"],
  SJ: ["Svalbard"],
  SK: ["Slovak Republic"],
  SZ: ["Swaziland"],
  TL: ["East Timor"],
  VA: ["Vatican", "Vatican City"],
  VE: ["Bolivarian Republic of Venezuela", "Venezuela, RB"],
  VI: ["United States Virgin Islands"],
  VN: ["Viet Nam"],
  YE: ["Republic of Yemen"],
};

const spelledOut: ReadonlyMap<string, string> = new Map([
  ["dem", "democratic"],
  ["is", "islands"],
  ["rep", "republic"],
  ["st", "saint"],
]);

const unsaid: ReadonlySet<string> = new Set(["and", "of", "the"]);

/**
 * The words of a name in a fixed order and form, because publishers invert names ("Korea, Republic of"), abbreviate
 * them and omit accents.
 */
function keyOf(name: string): string {
  const plain = name
    .normalize("NFD")
    .toLowerCase()
    .replace(/[\p{M}.'‘’`]/gu, "");
  const words = plain.split(/[^\p{L}\p{N}]+/u).map((word) => spelledOut.get(word) ?? word);
  return words
    .filter((word) => !unsaid.has(word))
    .sort()
    .join(" ")
    .trim();
}

let byName: ReadonlyMap<string, string> | undefined;

/**
 * Maps each name to one country. If several countries have the same name, the first one in `lists` gets it: "Congo" is
 * CG, because the short names come first, although `countries.csv` lists "Congo" for CD too.
 */
function loadNames(): ReadonlyMap<string, string> {
  const lists = [
    ...Object.entries(shortNames).map(([code, name]) => [code, [name]] as const),
    ...Object.entries(otherNames),
    ...namesByCode,
  ];
  const codes = new Map<string, string>();
  for (const [code, list] of lists) {
    for (const key of list.map(keyOf)) if (!codes.has(key)) codes.set(key, code);
  }
  return codes;
}

/** Alpha-2 code of an English name. Case, accents and the order of the words make no difference. */
export function countryByName(name: string): string | undefined {
  byName ??= loadNames();
  return byName.get(keyOf(name));
}

/** Centre of a country's largest land area, degrees, by alpha-2 or alpha-3 code; undefined for unknown codes. */
export function countryCentre(code: string): { latitude: number; longitude: number } | undefined {
  const centre = countryCentres[alpha2(code) ?? ""];
  return centre && { latitude: centre[0], longitude: centre[1] };
}
