import { type MarkStyle, radiusOf } from "./scene.js";
import { OUTLINES } from "./shapes.js";

/** The colours of the map, read from the style of the page. */
export interface Theme {
  readonly sea: string;
  readonly land: string;
  readonly border: string;
  readonly surface: string;
  readonly text: string;
  readonly accent: string;
  /** Colour of things that changed since the instant shown. */
  readonly changed: string;
  /** Colours by tone number. */
  readonly tones: readonly string[];
}

/** A mark as an image, drawn once per style. */
export interface Sprite {
  readonly image: HTMLCanvasElement;
  /** Its pixels, row by row. */
  readonly pixels: Uint32Array;
  /** Distance from its edge to its middle, in screen pixels. */
  readonly half: number;
}

const RING_PX = 3;

export function themeOf(element: Element): Theme {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    sea: colour("sea"),
    land: colour("land"),
    border: colour("border"),
    surface: colour("surface"),
    text: colour("text"),
    accent: colour("accent"),
    changed: colour("state-stale"),
    tones: [0, 1, 2, 3, 4, 5, 6].map((tone) => colour(`series-${tone}`)),
  };
}

export function spriteOf(style: MarkStyle, theme: Theme, ratio: number): Sprite {
  const radius = radiusOf(style);
  const half = Math.ceil((radius * 1.15 + (style.change ? RING_PX + 2 : 1)) * ratio);
  const image = document.createElement("canvas");
  image.width = 2 * half;
  image.height = 2 * half;
  const context = image.getContext("2d");
  if (!context) throw new Error("this browser cannot draw");
  context.translate(half, half);
  context.scale(ratio, ratio);
  drawMark(context, style, radius, theme);
  if (style.change) drawChange(context, style.change, radius + RING_PX, theme);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return { image, pixels: new Uint32Array(data.buffer), half };
}

function drawMark(context: CanvasRenderingContext2D, style: MarkStyle, radius: number, theme: Theme): void {
  const tone = theme.tones[style.tone] ?? theme.text;
  context.save();
  context.rotate((style.turn / 16) * 2 * Math.PI);
  context.scale(radius, radius);
  const outline = new Path2D(OUTLINES[style.shape]);
  const isHollow = style.size === "unknown";
  context.fillStyle = isHollow ? theme.surface : tone;
  context.strokeStyle = isHollow ? tone : theme.surface;
  context.lineWidth = (isHollow ? 1.4 : 0.8) / radius;
  context.fill(outline);
  context.stroke(outline);
  context.restore();
}

/** Draws the ring around a thing: solid if it has changed, dashed if it is new, crossed out if it is gone. */
function drawChange(
  context: CanvasRenderingContext2D,
  change: NonNullable<MarkStyle["change"]>,
  radius: number,
  theme: Theme,
): void {
  context.strokeStyle = theme.changed;
  context.lineWidth = 1.6;
  context.setLineDash(change === "new since" ? [2.5, 2] : []);
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  if (change === "gone since") {
    context.moveTo(-radius * 0.72, radius * 0.72);
    context.lineTo(radius * 0.72, -radius * 0.72);
  }
  context.stroke();
}
