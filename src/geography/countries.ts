import { createRequire } from "node:module";
import { countryCentres } from "./country-centres.js";

/** The part of i18n-iso-countries that is used here; its main entry would load eighty languages. */
interface CountryNames {
  registerLocale(locale: unknown): void;
  isValid(code: string): boolean;
  alpha3ToAlpha2(code: string): string | undefined;
  numericToAlpha2(code: string): string | undefined;
  getName(code: string, language: "en"): string | undefined;
  getAlpha2Code(name: string, language: "en"): string | undefined;
}

const require = createRequire(import.meta.url);
const names: CountryNames = require("i18n-iso-countries/index.js");
names.registerLocale(require("i18n-iso-countries/langs/en.json"));

/** ISO 3166-1 alpha-2 code of an alpha-2 or alpha-3 code in any case; XK and XKX are Kosovo. */
export function alpha2(code: string): string | undefined {
  const upper = code.trim().toUpperCase();
  if (upper.length === 2) return names.isValid(upper) ? upper : undefined;
  // The library knows Kosovo by its two letters alone.
  if (upper === "XKX") return "XK";
  return upper.length === 3 ? names.alpha3ToAlpha2(upper) : undefined;
}

/** Alpha-2 code of an ISO 3166-1 numeric code (`"250"`). */
export function alpha2OfNumber(code: string): string | undefined {
  return names.numericToAlpha2(code);
}

/** Short names where the standard's own is longer than anybody says it. */
const shortNames: Readonly<Record<string, string>> = {
  BO: "Bolivia",
  CD: "DR Congo",
  CG: "Congo",
  FM: "Micronesia",
  GB: "United Kingdom",
  IR: "Iran",
  KP: "North Korea",
  KR: "South Korea",
  LA: "Laos",
  MD: "Moldova",
  PS: "Palestine",
  RU: "Russia",
  SY: "Syria",
  TW: "Taiwan",
  TZ: "Tanzania",
  US: "United States",
  VE: "Venezuela",
};

/** English short name of an alpha-2 or alpha-3 code. */
export function countryName(code: string): string | undefined {
  const known = alpha2(code);
  return known && (shortNames[known] ?? names.getName(known, "en"));
}

/** Names that publishers write and the standard does not, in lower case without accents. */
const otherNames: Readonly<Record<string, string>> = {
  "bolivia (plurinational state of)": "BO",
  burma: "MM",
  "cape verde": "CV",
  "congo (democratic republic of the)": "CD",
  "congo, democratic republic of the": "CD",
  "czech republic": "CZ",
  "dem. rep. of the congo": "CD",
  "democratic republic of the congo": "CD",
  "dr congo": "CD",
  "iran (islamic republic of)": "IR",
  "iran (islamic rep. of)": "IR",
  "ivory coast": "CI",
  "korea, south": "KR",
  "korea, north": "KP",
  macedonia: "MK",
  "occupied palestinian territory": "PS",
  swaziland: "SZ",
  "the bahamas": "BS",
  "the gambia": "GM",
  "timor leste": "TL",
  turkey: "TR",
  turkiye: "TR",
  "venezuela (bolivarian republic of)": "VE",
  "viet nam": "VN",
};

const byShortName: ReadonlyMap<string, string> = new Map(
  Object.entries(shortNames).map(([code, name]) => [name.toLowerCase(), code]),
);

/** Alpha-2 code of an English name in any case, with or without accents. */
export function countryByName(name: string): string | undefined {
  const trimmed = name.trim();
  const plain = trimmed
    .normalize("NFD")
    .replace(/\p{M}|’/gu, (mark) => (mark === "’" ? "'" : ""))
    .toLowerCase();
  return (
    byShortName.get(plain) ??
    otherNames[plain] ??
    names.getAlpha2Code(trimmed, "en") ??
    names.getAlpha2Code(plain, "en")
  );
}

/** Centre of a country's largest piece, degrees, by alpha-2 or alpha-3 code; undefined for codes of no country. */
export function countryCentre(code: string): { latitude: number; longitude: number } | undefined {
  const centre = countryCentres[alpha2(code) ?? ""];
  return centre && { latitude: centre[0], longitude: centre[1] };
}
