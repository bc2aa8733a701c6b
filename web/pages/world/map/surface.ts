import { drawFlows, drawLand, drawPointers, type Frame, spritesOf } from "./draw.js";
import { type HitGrid, hitGrid } from "./hit-grid.js";
import type { Land } from "./land.js";
import { PointPainter } from "./point-painter.js";
import { flowPoint, type Scene } from "./scene.js";
import { type Sprite, type Theme, themeOf } from "./sprites.js";
import { affineOf, type Camera, limited, type Size } from "./view.js";

/** The land is redrawn once the camera has rested this long. Until then, its last picture is moved and scaled. */
const REST_MS = 90;
const FLOW_POINTS = 24;

/** The content of the map, apart from the camera. */
export interface MapContent {
  readonly scene: Scene;
  readonly land: Land | undefined;
  /** Alpha-2 code of the outlined country; may be empty. */
  readonly country: string;
  /** Number of the selected thing; -1 for none. */
  readonly chosen: number;
  /** True if the map has the focus and marks its middle. */
  readonly hasCross: boolean;
}

/** A canvas with the map. It redraws on changes, at most once per screen frame. */
export class MapSurface {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #land = document.createElement("canvas");
  readonly #landContext: CanvasRenderingContext2D;
  readonly #points = new PointPainter();
  #content: MapContent;
  #camera: Camera;
  #size: Size = { width: 1, height: 1 };
  #ratio = 1;
  #theme: Theme;
  #sprites: readonly Sprite[] = [];
  #grid: HitGrid | undefined;
  /** The camera with which the land's picture was drawn; undefined if the land must be redrawn. */
  #landCamera: Camera | undefined;
  #frame = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor(canvas: HTMLCanvasElement, content: MapContent, camera: Camera) {
    const [context, landContext] = [canvas.getContext("2d"), this.#land.getContext("2d")];
    if (!context || !landContext) throw new Error("this browser cannot draw");
    this.#canvas = canvas;
    this.#context = context;
    this.#landContext = landContext;
    this.#content = content;
    this.#camera = camera;
    this.#theme = themeOf(canvas);
    this.#sprites = spritesOf(content.scene, this.#theme, this.#ratio);
  }

  get camera(): Camera {
    return this.#camera;
  }

  get size(): Size {
    return this.#size;
  }

  show(content: MapContent): void {
    const last = this.#content;
    this.#content = content;
    if (content.scene !== last.scene) {
      this.#sprites = spritesOf(content.scene, this.#theme, this.#ratio);
      this.#grid = undefined;
    }
    if (content.land !== last.land || content.country !== last.country) this.#landCamera = undefined;
    this.#ask();
  }

  look(camera: Camera): void {
    this.#camera = limited(camera);
    this.#grid = undefined;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      this.#landCamera = undefined;
      this.#ask();
    }, REST_MS);
    this.#ask();
  }

  resize(size: Size): void {
    this.#size = size;
    this.#ratio = Math.min(2, devicePixelRatio);
    for (const canvas of [this.#canvas, this.#land]) {
      canvas.width = Math.round(size.width * this.#ratio);
      canvas.height = Math.round(size.height * this.#ratio);
    }
    this.restyle();
  }

  /** Reads the colours from the style of the page again, and redraws. */
  restyle(): void {
    this.#theme = themeOf(this.#canvas);
    this.#sprites = spritesOf(this.#content.scene, this.#theme, this.#ratio);
    this.#landCamera = undefined;
    this.#grid = undefined;
    this.#ask();
  }

  /** The number of the thing at a place of the picture; -1 if there is none. */
  thingAt(x: number, y: number, radius: number): number {
    this.#grid ??= this.#gridNow();
    return this.#grid.nearest(x, y, radius);
  }

  close(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#rest);
  }

  #ask(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw(): void {
    // A canvas of zero width or height, as in a collapsed window, cannot be drawn on.
    if (this.#canvas.width === 0 || this.#canvas.height === 0) return;
    const { scene, hasCross } = this.#content;
    const frame: Frame = { scene, camera: this.#camera, size: this.#size, ratio: this.#ratio, theme: this.#theme };
    this.#drawLand(frame);
    drawFlows(this.#context, frame);
    this.#points.paint(this.#context, frame, this.#sprites);
    drawPointers(this.#context, frame, this.#chosenUnits(), hasCross);
  }

  /** Redraws the land's picture if necessary, and copies it. While the camera moves, the copy is moved and scaled. */
  #drawLand(frame: Frame): void {
    const { land, country } = this.#content;
    if (!this.#landCamera) {
      const outline = country === "" ? undefined : land?.outlineOf(country);
      drawLand(this.#landContext, frame, land, outline);
      this.#landCamera = this.#camera;
    }
    const context = this.#context;
    const [was, is] = [affineOf(this.#landCamera, this.#size), affineOf(this.#camera, this.#size)];
    const factor = is.scale / was.scale;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.#theme.sea;
    context.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
    const move = (to: number, from: number): number => (to - from * factor) * this.#ratio;
    context.setTransform(factor, 0, 0, factor, move(is.left, was.left), move(is.top, was.top));
    context.drawImage(this.#land, 0, 0);
  }

  #chosenUnits(): readonly [number, number] | undefined {
    const { scene, chosen } = this.#content;
    const at = scene.owners.indexOf(chosen);
    if (at >= 0) return [scene.xs[at] ?? 0, scene.ys[at] ?? 0];
    const flow = scene.flows.find(({ owner }) => owner === chosen);
    return flow && flowPoint(flow, 0.5);
  }

  /** Makes the grid of all things. A flow is added as several points along its curve. */
  #gridNow(): HitGrid {
    const { scale, left, top } = affineOf(this.#camera, this.#size);
    const { scene } = this.#content;
    const along = scene.flows.flatMap((flow) =>
      Array.from({ length: FLOW_POINTS }, (_, step) => ({
        units: flowPoint(flow, (step + 1) / FLOW_POINTS),
        owner: flow.owner,
      })),
    );
    // Flows come before marks: of equally near points, the grid returns the last one, and marks are drawn on top of
    // flows.
    const first = along.length;
    const xs = new Float32Array(first + scene.xs.length);
    const ys = new Float32Array(first + scene.xs.length);
    const owners = new Int32Array(first + scene.xs.length);
    along.forEach(({ units, owner }, at) => {
      xs[at] = units[0];
      ys[at] = units[1];
      owners[at] = owner;
    });
    xs.set(scene.xs, first);
    ys.set(scene.ys, first);
    owners.set(scene.owners, first);
    for (let at = 0; at < xs.length; at += 1) {
      xs[at] = (xs[at] ?? 0) * scale + left;
      ys[at] = (ys[at] ?? 0) * scale + top;
    }
    return hitGrid(xs, ys, owners, this.#size);
  }
}
