import type { Frame } from "./draw.js";
import type { Sprite } from "./sprites.js";
import { affineOf } from "./view.js";

/** The lowest opaque colour value. */
const OPAQUE = 0xff000000;

/** The pixels of a sprite that are not fully transparent, prepared for pictures of one width. */
interface Stamp {
  /** For each pixel, its offset from the sprite's middle in the picture's array of pixels. */
  readonly offsets: Int32Array;
  /** Colours as numbers with alpha in the highest byte. */
  readonly colours: Uint32Array;
}

/**
 * Draws marks into a picture in memory, which is copied to the canvas once. One canvas call for each of 20,000 marks
 * takes several times as long as blending their pixels.
 */
export class PointPainter {
  readonly #canvas = document.createElement("canvas");
  #image: ImageData | undefined;
  #pixels = new Uint32Array();
  /** The sprites of the previous frame, and their stamps. */
  #sprites: readonly Sprite[] = [];
  #stamps: readonly Stamp[] = [];

  paint(context: CanvasRenderingContext2D, frame: Frame, sprites: readonly Sprite[]): void {
    const { scene, camera, size, ratio } = frame;
    if (scene.xs.length === 0) return;
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    const image = this.#prepare(width, height, sprites);
    const { scale, left, top } = affineOf(camera, size);
    const [k, dx, dy] = [scale * ratio, left * ratio, top * ratio];
    const { xs, ys, looks } = scene;
    const cut: (readonly [sprite: Sprite, x: number, y: number])[] = [];
    // Marks are drawn from front to back, because the pixels behind opaque ones need no blending.
    for (let at = xs.length - 1; at >= 0; at -= 1) {
      const look = looks[at] ?? 0;
      const [sprite, stamp] = [sprites[look], this.#stamps[look]];
      if (!sprite || !stamp) continue;
      const { half } = sprite;
      const x = Math.round((xs[at] ?? 0) * k + dx);
      const y = Math.round((ys[at] ?? 0) * k + dy);
      if (x >= half && y >= half && x < width - half && y < height - half) {
        layUnder(this.#pixels, y * width + x, stamp);
      } else if (x >= -half && y >= -half && x < width + half && y < height + half) {
        cut.push([sprite, x - half, y - half]);
      }
    }
    const own = this.#canvas.getContext("2d");
    if (!own) throw new Error("this browser cannot draw");
    own.putImageData(image, 0, 0);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.#canvas, 0, 0);
    // The few marks at the edges are drawn by the canvas, which clips them.
    for (const [sprite, x, y] of cut.reverse()) context.drawImage(sprite.image, x, y);
  }

  /** Prepares an empty picture of this size, and the stamps of the sprites for its width. */
  #prepare(width: number, height: number, sprites: readonly Sprite[]): ImageData {
    let image = this.#image;
    const isResized = !image || image.width !== width || image.height !== height;
    if (!image || isResized) {
      image = new ImageData(width, height);
      this.#image = image;
      this.#pixels = new Uint32Array(image.data.buffer);
      this.#canvas.width = width;
      this.#canvas.height = height;
    } else {
      this.#pixels.fill(0);
    }
    if (isResized || sprites !== this.#sprites) {
      this.#sprites = sprites;
      this.#stamps = sprites.map((sprite) => stampOf(sprite, width));
    }
    return image;
  }
}

function stampOf({ pixels, half }: Sprite, width: number): Stamp {
  const offsets: number[] = [];
  const colours: number[] = [];
  const side = 2 * half;
  for (let at = 0; at < pixels.length; at += 1) {
    const colour = pixels[at] ?? 0;
    if (colour >>> 24 === 0) continue;
    offsets.push((Math.floor(at / side) - half) * width + (at % side) - half);
    colours.push(colour);
  }
  return { offsets: Int32Array.from(offsets), colours: Uint32Array.from(colours) };
}

/** Puts a stamp under the pixels drawn so far. */
function layUnder(picture: Uint32Array, middle: number, { offsets, colours }: Stamp): void {
  for (let at = 0; at < offsets.length; at += 1) {
    const place = middle + (offsets[at] ?? 0);
    const front = picture[place] ?? 0;
    if (front >= OPAQUE) continue;
    const colour = colours[at] ?? 0;
    picture[place] = front === 0 ? colour : over(front, colour);
  }
}

/** Blends one colour over another. Neither is premultiplied by its alpha. */
export function over(front: number, back: number): number {
  const alpha = front >>> 24;
  const left = ((back >>> 24) * (255 - alpha)) / 255;
  const sum = alpha + left;
  const red = ((front & 255) * alpha + (back & 255) * left) / sum;
  const green = (((front >>> 8) & 255) * alpha + ((back >>> 8) & 255) * left) / sum;
  const blue = (((front >>> 16) & 255) * alpha + ((back >>> 16) & 255) * left) / sum;
  return (((sum + 0.5) << 24) | ((blue + 0.5) << 16) | ((green + 0.5) << 8) | (red + 0.5)) >>> 0;
}
