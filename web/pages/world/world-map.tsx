import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { failureText } from "../../reads/failure-text.js";
import { LAYERS } from "./layers/layers.js";
import { followGestures, type GestureListener, ZOOM_STEP } from "./map/gestures.js";
import type { Land } from "./map/land.js";
import { sceneOf } from "./map/scene.js";
import { MapSurface } from "./map/surface.js";
import { type Camera, type Size, WHOLE_WORLD, zoomed } from "./map/view.js";
import type { Thing } from "./thing.js";

interface WorldMapProps {
  readonly things: readonly Thing[];
  readonly land: Land | undefined;
  readonly landFailure: unknown;
  readonly country: string;
  readonly camera: Camera;
  readonly chosen: string;
  /** Called when the camera rests. */
  readonly onCamera: (camera: Camera, size: Size) => void;
  readonly onChoice: (key: string) => void;
  readonly onStep: (by: 1 | -1) => void;
}

const LOOKS = new Map(LAYERS.map((layer) => [layer.id, layer]));
const REST_MS = 250;

/**
 * Draws the things on a map of the world. Mouse, touch and keyboard move the map. The list below the map has the same
 * content in words.
 */
export function WorldMap(props: WorldMapProps) {
  const { things, land, landFailure, country, camera, chosen } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const surface = useRef<MapSurface | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const [hovered, setHovered] = useState("");
  const [hasFocus, setFocus] = useState(false);
  const scene = useMemo(() => sceneOf(things, lookOf), [things]);
  const content = {
    scene,
    land,
    country,
    chosen: things.findIndex(({ key }) => key === chosen),
    hasCross: hasFocus,
  };
  const shown = useRef(content);
  shown.current = content;
  const tell = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const listener: GestureListener = {
    onMove() {
      clearTimeout(tell.current);
      tell.current = setTimeout(() => {
        tell.current = undefined;
        if (surface.current) latest.current.onCamera(surface.current.camera, surface.current.size);
      }, REST_MS);
    },
    onPick(x, y, radius) {
      const thing = shown.current.scene.things[surface.current?.thingAt(x, y, radius) ?? -1];
      if (thing) latest.current.onChoice(thing.key);
    },
    onHover(x, y) {
      const thing = shown.current.scene.things[surface.current?.thingAt(x, y, 10) ?? -1];
      setHovered(thing ? textOf(thing) : "");
    },
    onStep: (by) => latest.current.onStep(by),
  };

  useEffect(() => {
    if (!box.current || !canvas.current) return;
    const drawn = new MapSurface(canvas.current, shown.current, camera);
    surface.current = drawn;
    const stop = followGestures(box.current, drawn, listener);
    const sizes = new ResizeObserver(([entry]) => {
      if (entry) drawn.resize(entry.contentRect);
    });
    sizes.observe(canvas.current);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const restyle = (): void => drawn.restyle();
    scheme.addEventListener("change", restyle);
    return () => {
      stop();
      sizes.disconnect();
      scheme.removeEventListener("change", restyle);
      clearTimeout(tell.current);
      drawn.close();
    };
  }, []);

  useEffect(() => surface.current?.show(shown.current), [scene, land, country, content.chosen, hasFocus]);
  // The map follows the camera in the URL. Until a move of the map is reported, the URL is outdated and ignored.
  useEffect(() => {
    if (tell.current === undefined) surface.current?.look(camera);
  }, [camera.x, camera.y, camera.zoom]);

  const zoomBy = (factor: number): void => {
    const { current } = surface;
    if (!current) return;
    current.look(factor === 0 ? WHOLE_WORLD : zoomed(current.camera, current.size, factor));
    listener.onMove();
  };
  const chosenThing = things[content.chosen];
  return (
    <div class="map">
      <div
        ref={box}
        class="map-box"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the map is moved and zoomed with keys, so it needs the focus
        tabIndex={0}
        aria-label="Map of the world"
        aria-busy={land === undefined && landFailure === undefined}
        aria-describedby="map-keys"
        onFocus={() => setFocus(true)}
        onBlur={() => setFocus(false)}
      >
        <canvas ref={canvas} />
      </div>
      <div class="map-buttons">
        <button type="button" aria-label="Zoom in" onClick={() => zoomBy(ZOOM_STEP)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => zoomBy(1 / ZOOM_STEP)}>
          −
        </button>
        <button type="button" onClick={() => zoomBy(0)}>
          World
        </button>
      </div>
      <p class="map-text">
        <output>{hovered || (chosenThing ? textOf(chosenThing) : "")}</output>
        <span id="map-keys" class="quiet">
          Keys: arrows move, + and − zoom, 0 shows the world, Enter selects the item at the cross, n and p select the
          next and previous item.
        </span>
      </p>
      {landFailure !== undefined && (
        <p class="notice partial" role="status">
          The outlines of countries could not be loaded; positions are still correct. {failureText(landFailure)}
        </p>
      )}
    </div>
  );
}

function lookOf(layer: string) {
  const look = LOOKS.get(layer);
  if (!look) throw new Error(`no layer is named ${layer}`);
  return look;
}

function textOf({ title, where, measure, layer }: Thing): string {
  return [LOOKS.get(layer)?.name, title, where === title ? "" : where, measure].filter(Boolean).join(" · ");
}
