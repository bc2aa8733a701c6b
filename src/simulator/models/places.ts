import { countryName } from "../../geography/countries.js";
import { countryCentres } from "../../geography/country-centres.js";

/** A country in which simulated events happen, with a position on its land. */
export interface Place {
  readonly name: string;
  readonly alpha2: string;
  readonly alpha3: string;
  readonly latitude: number;
  readonly longitude: number;
}

const codes =
  "AFG AGO ARG AUS BDI BEN BFA BGD BOL BRA CAF CAN CHL CHN CMR COD COG COL DEU DZA ECU EGY ERI ESP ETH FRA GHA GIN IDN IND IRN IRQ ITA KAZ KEN KGZ LBY MAR MDG MEX MLI MMR MNG MOZ MRT MWI NER NGA NIC NPL PAK PER PHL POL ROU RUS RWA SAU SDN SEN SOM SSD SWE SYR TCD TGO THA TJK TKM TUN TUR TZA UGA UKR USA UZB VEN VNM YEM ZAF ZMB ZWE";

/** The alpha-2 codes that are not the first two letters of the country's alpha-3 code, by alpha-3 code. */
const alpha2: Readonly<Record<string, string>> = {
  AGO: "AO",
  BDI: "BI",
  BEN: "BJ",
  BFA: "BF",
  BGD: "BD",
  CAF: "CF",
  CHL: "CL",
  CHN: "CN",
  COD: "CD",
  COG: "CG",
  DZA: "DZ",
  GIN: "GN",
  IRQ: "IQ",
  KAZ: "KZ",
  LBY: "LY",
  MAR: "MA",
  MDG: "MG",
  MEX: "MX",
  MNG: "MN",
  MOZ: "MZ",
  MRT: "MR",
  MWI: "MW",
  NER: "NE",
  PAK: "PK",
  PHL: "PH",
  POL: "PL",
  SEN: "SN",
  SSD: "SS",
  SWE: "SE",
  TCD: "TD",
  TKM: "TM",
  TUN: "TN",
  TUR: "TR",
  TZA: "TZ",
  UKR: "UA",
  VEN: "VE",
};

/** Countries large enough for their centre to lie on their own land. */
export const places: readonly Place[] = codes.split(" ").map((alpha3) => {
  const code = alpha2[alpha3] ?? alpha3.slice(0, 2);
  const [latitude = 0, longitude = 0] = countryCentres[code] ?? [];
  return { name: countryName(code) ?? code, alpha2: code, alpha3, latitude, longitude };
});
