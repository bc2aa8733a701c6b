import { geoEqualEarth } from "d3-geo";
import type { Place } from "../thing.js";

/** Width of the whole world in map units. Each place is projected once; a `Camera` then moves and scales the map. */
export const WORLD_WIDTH = 1000;
/** Height of the whole world in map units. The projection preserves area. */
export const WORLD_HEIGHT = 487;

export const ZOOM_MAX = 64;

/** The projection to map units, with the middle of the world at 0, 0. */
export const projection = geoEqualEarth()
  .scale(WORLD_WIDTH / 5.413)
  .translate([0, 0])
  .precision(0.1);

/** The visible part of the world: its middle in map units, and the zoom factor relative to the whole world. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Upper left and lower right corner, in map units. */
export type Rectangle = readonly [readonly [number, number], readonly [number, number]];

/** Pixels = map units · `scale` + offset. */
export interface Affine {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

export const WHOLE_WORLD: Camera = { x: 0, y: 0, zoom: 1 };

export function unitsOf({ lat, lon }: Place): readonly [number, number] {
  return projection([lon, lat]) ?? [0, 0];
}

export function affineOf({ x, y, zoom }: Camera, { width, height }: Size): Affine {
  const scale = zoom * Math.min(width / WORLD_WIDTH, height / WORLD_HEIGHT);
  return { scale, left: width / 2 - x * scale, top: height / 2 - y * scale };
}

/** Keeps the middle of the view on the map, and the zoom between 1 and `ZOOM_MAX`. */
export function limited({ x, y, zoom }: Camera): Camera {
  const [xMax, yMax] = [WORLD_WIDTH / 2, WORLD_HEIGHT / 2];
  return { x: clamp(x, -xMax, xMax), y: clamp(y, -yMax, yMax), zoom: clamp(zoom, 1, ZOOM_MAX) };
}

/** The camera after the picture has been moved by `dx` and `dy` pixels. */
export function moved(camera: Camera, size: Size, dx: number, dy: number): Camera {
  const { scale } = affineOf(camera, size);
  return limited({ ...camera, x: camera.x - dx / scale, y: camera.y - dy / scale });
}

/** Zooms a camera by a factor. The point of the map at the pixel `px`, `py` stays in place. */
export function zoomed(camera: Camera, size: Size, factor: number, px = size.width / 2, py = size.height / 2): Camera {
  const before = affineOf(camera, size);
  const zoom = clamp(camera.zoom * factor, 1, ZOOM_MAX);
  const scale = (before.scale * zoom) / camera.zoom;
  const [unitX, unitY] = [(px - before.left) / before.scale, (py - before.top) / before.scale];
  return limited({ x: unitX - (px - size.width / 2) / scale, y: unitY - (py - size.height / 2) / scale, zoom });
}

/** The camera that shows a rectangle of map units with a margin. */
export function showing([[left, top], [right, bottom]]: Rectangle, size: Size): Camera {
  const whole = Math.min(size.width / WORLD_WIDTH, size.height / WORLD_HEIGHT);
  const fit = Math.min(size.width / (right - left), size.height / (bottom - top));
  return limited({ x: (left + right) / 2, y: (top + bottom) / 2, zoom: (0.7 * fit) / whole });
}

/** A camera as a URL parameter: latitude, longitude and zoom; empty for the whole world. */
export function cameraText({ x, y, zoom }: Camera): string {
  if (zoom === 1 && x === 0 && y === 0) return "";
  const [lon, lat] = projection.invert?.([x, y]) ?? [0, 0];
  return [lat.toFixed(2), lon.toFixed(2), zoom.toFixed(2)].join(",");
}

/** The camera of a URL parameter. If the parameter is invalid, the camera shows the whole world. */
export function cameraOf(text: string): Camera {
  const [lat = Number.NaN, lon = Number.NaN, zoom = Number.NaN] = text.split(",").map(Number);
  if (![lat, lon, zoom].every(Number.isFinite) || Math.abs(lat) > 90 || Math.abs(lon) > 180) return WHOLE_WORLD;
  const [x, y] = unitsOf({ lat, lon });
  return limited({ x, y, zoom });
}

/** The bounds of the view in degrees: south, west, north, east. They are found from sample points of the view. */
export function boundsOf(camera: Camera, size: Size): readonly [number, number, number, number] {
  const { scale, left, top } = affineOf(camera, size);
  const lats: number[] = [];
  const lons: number[] = [];
  for (let across = 0; across <= EDGE_STEPS; across += 1) {
    for (let down = 0; down <= EDGE_STEPS; down += 1) {
      const units: [number, number] = [
        ((across / EDGE_STEPS) * size.width - left) / scale,
        ((down / EDGE_STEPS) * size.height - top) / scale,
      ];
      const [lon = Number.NaN, lat = Number.NaN] = projection.invert?.(units) ?? [];
      lons.push(clamp(Number.isFinite(lon) ? lon : 180 * Math.sign(units[0]), -180, 180));
      lats.push(clamp(Number.isFinite(lat) ? lat : -90 * Math.sign(units[1]), -90, 90));
    }
  }
  return [Math.min(...lats), Math.min(...lons), Math.max(...lats), Math.max(...lons)];
}

const EDGE_STEPS = 4;

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}
