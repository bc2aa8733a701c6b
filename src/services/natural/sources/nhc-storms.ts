import { type Static, type TSchema, Type } from "typebox";
import { Value } from "typebox/value";
import { followUp, SourceFailure, type StepResult, source, step } from "../../../contract/source.js";
import {
  categories,
  type ReportedEvent,
  type StormConeRing,
  type StormForecastPoint,
  type StormPastPoint,
} from "../records.js";
import { nameAlias, stormNameIn } from "../rules/storm-name.js";
import { hectopascals, knots, stormCategoryOf } from "../rules/storm-scale.js";
import { eventRanges } from "./event-ranges.js";
import { instantOf, webAddress } from "./instants.js";

const LIST = "https://www.nhc.noaa.gov/CurrentStorms.json";
const MAPS = "https://mapservices.weather.noaa.gov/tropical/rest/services/tropical/NHC_tropical_weather/MapServer";
const RING_POINTS_MAX = 120;

/**
 * Number of the first layer of the first storm in each basin. On the map server, a basin has room for five storms, and
 * a storm has 26 layers.
 */
const firstLayers: Readonly<Record<string, number>> = { AT: 4, EP: 134, CP: 264 };
const STORM_LAYERS = 26;
/** The layers that this source reads, as offsets from a storm's first layer. */
const layerOffsets = { points: 2, cone: 4, past: 7 } as const;
type Layer = keyof typeof layerOffsets;

/** A listed storm with its bin, such as `AT3`. The bin tells which layers of the map server belong to the storm. */
interface ListedStorm {
  readonly bin: string;
  readonly event: ReportedEvent;
}

const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const Degrees = (max: number) => Type.Number({ minimum: -max, maximum: max });

const Storm = Type.Object({
  id: Type.String({ pattern: "^[a-z]{2}\\d{6}$" }),
  binNumber: optional(Type.String()),
  name: Type.String({ minLength: 1 }),
  classification: optional(Type.String()),
  intensity: optional(Type.String()),
  pressure: optional(Type.String()),
  latitudeNumeric: Degrees(90),
  longitudeNumeric: Degrees(180),
  movementDir: optional(Type.Number()),
  movementSpeed: optional(Type.Number()),
  lastUpdate: Type.String(),
  publicAdvisory: optional(Type.Object({ url: optional(Type.String()) })),
});

const ForecastFeature = Type.Object({
  properties: Type.Object({
    lat: Degrees(90),
    lon: Degrees(180),
    tau: Type.Number(),
    maxwind: optional(Type.Number()),
  }),
});
const PastFeature = Type.Object({
  properties: Type.Object({
    lat: Degrees(90),
    lon: Degrees(180),
    intensity: optional(Type.Number()),
    dtg: optional(Type.Union([Type.Number(), Type.String()])),
  }),
});
const Corner = Type.Array(Type.Number(), { minItems: 2 });
const ConeFeature = Type.Object({
  geometry: Type.Object({ type: Type.String(), coordinates: Type.Array(Type.Array(Corner)) }),
});

const Envelope = Type.Object({ activeStorms: Type.Array(Type.Unknown()) });
const Features = Type.Object({ type: Type.Literal("FeatureCollection"), features: Type.Array(Type.Unknown()) });

/** Returns the features of a layer; none if the storm has no forecast or past track. */
function featuresOf(document: unknown, { bin }: ListedStorm): readonly unknown[] {
  if (!Value.Check(Features, document)) throw new SourceFailure("changed", `expected the features of ${bin}`);
  return document.features;
}

const mapRequest = ({ bin }: ListedStorm, layer: Layer) => ({
  key: `${bin} ${layer}`,
  url: `${MAPS}/${layerOf(bin, layer)}/query?where=1=1&outFields=*&f=geojson`,
});

const points = followUp({
  request: (storm: ListedStorm) => mapRequest(storm, "points"),
  format: { kind: "json" },
  row: ForecastFeature,
  rows: featuresOf,
  rowsMin: 0,
  record: ({ properties }): StormForecastPoint => forecastPointOf(properties),
});

const cone = followUp({
  request: (storm: ListedStorm) => mapRequest(storm, "cone"),
  format: { kind: "json" },
  row: ConeFeature,
  rows: featuresOf,
  rowsMin: 0,
  record: ({ geometry }): readonly StormConeRing[] => geometry.coordinates.map(ringOf),
});

const past = followUp({
  request: (storm: ListedStorm) => mapRequest(storm, "past"),
  format: { kind: "json" },
  row: PastFeature,
  rows: featuresOf,
  rowsMin: 0,
  record: ({ properties }): StormPastPoint => pastPointOf(properties),
});

const storms = step({
  request: () => ({ key: "storms", url: LIST }),
  format: { kind: "json" },
  row: Storm,
  rows(document) {
    if (!Value.Check(Envelope, document)) throw new SourceFailure("changed", "expected activeStorms[]");
    return document.activeStorms;
  },
  // Outside the season no storm is active.
  rowsMin: 0,
  record: stormOf,
  next: (listed) =>
    listed
      .filter(({ bin }) => layerOf(bin, "points") !== undefined)
      .flatMap((storm) => [points.about(storm), cone.about(storm), past.about(storm)]),
});

