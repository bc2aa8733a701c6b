import type { Layer } from "./layers/layer.js";
import { OUTLINES } from "./map/shapes.js";

/** The mark of a layer, as on the map. */
export function Glyph({ layer: { shape, tone } }: { readonly layer: Pick<Layer, "shape" | "tone"> }) {
  return (
    <svg class={`glyph tone-${tone}`} viewBox="-1.25 -1.25 2.5 2.5" width="14" height="14" aria-hidden="true">
      <path d={OUTLINES[shape]} fill="currentColor" />
    </svg>
  );
}
