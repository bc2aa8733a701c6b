import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { BadRow, LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import { memberOf } from "../../../kit/member-of.js";
import { type Category, categories, type ReportedEvent, type StormPastPoint } from "../records.js";
import { nameAlias, stormNameIn } from "../rules/storm-name.js";
import { knots, stormCategoryOf } from "../rules/storm-scale.js";
import { eventRanges } from "./event-ranges.js";
import { instantOf, webAddress } from "./instants.js";

const WINDOW_DAYS = 30;

const Envelope = Type.Object({ events: Type.Array(Type.Unknown()) });
const Words = Type.Optional(Type.Union([Type.String(), Type.Null()]));

const Geometry = Type.Object({
  date: Type.String(),
  type: Type.String(),
  coordinates: Type.Array(Type.Unknown()),
  magnitudeValue: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  magnitudeUnit: Words,
});
type Geometry = Static<typeof Geometry>;

/** Open natural events of the last thirty days except earthquakes, each at its newest position. */
export const eonetEvents = source({
  id: "nasa-eonet-events",
  title: "NASA EONET v3, open natural events of every category except earthquakes",
  home: "https://eonet.gsfc.nasa.gov/docs/v3",
  seen: "recorded",
  licence: { name: "NASA open data", attribution: "NASA Earth Observatory Natural Event Tracker (EONET)", open: true },
  steps: {
    events: step({
      request: () => ({
        key: "events",
        url: `https://eonet.gsfc.nasa.gov/api/v3/events?status=open&days=${WINDOW_DAYS}`,
        timeoutMs: 60_000,
      }),
      format: { kind: "json" },
      row: Type.Object({
        id: Type.String({ minLength: 1 }),
        title: Type.String({ minLength: 1 }),
        description: Words,
        link: Words,
        closed: Words,
        categories: Type.Array(Type.Object({ id: Type.String() }), { minItems: 1 }),
        sources: Type.Optional(Type.Array(Type.Object({ id: Type.String(), url: Words }))),
        geometry: Type.Array(Geometry, { minItems: 1 }),
      }),
      rows(document) {
        if (!Value.Check(Envelope, document)) throw new SourceFailure("changed", "expected an object with events[]");
        return document.events;
      },
      record(event): ReportedEvent | LeftOut {
        const category = categoryOf(event.categories.map(({ id }) => id));
        // Earthquakes are omitted, because the seismology service reads the agencies that locate them.
        if (category === "earthquakes") return new LeftOut("earthquake, which the seismology service has");
        const geometry = event.geometry.toSorted((a, b) => instantOf(a.date) - instantOf(b.date));
        const newest = geometry.at(-1);
        if (!newest) return new LeftOut("no position");
        const { magnitudeValue, magnitudeUnit } = newest;
        const source = event.sources?.find(({ url }) => webAddress(url) !== "");
        return {
          id: `eonet:${event.id}`,
          title: event.title,
          description: event.description ?? "",
          category,
          categoryTitle: categories[category],
          ...middleOf(newest),
          date: instantOf(newest.date),
          ...(typeof magnitudeValue === "number" && { magnitude: magnitudeValue }),
          ...(typeof magnitudeValue === "number" && magnitudeUnit && { magnitudeUnit }),
          sourceUrl: webAddress(source?.url) || webAddress(event.link),
          sourceName: "NASA EONET",
          closed: Boolean(event.closed),
          ...(category === "severeStorms" && stormIn(event.title, geometry, event.sources ?? [])),
        };
      },
    }),
  },
  recordsMin: 0,
  observedAt: ({ date }) => date,
  ranges: eventRanges,
});

function categoryOf(ids: readonly string[]): Category {
  const id = ids.find((name) => memberOf(categories, name) !== undefined);
  if (id === undefined) throw new BadRow(`unknown category ${ids[0]?.slice(0, 40)}`);
  return id as Category;
}

interface EventSource {
  readonly id: string;
  readonly url?: string | null;
}

/** Reads the storm fields of an event. EONET repeats the winds of US agencies. These winds are one-minute means. */
function stormIn(
  title: string,
  geometry: readonly Geometry[],
  sources: readonly EventSource[],
): Partial<ReportedEvent> {
  const track = geometry.map((point): StormPastPoint => {
    const windKt = point.magnitudeUnit === "kts" ? knots(point.magnitudeValue ?? undefined) : undefined;
    return { ...middleOf(point), ...(windKt !== undefined && { windKt }), timestamp: instantOf(point.date) };
  });
  const newest = track.at(-1);
  const name = stormNameIn(title);
  const agency = sources.find(({ id }) => id === "JTWC") ?? sources[0];
  const stormId = stormIdIn(agency?.url ?? "");
  const windKt = newest?.windKt;
  const wind = windKt === undefined ? {} : { windKt, windAveragingPeriodMinutes: 1 as const };
  return {
    ...(stormId !== undefined && { stormId, basin: stormId.slice(0, 2) }),
    ...(name !== undefined && { stormName: name }),
    ...(windKt !== undefined && { stormCategory: stormCategoryOf(windKt) }),
    ...wind,
    canonicalAliases: [...(stormId === undefined ? [] : [stormId]), ...(name === undefined ? [] : [nameAlias(name)])],
    pastTrack: track,
    agencyObservations: [
      {
        agency: agencyName(agency?.id ?? "EONET"),
        agencyId: stormId ?? name ?? title,
        observedAt: newest?.timestamp ?? 0,
        ...(newest && { lat: newest.lat, lon: newest.lon }),
        ...wind,
        sourceName: "NASA EONET",
        sourceUrl: webAddress(agency?.url),
      },
    ],
  };
}

/** The name by which the other lists call the agency. EONET calls the US hurricane centre `NOAA_NHC`. */
function agencyName(id: string): string {
  return id === "NOAA_NHC" ? "NHC" : id;
}

/** Converts the name of a JTWC bulletin (`wp3225.tcw`) to the id that US agencies share, `WP322025`. */
function stormIdIn(url: string): string | undefined {
  const [, basin, number, year] = /\/(wp|io|sh|ep|cp|al|sp)(\d{2})(\d{2})(?:\w{3})?\.\w{3}$/i.exec(url) ?? [];
  return basin === undefined ? undefined : `${basin.toUpperCase()}${number}20${year}`;
}

/** Returns the position of a point, or the middle of an area's bounding box. */
function middleOf({ type, coordinates }: Geometry): { readonly lat: number; readonly lon: number } {
  const corners: readonly unknown[] =
    type === "Point" ? [coordinates] : Array.isArray(coordinates[0]) ? coordinates[0] : [];
  const points = corners.map((corner) => {
    const [lon, lat]: readonly unknown[] = Array.isArray(corner) ? corner : [];
    if (typeof lon !== "number" || typeof lat !== "number") throw new BadRow("an event without a position");
    return { lon, lat };
  });
  if (points.length === 0) throw new BadRow("an event without a position");
  const middle = (values: readonly number[]): number => (Math.min(...values) + Math.max(...values)) / 2;
  return { lat: middle(points.map(({ lat }) => lat)), lon: middle(points.map(({ lon }) => lon)) };
}
