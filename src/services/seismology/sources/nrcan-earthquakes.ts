import { Type } from "typebox";
import { BadRow, LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import { HOUR_MS } from "../../../kit/clock.js";
import { isoInstant } from "../../../kit/iso-instant.js";
import type { StoredEarthquake } from "../records.js";
import { seismicRanges } from "./seismic-ranges.js";

const PLACE_CHARACTERS_MAX = 200;
const M_PER_KM = 1_000;

const Term = Type.Object({ "@term": Type.String() });
const Link = Type.Object({ "@href": Type.String({ pattern: "^https?://" }) });

/** Earthquakes of any magnitude in and near Canada in about the last thirty days. */
export const nrcanEarthquakes = source({
  id: "nrcan-earthquakes",
  title: "Natural Resources Canada, recent earthquakes (Atom)",
  home: "https://www.earthquakescanada.nrcan.gc.ca/",
  seen: "described",
  licence: {
    name: "Open Government Licence – Canada",
    url: "https://open.canada.ca/en/open-government-licence-canada",
    attribution: "Contains information licensed under the Open Government Licence – Canada: Natural Resources Canada",
    open: true,
  },
  steps: {
    bulletin: step({
      request: () => ({
        key: "canada",
        url: "https://www.earthquakescanada.nrcan.gc.ca/cache/earthquakes/canada-en.atom",
      }),
      format: { kind: "xml", root: "feed", lists: ["entry", "link", "category"] },
      row: Type.Object({
        id: Type.String({ minLength: 1, maxLength: 500 }),
        title: Type.Union([Type.String(), Type.Object({ "#text": Type.String() })]),
        point: Type.String(),
        elev: Type.Optional(Type.String()),
        link: Type.Optional(Type.Array(Link)),
        category: Type.Optional(Type.Array(Term)),
      }),
      rows(feed) {
        const entries = feed["entry"] ?? [];
        if (feed["updated"] === undefined || !Array.isArray(entries)) {
          throw new SourceFailure("changed", "expected an Atom feed with the element `updated` and a list of entries");
        }
        return entries;
      },
      record(entry): StoredEarthquake | LeftOut {
        const category = entry.category?.[0]?.["@term"].trim();
        // The bulletin also contains blasts and mining events, which it marks as such.
        if (category && /\bindustr|\binduced|\bmining|\bblast/i.test(category)) return new LeftOut("industrial event");
        const title = typeof entry.title === "string" ? entry.title : entry.title["#text"];
        const { at, magnitude, place } = titleOf(title);
        const url = entry.link?.[0]?.["@href"];
        const depthKm = entry.elev === undefined ? undefined : depthOf(entry.elev);
        return {
          id: `nrcan:${eventIdIn(entry.id)}`,
          ...(place !== "" && { place }),
          magnitude,
          ...(depthKm !== undefined && { depthKm }),
          location: positionOf(entry.point),
          occurredAt: at,
          ...(url !== undefined && { sourceUrl: url }),
          source: "nrcan",
          ...(category && { category }),
        };
      },
    }),
  },
  observedAt: ({ occurredAt }) => occurredAt,
  aheadMs: HOUR_MS,
  ranges: seismicRanges,
});

/**
 * Extracts origin time, magnitude and place from a title such as `2026-11-18 09:12:44 UTC: M4.6 78 km SSW of Port
 * Alice, BC`.
 */
function titleOf(title: string): { readonly at: number; readonly magnitude: number; readonly place: string } {
  const match = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) UTC: M ?(-?\d{1,2}(?:\.\d{1,3})?)\b/.exec(title.trim());
  const at = match && isoInstant(`${match[1]}T${match[2]}Z`);
  if (!match || at === undefined || at === null) throw new BadRow(`"${title.slice(0, 60)}" has no time and magnitude`);
  const rest = title.trim().slice(match[0].length);
  const place = rest.replace(/^[\s,:-]+/, "").slice(0, PLACE_CHARACTERS_MAX);
  return { at, magnitude: Number(match[3]), place };
}

/** Returns the `eventid` in an entry's id, or the end of the id if it has none. */
function eventIdIn(id: string): string {
  const eventId = /eventid[=/:]([\w.-]{1,60})/i.exec(id)?.[1];
  return eventId ?? id.slice(-60);
}

function positionOf(point: string): { readonly latitude: number; readonly longitude: number } {
  const [latitude = Number.NaN, longitude = Number.NaN] = point.trim().split(/\s+/, 3).map(Number);
  if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) {
    throw new BadRow(`"${point.slice(0, 40)}" is not a position`);
  }
  return { latitude, longitude };
}

/** Converts an elevation in metres, which is negative below sea level, to a depth in kilometres. */
function depthOf(elevation: string): number | undefined {
  const metres = elevation.trim() === "" ? Number.NaN : Number(elevation);
  // The elevation is subtracted from 0, so that the depth of the surface is 0 and not -0.
  return Number.isFinite(metres) ? 0 - metres / M_PER_KM : undefined;
}
