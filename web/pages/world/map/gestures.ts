import type { MapSurface } from "./surface.js";
import { moved, WHOLE_WORLD, zoomed } from "./view.js";

/** Callbacks for the gestures on the map. */
export interface GestureListener {
  /** The camera has moved. */
  onMove(): void;
  /** A place was clicked or tapped, or the middle of the map was selected by keyboard. */
  onPick(x: number, y: number, radius: number): void;
  onHover(x: number, y: number): void;
  /** The next or previous thing of the list is requested. */
  onStep(by: 1 | -1): void;
}

const CLICK_PX = 5;
const KEY_STEP_PX = 60;
export const ZOOM_STEP = 1.5;
const WHEEL_STEP = 0.0016;
const RADII = { mouse: 10, touch: 22, keyboard: 30 } as const;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [KEY_STEP_PX, 0],
  ArrowRight: [-KEY_STEP_PX, 0],
  ArrowUp: [0, KEY_STEP_PX],
  ArrowDown: [0, -KEY_STEP_PX],
};
const ZOOMS: Readonly<Record<string, number>> = { "+": ZOOM_STEP, "=": ZOOM_STEP, "-": 1 / ZOOM_STEP };

/** Handles mouse, touch and keyboard on the map until the returned function is called. */
export function followGestures(element: HTMLElement, surface: MapSurface, listener: GestureListener): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const pointers = new Map<number, readonly [number, number]>();
  let travelled = 0;

  const move = (dx: number, dy: number): void => {
    surface.look(moved(surface.camera, surface.size, dx, dy));
    listener.onMove();
  };
  const zoom = (factor: number, x?: number, y?: number): void => {
    surface.look(zoomed(surface.camera, surface.size, factor, x, y));
    listener.onMove();
  };
  const placeOf = ({ clientX, clientY }: MouseEvent): readonly [number, number] => {
    const { left, top } = element.getBoundingClientRect();
    return [clientX - left, clientY - top];
  };

  element.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, placeOf(event));
      if (pointers.size === 1) travelled = 0;
    },
    { signal },
  );
  element.addEventListener(
    "pointermove",
    (event) => {
      const [x, y] = placeOf(event);
      const last = pointers.get(event.pointerId);
      if (!last) {
        listener.onHover(x, y);
        return;
      }
      travelled += Math.hypot(x - last[0], y - last[1]);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      pointers.set(event.pointerId, [x, y]);
      if (other) {
        const before = Math.hypot(last[0] - other[0], last[1] - other[1]);
        const after = Math.hypot(x - other[0], y - other[1]);
        if (before > 0) zoom(after / before, (x + other[0]) / 2, (y + other[1]) / 2);
        move((x - last[0]) / 2, (y - last[1]) / 2);
      } else if (travelled > CLICK_PX) {
        move(x - last[0], y - last[1]);
      }
    },
    { signal },
  );
  const release = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId) || event.type !== "pointerup") return;
    if (pointers.size > 0) {
      // After a pinch, lifting the last finger is not a tap.
      travelled = Number.POSITIVE_INFINITY;
      return;
    }
    if (travelled <= CLICK_PX)
      listener.onPick(...placeOf(event), event.pointerType === "mouse" ? RADII.mouse : RADII.touch);
  };
  element.addEventListener("pointerup", release, { signal });
  element.addEventListener("pointercancel", release, { signal });
  element.addEventListener(
    "wheel",
    (event) => {
      // If the map does not have the focus, the wheel scrolls the page.
      if (!event.ctrlKey && document.activeElement !== element) return;
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * WHEEL_STEP), ...placeOf(event));
    },
    { signal, passive: false },
  );
  element.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const arrow = ARROWS[event.key];
      const factor = ZOOMS[event.key];
      if (arrow) move(...arrow);
      else if (factor !== undefined) zoom(factor);
      else if (event.key === "0") {
        surface.look(WHOLE_WORLD);
        listener.onMove();
      } else if (event.key === "n") listener.onStep(1);
      else if (event.key === "p") listener.onStep(-1);
      else if (event.key === "Enter" || event.key === " ") {
        listener.onPick(surface.size.width / 2, surface.size.height / 2, RADII.keyboard);
      } else return;
      event.preventDefault();
    },
    { signal },
  );
  return () => stop.abort();
}