/** Active storms of the Atlantic and the eastern and central Pacific, with their tracks and cones. */
export const nhcStorms = source({
  id: "nhc-current-storms",
  title: "NOAA National Hurricane Center, active storms with tracks and cones",
  home: "https://www.nhc.noaa.gov/productexamples/NHC_JSON_Sample.json",
  seen: "recorded",
  unseen: "forecast points and past tracks",
  licence: { name: "US government work", attribution: "NOAA National Hurricane Center", open: true },
  steps: { storms, points, cone, past },
  recordsMin: 0,
  combine(results, tally) {
    const { points, cone: cones, past: pasts } = results;
    const parts = points.records.length + cones.records.length + pasts.records.length;
    tally.joined("parts of the track and cone of a storm", parts);
    return results.storms.records.map(({ bin, event }): ReportedEvent => {
      const forecastTrack = recordsOf(bin, results.points)
        .filter(({ hour }) => hour > 0)
        .sort((a, b) => a.hour - b.hour);
      const conePolygon = recordsOf(bin, results.cone).flat();
      const pastTrack = recordsOf(bin, results.past).sort((a, b) => (a.timestamp ?? 0) - (b.timestamp ?? 0));
      return {
        ...event,
        ...(forecastTrack.length > 0 && { forecastTrack }),
        ...(conePolygon.length > 0 && { conePolygon }),
        ...(pastTrack.length > 0 && { pastTrack }),
      };
    });
  },
  observedAt: ({ date }) => date,
  ranges: eventRanges,
});

/** Returns the records of one layer of a storm. The bin identifies the storm. */
function recordsOf<Item>(bin: string, { answers }: StepResult<ListedStorm, Item>): Item[] {
  return answers.filter(({ context }) => context.bin === bin).flatMap(({ records }) => records);
}

/**
 * Returns the number of a layer of the storm in a bin; undefined for an unknown bin. The bin AT3, for example, has the
 * third storm of the Atlantic.
 */
export function layerOf(bin: string, layer: Layer): number | undefined {
  const [, basin = "", slot] = /^(AT|EP|CP)([1-5])$/.exec(bin) ?? [];
  const first = firstLayers[basin];
  return first === undefined ? undefined : first + (Number(slot) - 1) * STORM_LAYERS + layerOffsets[layer];
}

const classes: Readonly<Record<string, string>> = {
  TD: "Tropical Depression",
  TS: "Tropical Storm",
  HU: "Hurricane",
  STD: "Subtropical Depression",
  STS: "Subtropical Storm",
  PTC: "Post-Tropical Cyclone",
  PT: "Post-Tropical Cyclone",
};

function stormOf(storm: Static<typeof Storm>): ListedStorm {
  const { id, name, classification, movementDir, movementSpeed } = storm;
  const [date, stormId, stormName] = [instantOf(storm.lastUpdate), id.toUpperCase(), stormNameIn(storm.name)];
  const [lat, lon] = [storm.latitudeNumeric, storm.longitudeNumeric];
  const [windKt, pressureMb] = [knots(numberIn(storm.intensity)), hectopascals(numberIn(storm.pressure))];
  const sourceUrl = webAddress(storm.publicAdvisory?.url) || "https://www.nhc.noaa.gov/";
  const measured = {
    ...(classification && { classification }),
    ...(windKt !== undefined && { windKt, windAveragingPeriodMinutes: 1 as const }),
    ...(pressureMb !== undefined && { pressureMb }),
  };
  const title = `${classes[classification ?? ""] ?? ""} ${name}`.trim();
  const event: ReportedEvent = {
    id: `nhc:${id}`,
    title,
    description: "",
    category: "severeStorms",
    categoryTitle: categories.severeStorms,
    lat,
    lon,
    date,
    ...(windKt !== undefined && {
      magnitude: windKt,
      magnitudeUnit: "kts",
      stormCategory: stormCategoryOf(windKt),
    }),
    sourceUrl,
    sourceName: "NHC",
    closed: false,
    stormId,
    ...(stormName !== undefined && { stormName }),
    basin: stormId.slice(0, 2),
    ...measured,
    ...(typeof movementDir === "number" && { movementDir: Math.round(movementDir) }),
    ...(typeof movementSpeed === "number" && { movementSpeedKt: Math.round(movementSpeed) }),
    canonicalAliases: [stormId, ...(stormName === undefined ? [] : [nameAlias(stormName)])],
    agencyObservations: [
      { agency: "NHC", agencyId: stormId, observedAt: date, lat, lon, ...measured, sourceName: "NHC", sourceUrl },
    ],
  };
  return { bin: storm.binNumber ?? "", event };
}

function numberIn(text: string | null | undefined): number | undefined {
  const value = text ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

function forecastPointOf({ lat, lon, tau, maxwind }: Static<typeof ForecastFeature>["properties"]): StormForecastPoint {
  const windKt = knots(maxwind ?? undefined);
  return { lat, lon, hour: tau, ...(windKt !== undefined && { windKt, category: stormCategoryOf(windKt) }) };
}

function pastPointOf({ lat, lon, intensity, dtg }: Static<typeof PastFeature>["properties"]): StormPastPoint {
  const windKt = knots(intensity ?? undefined);
  // `dtg` is the hour as one number, for example 2026093006.
  const [, year, month, day, hour] = /^(\d{4})(\d{2})(\d{2})(\d{2})/.exec(String(dtg ?? "")) ?? [];
  return {
    lat,
    lon,
    ...(windKt !== undefined && { windKt }),
    ...(hour !== undefined && { timestamp: instantOf(`${year}-${month}-${day}T${hour}:00:00Z`) }),
  };
}

/** Reduces the outline of a cone to at most 120 points. The full outline has about 1,500. */
function ringOf(ring: readonly (readonly number[])[]): StormConeRing {
  const step = Math.ceil(ring.length / RING_POINTS_MAX);
  const kept = ring.filter((_corner, index) => index % step === 0 || index === ring.length - 1);
  return { points: kept.slice(-RING_POINTS_MAX).map(([lon = Number.NaN, lat = Number.NaN]) => ({ lat, lon })) };
}
