import { Type } from "typebox";
import { Value } from "typebox/value";
import { BadRow, SourceFailure, type SourceRequest, source } from "../../../../contract/source.js";
import { countryName } from "../../../../geography/countries.js";
import { countryAt } from "../../../../geography/country-at.js";
import type { StoredDisaster } from "../../records.js";
import { severityOfStorm, stormCategory } from "../../rules/severity.js";

const SERVER = "https://mapservices.weather.noaa.gov/tropical/rest/services/tropical/NHC_tropical_weather/MapServer";
/** A storm at sea belongs to the coast it is near; farther out it belongs to nobody. */
const COAST_KM = 200;

const Layers = Type.Object({ layers: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })) });
const Features = Type.Object({
  type: Type.Literal("FeatureCollection"),
  features: Type.Array(Type.Object({ properties: Type.Unknown() })),
});

/** Present positions of the tropical storms in the Atlantic and the eastern and central Pacific. */
export const nhc = source({
  id: "nhc-storms",
  title: "NOAA National Hurricane Center, active storms",
  home: "https://www.nhc.noaa.gov/gis/",
  seen: "described",
  licence: { name: "US government work", attribution: "NOAA National Hurricane Center", open: true },
  requests: (_plan: object): readonly SourceRequest<{ kind: "json" }>[] => [
    { key: "layers", url: `${SERVER}?f=json`, format: { kind: "json" } },
  ],
  /** Each storm has its own layers, numbered by the server. */
  more(document, { key }) {
    if (key !== "layers") return [];
    if (!Value.Check(Layers, document)) throw new SourceFailure("changed", "expected an object with layers[]");
    const points = document.layers.filter(({ name }) => /^[A-Z]{2}\d Forecast Points$/.test(name));
    if (points.length === 0) throw new SourceFailure("changed", "no layer is called … Forecast Points");
    return points.map(({ id, name }) => ({
      key: name,
      url: `${SERVER}/${id}/query?where=1=1&outFields=*&f=geojson`,
      format: { kind: "json" },
    }));
  },
  row: Type.Object({
    stormname: Type.String({ minLength: 1 }),
    basin: Type.String({ minLength: 1 }),
    stormnum: Type.Number(),
    idp_filedate: Type.Number(),
    tau: Type.Number(),
    maxwind: Type.Number(),
    ssnum: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    lat: Type.Number(),
    lon: Type.Number(),
  }),
  *rows(document, { key }) {
    if (key === "layers") return;
    if (!Value.Check(Features, document)) throw new SourceFailure("changed", `expected the features of ${key}`);
    for (const { properties } of document.features) yield properties;
  },
  // Out of season no storm is active, and that is an answer.
  rowsMin: 0,
  recordsMin: 0,
  record(point): StoredDisaster | undefined {
    // The first point is where the storm is; the others are forecasts.
    if (point.tau !== 0) return undefined;
    const position = { latitude: point.lat, longitude: point.lon };
    if (Math.abs(position.latitude) > 90) throw new BadRow(`latitude ${position.latitude}`);
    const countryCode = countryAt(position, COAST_KM);
    if (countryCode === undefined) return undefined;
    const year = new Date(point.idp_filedate).getUTCFullYear();
    return {
      id: `nhc-${point.basin.toLowerCase()}${String(point.stormnum).padStart(2, "0")}${year}`,
      type: "cyclone",
      name: point.stormname,
      country: countryName(countryCode) ?? countryCode,
      countryCode,
      lat: position.latitude,
      lng: position.longitude,
      severity: severityOfStorm(point.ssnum ?? stormCategory(point.maxwind)),
      status: "ongoing",
      source: "NOAA NHC",
      sourceUrl: "https://www.nhc.noaa.gov/",
      observedAt: point.idp_filedate,
    };
  },
  observedAt: ({ observedAt }) => observedAt,
});
