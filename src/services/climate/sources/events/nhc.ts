import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { BadRow, followUp, LeftOut, SourceFailure, source, step } from "../../../../contract/source.js";
import { countryName } from "../../../../geography/countries.js";
import { countryAt } from "../../../../geography/country-at.js";
import type { StoredDisaster } from "../../records.js";
import { severityOfStorm, stormCategory } from "../../rules/severity.js";

const SERVER = "https://mapservices.weather.noaa.gov/tropical/rest/services/tropical/NHC_tropical_weather/MapServer";
/** Maximum distance from a coast at which a storm gets the country of that coast. A storm farther out is left out. */
const COAST_KM = 200;

const Layers = Type.Object({ layers: Type.Array(Type.Unknown()) });
const Layer = Type.Object({ id: Type.Integer(), name: Type.String() });
const Features = Type.Object({
  type: Type.Literal("FeatureCollection"),
  features: Type.Array(Type.Object({ properties: Type.Unknown() })),
});

/** The forecast points of one storm. */
const points = followUp({
  request: ({ id, name }: Static<typeof Layer>) => ({
    key: name,
    url: `${SERVER}/${id}/query?where=1=1&outFields=*&f=geojson`,
  }),
  format: { kind: "json" },
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
  rows(document, { name }) {
    if (!Value.Check(Features, document)) throw new SourceFailure("changed", `expected the features of ${name}`);
    return document.features.map(({ properties }) => properties);
  },
  // Outside the storm season, an answer without points is valid.
  rowsMin: 0,
  record(point): StoredDisaster | LeftOut {
    // The first point is the storm's position; the others are forecasts.
    if (point.tau !== 0) return new LeftOut("forecast");
    const position = { latitude: point.lat, longitude: point.lon };
    if (Math.abs(position.latitude) > 90) throw new BadRow(`latitude ${position.latitude}`);
    const countryCode = countryAt(position, COAST_KM);
    if (countryCode === undefined) return new LeftOut("far from any country");
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
});

/** The list of the map's layers. It has a layer of forecast points for each storm, with the id that `points` needs. */
const layers = step({
  request: () => ({ key: "layers", url: `${SERVER}?f=json` }),
  format: { kind: "json" },
  row: Layer,
  rows(document) {
    if (!Value.Check(Layers, document)) throw new SourceFailure("changed", "expected an object with layers[]");
    return document.layers;
  },
  record: (layer) => (/^[A-Z]{2}\d Forecast Points$/.test(layer.name) ? layer : new LeftOut("other layer of the map")),
  rowsMin: 0,
  next(storms) {
    if (storms.length === 0) throw new SourceFailure("changed", "no layer is called … Forecast Points");
    return storms.map(points.about);
  },
});

/** Present positions of the tropical storms in the Atlantic and the eastern and central Pacific. */
export const nhc = source({
  id: "nhc-storms",
  title: "NOAA National Hurricane Center, active storms",
  home: "https://www.nhc.noaa.gov/gis/",
  seen: "described",
  licence: { name: "US government work", attribution: "NOAA National Hurricane Center", open: true },
  steps: { layers, points },
  combine({ layers, points: { records } }, tally) {
    tally.joined("layers of the map", layers.records.length);
    return records;
  },
  recordsMin: 0,
  observedAt: ({ observedAt }) => observedAt,
});
