// Measures, in headless Chromium, the time to draw a frame of the console's map with 20,000 marks. Compares it with the
// time to draw the same number of plain circles without the map's code, on a canvas of the same size. A frame consists
// of a background, copied from a prepared image, and all marks or circles. The measurement ends when one of the frame's
// pixels has been read back, so that it includes the drawing itself and not only the recording of the drawing commands.
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { browserPath, noBrowser } from "../../scripts/browser.mjs";

const MARKS = 20_000;
const FRAMES = 60;
const SIZE = { width: 1200, height: 600 };
const MAP = resolve(dirname(fileURLToPath(import.meta.url)), "../../web/pages/world/map");

/** Returns the figures of a frame, or `skipped` with the reason if no browser is installed. */
export async function mapFrameRow() {
  if (noBrowser !== undefined) return { skipped: noBrowser };
  const [{ chromium }, code] = await Promise.all([import("playwright-core"), mapCode()]);
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: 1 });
    await page.evaluate(code);
    const { mapMs, plainMs } = await page.evaluate(measured, { marks: MARKS, frames: FRAMES, size: SIZE });
    return {
      marks: MARKS,
      mapMs: Number(mapMs.toFixed(1)),
      plainMs: Number(plainMs.toFixed(1)),
      ratio: Number((mapMs / plainMs).toFixed(2)),
    };
  } finally {
    await browser.close();
  }
}

/** Bundles the map's drawing code into one script that sets `worldMap`. */
async function mapCode() {
  const { build } = await import("vite");
  const id = "virtual:map-frame";
  const source = ["draw", "point-painter", "scene"]
    .map((name) => `export * from ${JSON.stringify(`${MAP}/${name}.ts`)};`)
    .join("\n");
  const entry = {
    name: "map-frame-entry",
    resolveId: (name) => (name === id ? `\0${id}` : undefined),
    load: (name) => (name === `\0${id}` ? source : undefined),
  };
  const built = await build({
    configFile: false,
    logLevel: "error",
    plugins: [entry],
    build: {
      write: false,
      minify: false,
      rollupOptions: { input: id, preserveEntrySignatures: "strict", output: { format: "iife", name: "worldMap" } },
    },
  });
  const { output } = Array.isArray(built) ? built[0] : built;
  return `${output[0].code}\nglobalThis.worldMap = worldMap;`;
}

/**
 * Runs in the page. Draws frames of the map and frames of plain circles alternately, and returns the median time of
 * each kind.
 */
function measured({ marks, frames, size }) {
  const { PointPainter, sceneOf, spritesOf } = globalThis.worldMap;
  let seed = 1;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  const shapes = ["circle", "ring", "diamond", "square", "triangle", "cross"];
  const things = Array.from({ length: marks }, (_, at) => ({
    layer: shapes[at % shapes.length],
    place: { lat: random() * 150 - 65, lon: random() * 360 - 180 },
    size: at % 4,
  }));
  const scene = sceneOf(things, (shape) => ({ shape, tone: 1 }));
  const theme = { surface: "#fff", text: "#000", changed: "#a40", tones: ["", "#0b6e8a"] };
  const sprites = spritesOf(scene, theme, 1);
  const painter = new PointPainter();
  const canvasOf = () => Object.assign(document.createElement("canvas"), size);
  const land = canvasOf();
  land.getContext("2d").fillRect(0, 0, size.width, size.height);
  const [map, plain] = [canvasOf().getContext("2d"), canvasOf().getContext("2d")];
  const timed = (context, draw) => {
    const start = performance.now();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(land, 0, 0);
    draw();
    context.getImageData(0, 0, 1, 1);
    return performance.now() - start;
  };
  const circles = Array.from({ length: marks }, () => [random() * size.width, random() * size.height]);
  const [mapTimes, plainTimes] = [[], []];
  for (let frame = 0; frame < frames; frame += 1) {
    const camera = { x: frame % 7, y: 0, zoom: 1 };
    mapTimes.push(timed(map, () => painter.paint(map, { scene, camera, size, ratio: 1, theme }, sprites)));
    plainTimes.push(
      timed(plain, () => {
        plain.fillStyle = "#0b6e8a";
        for (const [x, y] of circles) {
          plain.beginPath();
          plain.arc(x, y, 4, 0, 2 * Math.PI);
          plain.fill();
        }
      }),
    );
  }
  const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
  return { mapMs: median(mapTimes), plainMs: median(plainTimes) };
}
