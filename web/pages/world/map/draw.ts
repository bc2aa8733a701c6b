import type { Land } from "./land.js";
import { radiusOf, type Scene } from "./scene.js";
import { type Sprite, spriteOf, type Theme } from "./sprites.js";
import { type Affine, affineOf, type Camera, type Size } from "./view.js";

/** The data that one drawing of the map needs. */
export interface Frame {
  readonly scene: Scene;
  readonly camera: Camera;
  /** Size of the picture, CSS pixels. */
  readonly size: Size;
  /** Pixels of the screen per CSS pixel. */
  readonly ratio: number;
  readonly theme: Theme;
}

/** Draws land and borders; one country can have a bolder outline. */
export function drawLand(
  context: CanvasRenderingContext2D,
  { camera, size, ratio, theme }: Omit<Frame, "scene">,
  land: Land | undefined,
  outline: Path2D | undefined,
): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = theme.surface;
  context.fillRect(0, 0, size.width * ratio, size.height * ratio);
  if (!land) return;
  const { scale, left, top } = affineOf(camera, size);
  context.setTransform(scale * ratio, 0, 0, scale * ratio, left * ratio, top * ratio);
  context.fillStyle = theme.sea;
  context.fill(land.globe);
  context.fillStyle = theme.land;
  context.fill(land.shape);
  context.strokeStyle = theme.border;
  context.lineWidth = 0.7 / scale;
  context.stroke(land.shape);
  if (!outline) return;
  context.strokeStyle = theme.accent;
  context.lineWidth = 1.6 / scale;
  context.stroke(outline);
}

/** Returns one image for each style of mark in a scene. */
export function spritesOf(scene: Scene, theme: Theme, ratio: number): readonly Sprite[] {
  return scene.styles.map((style) => spriteOf(style, theme, ratio));
}

const HEAD_PX = 6;

/** Draws flows as curves with an arrow head. A wider curve shows a larger flow. */
export function drawFlows(context: CanvasRenderingContext2D, { scene, camera, size, ratio, theme }: Frame): void {
  const affine = affineOf(camera, size);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  for (const { from, over, to, style } of scene.flows) {
    const [x0, y0] = pixelsOf(affine, from);
    const [x1, y1] = pixelsOf(affine, over);
    const [x2, y2] = pixelsOf(affine, to);
    context.strokeStyle = style.change ? theme.changed : (theme.tones[style.tone] ?? theme.text);
    context.fillStyle = context.strokeStyle;
    context.lineWidth = radiusOf(style) / 3;
    context.setLineDash(style.change === "new since" ? [6, 4] : style.change === "gone since" ? [2, 4] : []);
    context.globalAlpha = 0.7;
    context.beginPath();
    context.moveTo(x0, y0);
    context.quadraticCurveTo(x1, y1, x2, y2);
    context.stroke();
    const angle = Math.atan2(y2 - y1, x2 - x1);
    context.globalAlpha = 1;
    context.beginPath();
    context.moveTo(x2, y2);
    context.lineTo(x2 - HEAD_PX * Math.cos(angle - 0.45), y2 - HEAD_PX * Math.sin(angle - 0.45));
    context.lineTo(x2 - HEAD_PX * Math.cos(angle + 0.45), y2 - HEAD_PX * Math.sin(angle + 0.45));
    context.fill();
  }
  context.setLineDash([]);
}

/** Draws a circle around the selected thing and, for keyboard users, a cross in the middle of the map. */
export function drawPointers(
  context: CanvasRenderingContext2D,
  { camera, size, ratio, theme }: Omit<Frame, "scene">,
  chosen: readonly [number, number] | undefined,
  hasCross: boolean,
): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (chosen) {
    const [x, y] = pixelsOf(affineOf(camera, size), chosen);
    for (const [width, colour] of [
      [4, theme.surface],
      [2, theme.accent],
    ] as const) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.beginPath();
      context.arc(x, y, 13, 0, 2 * Math.PI);
      context.stroke();
    }
  }
  if (!hasCross) return;
  const [x, y] = [size.width / 2, size.height / 2];
  context.strokeStyle = theme.text;
  context.lineWidth = 1;
  context.beginPath();
  for (const sign of [-1, 1]) {
    context.moveTo(x + 4 * sign, y);
    context.lineTo(x + 12 * sign, y);
    context.moveTo(x, y + 4 * sign);
    context.lineTo(x, y + 12 * sign);
  }
  context.stroke();
}

function pixelsOf({ scale, left, top }: Affine, [x, y]: readonly [number, number]): readonly [number, number] {
  return [x * scale + left, y * scale + top];
}
