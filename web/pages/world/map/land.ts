import { type ExtendedFeatureCollection, geoContains, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import outlines from "world-atlas/countries-110m.json?url";
import { countryCode } from "../countries.js";
import type { Place } from "../thing.js";
import { projection } from "./view.js";

/** The outlines of countries, in map units. */
export interface Land {
  readonly shape: Path2D;
  readonly globe: Path2D;
  /** The outline of a country by its alpha-2 code; undefined for a country too small for this map. */
  outlineOf(code: string): Path2D | undefined;
  /** The rectangle around a country, in map units. */
  boundsOf(code: string): [[number, number], [number, number]] | undefined;
  /** True if a place is in a country, within the precision of the outlines. */
  isIn(code: string, place: Place): boolean;
}

type Outlines = Parameters<typeof feature>[0];

let reading: Promise<Land> | undefined;

/** Reads the outlines. Later calls return the result of the first successful call. */
export function readLand(): Promise<Land> {
  reading ??= read().catch((error: unknown) => {
    reading = undefined;
    throw error;
  });
  return reading;
}

async function read(): Promise<Land> {
  const answer = await fetch(outlines);
  if (!answer.ok) throw new Error(`the request for the outlines of countries was answered with ${answer.status}`);
  return landOf((await answer.json()) as Outlines);
}

function landOf(topology: Outlines): Land {
  const countries = topology.objects["countries"];
  if (!countries) throw new Error("the file of country outlines has no object named countries");
  const all = feature(topology, countries) as ExtendedFeatureCollection;
  const byCode = new Map(
    all.features.flatMap((country) => {
      const code = countryCode(String(country.id ?? ""));
      return code === undefined ? [] : [[code, country] as const];
    }),
  );
  const path = (draw: (context: Path2D) => void): Path2D => {
    const drawn = new Path2D();
    draw(drawn);
    return drawn;
  };
  // `geoPath` uses only the methods that `Path2D` shares with a canvas context.
  const trace = (shape: Parameters<ReturnType<typeof geoPath>>[0]): Path2D =>
    path((drawn) => geoPath(projection, drawn as unknown as CanvasRenderingContext2D)(shape));
  return {
    shape: trace(all),
    globe: trace({ type: "Sphere" }),
    outlineOf(code) {
      const country = byCode.get(code);
      return country && trace(country);
    },
    boundsOf(code) {
      const country = byCode.get(code);
      return country && geoPath(projection).bounds(country);
    },
    isIn(code, { lat, lon }) {
      const country = byCode.get(code);
      return country !== undefined && geoContains(country, [lon, lat]);
    },
  };
}
