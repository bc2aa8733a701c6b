import type { Change, MarkSize, Thing } from "../thing.js";
import type { Shape } from "./shapes.js";
import { unitsOf } from "./view.js";

/** The appearance of a mark. */
export interface MarkStyle {
  readonly shape: Shape;
  readonly tone: number;
  readonly size: MarkSize;
  readonly change: Change | undefined;
  /** Rotation in sixteenths of a full turn, clockwise. */
  readonly turn: number;
}

/** A line between two places, as a curve in map units. */
export interface Flow {
  readonly from: readonly [number, number];
  readonly over: readonly [number, number];
  readonly to: readonly [number, number];
  readonly style: MarkStyle;
  /** The thing that the flow shows, as an index into `things` of the scene. */
  readonly owner: number;
}

/** The things of the map. They are projected once; each drawing of the map then only moves and scales them. */
export interface Scene {
  readonly things: readonly Thing[];
  readonly xs: Float32Array;
  readonly ys: Float32Array;
  /** The style of each point, as an index into `styles`. */
  readonly looks: Uint16Array;
  readonly owners: Int32Array;
  readonly styles: readonly MarkStyle[];
  readonly flows: readonly Flow[];
}

type Look = Pick<MarkStyle, "shape" | "tone">;

/** Radius of a mark by its size, CSS pixels. */
const RADII = [3.2, 4.2, 5.6, 7.4] as const;
const UNKNOWN_RADIUS = 4.2;

export const radiusOf = ({ size }: Pick<MarkStyle, "size">): number =>
  size === "unknown" ? UNKNOWN_RADIUS : RADII[size];

const TURNS = 16;
/** Sideways offset of the control point (`over`) of a flow, as a share of the length of the flow. */
const BEND = 0.18;

/** Projects things. Small ones come first, so that large ones are drawn on top. */
export function sceneOf(things: readonly Thing[], lookOf: (layer: string) => Look): Scene {
  const styles: MarkStyle[] = [];
  const places = new Map<string, number>();
  const points: { x: number; y: number; look: number; owner: number; rank: number }[] = [];
  const flows: Flow[] = [];
  things.forEach((thing, owner) => {
    if (!thing.place) return;
    const style = styleOf(thing, lookOf(thing.layer));
    const from = unitsOf(thing.place);
    if (style.shape === "flow") {
      if (!thing.toPlace) return;
      const to = unitsOf(thing.toPlace);
      const over = [
        (from[0] + to[0]) / 2 + BEND * (to[1] - from[1]),
        (from[1] + to[1]) / 2 - BEND * (to[0] - from[0]),
      ] as const;
      flows.push({ from, over, to, style, owner });
      return;
    }
    const key = Object.values(style).join();
    let look = places.get(key);
    if (look === undefined) {
      look = styles.push(style) - 1;
      places.set(key, look);
    }
    points.push({ x: from[0], y: from[1], look, owner, rank: radiusOf(style) });
  });
  points.sort((a, b) => a.rank - b.rank);
  return {
    things,
    xs: Float32Array.from(points, ({ x }) => x),
    ys: Float32Array.from(points, ({ y }) => y),
    looks: Uint16Array.from(points, ({ look }) => look),
    owners: Int32Array.from(points, ({ owner }) => owner),
    styles,
    flows,
  };
}

function styleOf({ size, change, heading }: Thing, { shape, tone }: Look): MarkStyle {
  const turn = shape === "dart" && heading !== undefined ? Math.round((heading / 360) * TURNS) % TURNS : 0;
  return { shape, tone, size, change, turn };
}

/** The point of a flow at a share of its length, from 0 to 1. */
export function flowPoint({ from, over, to }: Flow, part: number): readonly [number, number] {
  const [a, b, c] = [(1 - part) ** 2, 2 * part * (1 - part), part ** 2];
  return [a * from[0] + b * over[0] + c * to[0], a * from[1] + b * over[1] + c * to[1]];
}
