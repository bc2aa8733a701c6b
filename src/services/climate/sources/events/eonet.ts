import { Type } from "typebox";
import { Value } from "typebox/value";
import { BadRow, LeftOut, SourceFailure, source, step } from "../../../../contract/source.js";
import { countryByName, countryName } from "../../../../geography/countries.js";
import { countryAt } from "../../../../geography/country-at.js";
import { memberOf } from "../../../../kit/member-of.js";
import type { DisasterType, StoredDisaster } from "../../records.js";
import {
  type HazardSeverity,
  severityNamed,
  severityOfFire,
  severityOfStorm,
  stormCategory,
} from "../../rules/severity.js";
import { instantOf } from "../instant.js";

const WINDOW_DAYS = 30;
/** Maximum distance from a coast at which an event at sea is assigned to the country of that coast. */
const COAST_KM = 200;

/** Categories of EONET that are climate disasters; sea ice, dust and water colour are not. */
const typeOf: Readonly<Record<string, DisasterType>> = {
  wildfires: "wildfire",
  severeStorms: "cyclone",
  floods: "flood",
  drought: "drought",
  volcanoes: "volcano",
  tempExtremes: "heatwave",
};

const Envelope = Type.Object({ events: Type.Array(Type.Unknown()) });

const Geometry = Type.Object({
  date: Type.String(),
  type: Type.String(),
  coordinates: Type.Array(Type.Unknown()),
  magnitudeValue: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  magnitudeUnit: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

const Event = Type.Object({
  id: Type.String({ minLength: 1 }),
  title: Type.String({ minLength: 1 }),
  link: Type.Optional(Type.String()),
  closed: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  categories: Type.Array(Type.Object({ id: Type.String() }), { minItems: 1 }),
  geometry: Type.Array(Geometry, { minItems: 1 }),
});
type Event = Type.Static<typeof Event>;
type Geometry = Type.Static<typeof Geometry>;

/** Open natural events of the last thirty days, each at its newest position. */
export const eonet = source({
  id: "nasa-eonet",
  title: "NASA EONET v3, open natural events",
  home: "https://eonet.gsfc.nasa.gov/",
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
      row: Event,
      *rows(document) {
        if (!Value.Check(Envelope, document)) throw new SourceFailure("changed", "expected an object with events[]");
        yield* document.events;
      },
      record(event): StoredDisaster | LeftOut {
        const type = event.categories
          .map(({ id }) => memberOf(typeOf, id))
          .find((candidate) => candidate !== undefined);
        const geometry = event.geometry.toSorted((a, b) => instantOf(a.date) - instantOf(b.date));
        const [first, newest] = [geometry[0], geometry.at(-1)];
        if (!type) return new LeftOut("other kind of event");
        if (!first || !newest) return new LeftOut("no position");
        const position = positionOf(newest);
        const countryCode = position && (countryAt(position, COAST_KM) ?? countryInTitle(event.title));
        if (!position) return new LeftOut("no position");
        if (countryCode === undefined) return new LeftOut("far from any country");
        const severity = severityOf(type, event, newest);
        return {
          id: `eonet-${event.id}`,
          type,
          name: event.title,
          country: countryName(countryCode) ?? countryCode,
          countryCode,
          lat: position.latitude,
          lng: position.longitude,
          ...(severity !== undefined && { severity }),
          status: event.closed ? "past" : "ongoing",
          startedAt: instantOf(first.date),
          source: "NASA EONET",
          ...(event.link !== undefined && /^https?:\/\//.test(event.link) && { sourceUrl: event.link }),
          observedAt: instantOf(newest.date),
        };
      },
    }),
  },
  recordsMin: 0,
  observedAt: ({ observedAt }) => observedAt,
});

/** Returns the country at the end of a title ("Ioto Volcano, Japan"), for islands that are too small for the map. */
function countryInTitle(title: string): string | undefined {
  const comma = title.lastIndexOf(", ");
  return comma < 0 ? undefined : countryByName(title.slice(comma + 2, comma + 2 + NAME_READ));
}

const NAME_READ = 100;

/** Returns the position of a point, or the centre of an area's bounding box; undefined for an area without corners. */
function positionOf({ type, coordinates }: Geometry): { latitude: number; longitude: number } | undefined {
  const corners: readonly unknown[] =
    type === "Point" ? [coordinates] : Array.isArray(coordinates[0]) ? coordinates[0] : [];
  const points = corners.map((corner) => {
    const [longitude, latitude]: readonly unknown[] = Array.isArray(corner) ? corner : [];
    if (typeof longitude !== "number" || typeof latitude !== "number" || Math.abs(latitude) > 90) {
      throw new BadRow(`"${JSON.stringify(corner)?.slice(0, 40)}" is not a position`);
    }
    return { longitude, latitude };
  });
  if (points.length === 0) return undefined;
  const middle = (values: readonly number[]): number => (Math.min(...values) + Math.max(...values)) / 2;
  return {
    latitude: middle(points.map(({ latitude }) => latitude)),
    longitude: middle(points.map(({ longitude }) => longitude)),
  };
}

/** Returns the severity from the title, otherwise from the magnitude; undefined if neither states a severity. */
function severityOf(type: DisasterType, { title }: Event, newest: Geometry): HazardSeverity | undefined {
  const named = / alert\b/i.test(title) ? severityNamed(title) : undefined;
  const { magnitudeValue: value, magnitudeUnit: unit } = newest;
  if (named !== undefined || value === null || value === undefined) return named;
  if (type === "cyclone" && unit === "kts") return severityOfStorm(stormCategory(value));
  // Most fires are measured in acres, which do not indicate their power.
  return type === "wildfire" && unit === "MW" ? severityOfFire(value) : undefined;
}
